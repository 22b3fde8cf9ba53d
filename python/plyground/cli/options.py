"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyground import games


def check_seed(seed: int | None) -> int | None:
    """The seed, if it is one."""
    if seed is not None and not 0 <= seed < 2**64:
        raise typer.BadParameter(f"{seed}; accepted is a whole number from 0 to 2**64 - 1")
    return seed


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"One of {', '.join(game.id for game in games())}; options in brackets: 'connect4(columns=8)'.",
    ),
]
PositionOption = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Begin at this position, written as the game writes it.")
]
SeedOption = Annotated[int, typer.Option(metavar="N", callback=check_seed, help="The same seed gives the same games.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
ThreadsOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=256, help="Threads to work with; else one a processor.")
]
SyzygyOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Syzygy files (.rtbw, .rtbz) to play chess endings by.")
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE",
        help="A file, or postgresql://USER@HOST/DATABASE.",
        show_default="what PLYGROUND_STORE says, else a file in your data folder",
    ),
]
