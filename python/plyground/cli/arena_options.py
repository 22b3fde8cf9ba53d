"""Options shared by matches and tournaments."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.arena.adjudication import ADJUDICATORS
from plyground.arena.executors import EXECUTORS

OpeningsOption = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="start, deck, or a file with one opening per line. Each opening is played twice with sides swapped.",
        show_default="the game's deck, if it has one",
    ),
]
ClockOption = Annotated[
    str | None,
    typer.Option(
        metavar="SECONDS+INCREMENT", help="Time control: seconds per game plus increment per move, such as 60+0.5."
    ),
]
AdjudicationOption = Annotated[
    str, typer.Option(metavar="NAME", help=f"How to adjudicate games whose result is known: {', '.join(ADJUDICATORS)}.")
]
ExecutorOption = Annotated[
    str, typer.Option("--executor", metavar="NAME", help=f"Where to play the games: {', '.join(EXECUTORS)}.")
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, max=4096, help="Number of games played in parallel.", show_default="the number of cores"
    ),
]
