"""Options that matches and tournaments share."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.arena.adjudication import ADJUDICATORS
from plyground.arena.executors import EXECUTORS

OpeningsOption = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="start, deck, or a file with an opening on each line; each is played twice, sides swapped.",
        show_default="the game's deck where it has one",
    ),
]
ClockOption = Annotated[
    str | None,
    typer.Option(metavar="S+I", help="Seconds for a game and more for each move, as in 60+0.5; who uses more loses."),
]
AdjudicationOption = Annotated[
    str, typer.Option(metavar="NAME", help=f"Who ends games whose outcome is known: {', '.join(ADJUDICATORS)}.")
]
ExecutorOption = Annotated[
    str, typer.Option("--executor", metavar="NAME", help=f"Where games are played: {', '.join(EXECUTORS)}.")
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=4096, help="Games at once.", show_default="as many as there are cores"),
]
