"""`plyground tables`: endgame tables of checkers; Syzygy files of chess can be asked too."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyground._engine import Tables
from plyground.cli.options import JsonOption, SeedOption, SyzygyOption, ThreadsOption
from plyground.cli.progress import make_bar, shown
from plyground.errors import TablesError
from plyground.exact import tables as exact
from plyground.exact.tables import MOST_PIECES

if TYPE_CHECKING:
    from rich.progress import Progress

app = typer.Typer(no_args_is_help=True, help="Build endgame tables of checkers, and ask them.")

FolderOption = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help=f"Where the tables are; else {exact.OWN_FOLDER}, else the user's data folder."),
]
SPOKEN = ("black_men", "black_kings", "white_men", "white_kings")


@app.command()
def build(
    pieces: Annotated[
        int, typer.Option(metavar="N", min=2, max=MOST_PIECES, help=f"The most pieces, 2 to {MOST_PIECES}.")
    ],
    folder: FolderOption = None,
    threads: ThreadsOption = None,
    again: Annotated[bool, typer.Option("--again", help="Build what is there anew: after damage.")] = False,
) -> None:
    """Build the tables of up to so many pieces; what is there stays, what was interrupted goes on."""
    with shown(f"Tables of {pieces} pieces", counted=False) as report:
        built = exact.build(pieces, folder, threads=threads, again=again, report=report)
    typer.echo(f"{built.folder}: every position with up to {built.pieces} pieces, {built.bytes / 1e6:,.1f} MB")


@app.command()
def probe(
    fen: Annotated[str, typer.Argument(metavar="FEN", help="A position such as B:WK10:BK1,K2.")],
    folder: FolderOption = None,
    syzygy: SyzygyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a position is worth for the side to move, and in how many plies the game ends.

    With --syzygy it is a position of chess, and the plies are those to the next capture, pawn move or mate.
    """
    value, distance = _probe(fen, folder) if syzygy is None else _probe_syzygy(fen, syzygy)
    if as_json:
        typer.echo(json.dumps({"value": value, "distance": distance}))
    elif distance is None:
        typer.echo(value)
    else:
        to_what = f" in {distance}" if syzygy is None else f", {distance} plies to a capture, pawn move or mate"
        typer.echo(value + to_what)


def _probe(fen: str, folder: Path | None) -> tuple[str, int | None]:
    tables = exact.tables(folder)
    answer = tables.probe(fen)
    if answer is None:
        raise TablesError(f"{fen}: the tables know positions in which both sides have pieces, {tables.pieces} in all")
    return answer


def _probe_syzygy(fen: str, folder: Path) -> tuple[str, int | None]:
    from plyground.exact.syzygy import open_syzygy

    ending = open_syzygy(folder).probe(fen)
    return ending.value, ending.distance


@app.command()
def stats(folder: FolderOption = None, as_json: JsonOption = False) -> None:
    """Count the positions that the side to move, black, wins, draws and loses, for each material of both sides."""
    counts = exact.tables(folder).counts()
    if as_json:
        typer.echo(json.dumps(counts))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("pieces", *SPOKEN, "wins", "draws", "losses"):
        table.add_column(heading.replace("_", " "), justify="right")
    for pieces in sorted({count["pieces"] for count in counts}):
        slices = [count for count in counts if count["pieces"] == pieces]
        for count in slices:
            table.add_row(*(f"{number:,}" for number in count.values()))
        sums = (f"{sum(count[name] for count in slices):,}" for name in ("wins", "draws", "losses"))
        table.add_row(f"all {pieces}", *("" for _ in SPOKEN), *sums, end_section=True)
    Console().print(table)


@app.command()
def verify(
    samples: Annotated[int, typer.Option(metavar="N", min=1, help="Positions for each number of pieces.")] = 100_000,
    folder: FolderOption = None,
    threads: ThreadsOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Check that each value follows from the values one move on, at positions drawn from every slice."""
    tables = exact.tables(folder)
    with make_bar(counted=False, hidden=as_json) as progress:
        for pieces in range(2, tables.pieces + 1):
            _verify_one(tables, pieces, samples, threads or os.cpu_count() or 1, seed, progress)
    report = {"pieces": tables.pieces, "samples": samples * (tables.pieces - 1), "contradictions": 0}
    if as_json:
        typer.echo(json.dumps(report))
    else:
        typer.echo(f"{report['samples']:,} positions with up to {tables.pieces} pieces checked: no contradiction")


def _verify_one(tables: Tables, pieces: int, samples: int, threads: int, seed: int, progress: Progress) -> None:
    task = progress.add_task(f"{pieces} pieces", total=samples)
    wrong = tables.verify(
        pieces, samples, seed, threads=threads, report=lambda done: progress.update(task, completed=done)
    )
    progress.update(task, completed=samples)
    if wrong is not None:
        fen, said, found = wrong
        raise TablesError(
            f"{fen}: the tables say {said[0]} in {said[1]}, its moves say {found[0]} in {found[1]}; "
            "build them again (plyground tables build --again)"
        )
