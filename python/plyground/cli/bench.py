"""`plyground bench`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from plyground import game as make_game
from plyground.bench import Effort, Result, measure
from plyground.cli.options import LARGEST_SEED, JsonOption

FARTHEST = 0.02
"""Mean lengths that differ by a larger part than this are not of the same rules."""


def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]", help="Only these; else all.")] = None,
    against: Annotated[
        str | None, typer.Option(metavar="PEER", help="Measure in turns with this peer: openspiel.")
    ] = None,
    as_json: JsonOption = False,
    seconds: Annotated[float, typer.Option(help="CPU seconds of one batch.")] = Effort.seconds,
    rounds: Annotated[int, typer.Option(help="Batches of each; the median counts.")] = Effort.rounds,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Of the random games.")] = Effort.seed,
) -> None:
    """Measure the speed of the engine, alone or beside a peer.

    Speeds are for a second of CPU time. Beside a peer both take turns in one run, and the mean lengths of the random games
    of both, counted in the peer's unit, show that they play by the same rules.
    """
    asked = [make_game(spec) for spec in games or []]
    effort = Effort(seconds, rounds, seed)
    console = Console(stderr=True)
    results: list[Result] = []
    with console.status("Measuring"):
        for result in measure(asked, against, effort):
            results.append(result)
            if console.is_terminal:
                console.print(f"{result.measure} {result.game}: {_count(result.ours.per_second)} a second")
    if as_json:
        typer.echo(json.dumps([result.to_json() for result in results]))
    else:
        Console().print(_table(results, against))
        for warning in filter(None, map(_length_warning, results)):
            typer.echo(warning)


def _table(results: Sequence[Result], peer: str | None) -> Table:
    table = Table()
    table.add_column("Measure")
    table.add_column("Game", overflow="fold")
    headings = ["Ours a second", "Mean plies"]
    if peer:
        headings = ["Ours a second", f"{peer} a second", "Ratio", "Our mean plies", f"{peer} mean plies"]
    for heading in headings:
        table.add_column(heading, justify="right")
    for result in results:
        cells = [_count(result.ours.per_second)]
        if peer:
            cells += [_count(result.theirs.per_second) if result.theirs else "", _number(result.ratio)]
        cells.append(_number(result.details.get("ours_mean_plies")))
        if peer:
            cells.append(_number(result.details.get("peer_mean_plies")))
        table.add_row(result.measure, result.game, *cells)
    return table


def _length_warning(result: Result) -> str | None:
    ours, theirs = result.details.get("ours_mean_plies"), result.details.get("peer_mean_plies")
    if not isinstance(ours, float) or not isinstance(theirs, float) or abs(ours / theirs - 1) <= FARTHEST:
        return None
    return f"{result.game}: the mean lengths differ by {abs(ours / theirs - 1):.1%}, so the ratio compares different games"


def _count(per_second: float) -> str:
    return f"{per_second:,.0f}"


def _number(value: float | int | str | None) -> str:
    return f"{value:,.2f}" if isinstance(value, (int, float)) else ""
