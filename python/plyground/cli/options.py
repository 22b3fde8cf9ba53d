"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground import games

LARGEST_SEED = 2**64 - 1

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"One of {', '.join(game.id for game in games())}; options go in brackets: 'connect4(columns=8)'.",
    ),
]
PositionOption = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Begin at this position, written as the game writes it.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
