"""`plyground tables`: checkers endgame tables; can also probe Syzygy files for chess."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyground._engine import Tables
from plyground.cli.options import JsonOption, SeedOption, SyzygyOption, ThreadsOption
from plyground.cli.progress import make_bar, show_progress
from plyground.cli.text_table import number, print_table
from plyground.cli.verbs import new_group
from plyground.errors import TablesError
from plyground.exact import tables as exact
from plyground.exact.tables import MAX_PIECES

if TYPE_CHECKING:
    from rich.progress import Progress

app = new_group("tables")

FolderOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Folder of the tables.",
        show_default=f"${exact.FOLDER_VARIABLE}, else a folder in your data folder",
    ),
]
MATERIAL_HEADINGS = ("b men", "b kings", "w men", "w kings")


@app.command()
def build(
    pieces: Annotated[
        int, typer.Option(metavar="N", min=2, max=MAX_PIECES, help=f"Maximum number of pieces, 2 to {MAX_PIECES}.")
    ],
    folder: FolderOption = None,
    threads: ThreadsOption = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Rebuild existing tables, for example damaged ones.")
    ] = False,
) -> None:
    """Build endgame tables up to N pieces. Resumes an interrupted build."""
    try:
        with show_progress(f"Building {pieces}-piece tables", counted=False) as report:
            built = exact.build(pieces, folder, threads=threads, rebuild=rebuild, report=report)
    except KeyboardInterrupt:
        typer.echo("Interrupted. Run the same command to resume.", err=True)
        raise typer.Exit(130) from None
    typer.echo(f"{built.folder}: all positions with up to {built.pieces} pieces, {built.bytes / 1e6:,.1f} MB")


@app.command()
def probe(
    fen: Annotated[str, typer.Argument(metavar="FEN", help="A position such as B:WK10:BK1,K2.")],
    folder: FolderOption = None,
    syzygy: SyzygyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the value of a position for the side to move and the distance to the end of the game in plies.

    With --syzygy, probe a chess position; the distance is to the next capture, pawn move or mate (DTZ).
    """
    value, distance = _probe(fen, folder) if syzygy is None else _probe_syzygy(fen, syzygy)
    if as_json:
        typer.echo(json.dumps({"value": value, "distance": distance}))
    elif distance is None:
        typer.echo(value)
    else:
        suffix = f" in {distance}" if syzygy is None else f" (DTZ {distance})"
        typer.echo(value + suffix)


def _probe(fen: str, folder: Path | None) -> tuple[str, int | None]:
    tables = exact.tables(folder)
    result = tables.probe(fen)
    if result is None:
        raise TablesError(f"{fen} is not in the tables, which cover 2 to {tables.pieces} pieces, at least one per side")
    return result


def _probe_syzygy(fen: str, folder: Path) -> tuple[str, int | None]:
    from plyground.exact.syzygy import open_syzygy

    found = open_syzygy(folder).probe(fen)
    return found.result, found.distance


@app.command()
def stats(folder: FolderOption = None, as_json: JsonOption = False) -> None:
    """Count won, drawn and lost positions with black to move, for each combination of pieces."""
    counts = exact.tables(folder).counts()
    if as_json:
        typer.echo(json.dumps(counts))
        return
    rows: list[tuple[str, ...]] = []
    for pieces in sorted({count["pieces"] for count in counts}):
        slices = [count for count in counts if count["pieces"] == pieces]
        rows += [tuple(f"{value:,}" for value in count.values()) for count in slices]
        sums = (f"{sum(count[name] for count in slices):,}" for name in ("wins", "draws", "losses"))
        rows += [(f"total {pieces}", *("" for _ in MATERIAL_HEADINGS), *sums), ()]
    headings = ("pieces", *MATERIAL_HEADINGS, "wins", "draws", "losses")
    print_table([number(heading) for heading in headings], rows)


@app.command()
def verify(
    samples: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**12, help="Positions sampled for each number of pieces.")
    ] = 100_000,
    folder: FolderOption = None,
    threads: ThreadsOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Check that the values of sampled positions are consistent with those of their successors."""
    tables = exact.tables(folder)
    with make_bar(counted=False, hidden=as_json) as progress:
        for pieces in range(2, tables.pieces + 1):
            _verify_pieces(tables, pieces, samples, threads or os.cpu_count() or 1, seed, progress)
    report = {"pieces": tables.pieces, "samples": samples * (tables.pieces - 1), "contradictions": 0}
    if as_json:
        typer.echo(json.dumps(report))
    else:
        typer.echo(f"{report['samples']:,} positions with up to {tables.pieces} pieces checked, no contradictions")


def _value_text(value: str, distance: int | None) -> str:
    return value if distance is None else f"{value} in {distance}"


def _verify_pieces(tables: Tables, pieces: int, samples: int, threads: int, seed: int, progress: Progress) -> None:
    task = progress.add_task(f"{pieces} pieces", total=samples)
    contradiction = tables.verify(
        pieces, samples, seed, threads=threads, report=lambda done: progress.update(task, completed=done)
    )
    progress.update(task, completed=samples)
    if contradiction is not None:
        fen, stored, expected = contradiction
        raise TablesError(
            f"{fen}: expected {_value_text(*expected)}, but the tables contain {_value_text(*stored)}; "
            "rebuild the tables with: plyground tables build --rebuild"
        )
