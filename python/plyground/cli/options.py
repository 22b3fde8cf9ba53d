"""Arguments and options shared by several commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyground import games


def check_seed(seed: int | None) -> int | None:
    """Return the seed if it is valid."""
    if seed is not None and not 0 <= seed < 2**64:
        raise typer.BadParameter(f"must be between 0 and 2**64 - 1, got {seed}")
    return seed


MAX_ID = 2**63 - 1
"""Largest ID of a stored game."""
MAX_MEBIBYTES = 2**20
"""Largest memory limit, in MiB."""

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"One of {', '.join(game.id for game in games())}; options go in parentheses: 'connect4(columns=8)'.",
    ),
]
PositionOption = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Start position in the notation of the game (FEN for chess and checkers)."),
]
MovesOption = Annotated[str, typer.Option(metavar="MOVES", help="Moves played from the position, separated by spaces.")]
SeedOption = Annotated[
    int, typer.Option(metavar="N", callback=check_seed, help="Random seed. The same seed gives the same games.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print only JSON.")]
SimulationsOption = Annotated[int | None, typer.Option(metavar="N", min=1, help="Simulations per move.")]
SecondsOption = Annotated[float | None, typer.Option(metavar="S", help="Seconds per move.")]
NumberOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Number of the game in a file with several, counted from 1.")
]
ThreadsOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=256, help="Number of threads.", show_default="one per processor")
]
SyzygyOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Folder of Syzygy files (.rtbw, .rtbz) for chess endgames.")
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE",
        help="SQLite file or postgresql://USER@HOST/DATABASE.",
        show_default="$PLYGROUND_STORE, else a file in your data folder",
    ),
]
