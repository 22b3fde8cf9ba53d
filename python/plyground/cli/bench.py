"""`plyground bench`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from plyground import Game
from plyground import game as make_game
from plyground.bench import SETS, Effort, Result, Speed, measure, measure_set
from plyground.cli.options import JsonOption, SeedOption

FARTHEST = 0.02
"""Mean lengths that differ by a larger part than this are not of the same rules."""


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help=f"Only these, or one of {', '.join(SETS)}; else all.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="PEER", help="Measure in turns with this peer: openspiel; bitbully.")
    ] = None,
    as_json: JsonOption = False,
    seconds: Annotated[float, typer.Option(metavar="S", help="CPU seconds of one batch.")] = Effort.seconds,
    rounds: Annotated[int, typer.Option(metavar="N", help="Batches of each; the median counts.")] = Effort.rounds,
    seed: SeedOption = Effort.seed,
) -> None:
    """Measure the speed of the engine, alone or beside a peer.

    Speeds are for a second of CPU time. Beside a peer both take turns in one run, and the mean lengths of the
    random games of both, counted in the peer's unit, show that they play by the same rules.
    """
    from rich.console import Console

    named = [name for name in games or [] if name in SETS]
    asked = [make_game(spec) for spec in games or [] if spec not in SETS]
    effort = Effort(seconds, rounds, seed)
    console = Console(stderr=True)
    results: list[Result] = []
    with console.status("Measuring"):
        for result in _results(named, asked, against, effort):
            results.append(result)
            if console.is_terminal:
                console.print(f"{result.measure} {result.game}: {_count(result.ours)} a second")
    if as_json:
        typer.echo(json.dumps([result.to_json() for result in results]))
    else:
        _print_table(results, against)
        for warning in filter(None, map(_length_warning, results)):
            typer.echo(warning)


def _results(named: Sequence[str], asked: Sequence[Game], peer: str | None, effort: Effort) -> Iterator[Result]:
    for name in named:
        yield from measure_set(name, peer)
    if asked or not named:
        yield from measure(asked, peer, effort)


def _print_table(results: Sequence[Result], peer: str | None) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("Measure")
    table.add_column("Game", overflow="fold")
    headings = ["ours /s", f"{peer} /s", "ratio", "our plies", "its plies"] if peer else ["ours /s", "mean plies"]
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for result in results:
        our_plies, its_plies = (_number(result.details.get(f"{who}_mean_plies")) for who in ("ours", "peer"))
        speeds = [_count(result.ours), _count(result.theirs), _number(result.ratio)] if peer else [_count(result.ours)]
        table.add_row(result.measure, result.game, *speeds, our_plies, *([its_plies] if peer else []))
    Console().print(table)


def _length_warning(result: Result) -> str | None:
    ours, theirs = result.details.get("ours_mean_plies"), result.details.get("peer_mean_plies")
    if not isinstance(ours, float) or not isinstance(theirs, float):
        return None
    apart = abs(ours / theirs - 1)
    return f"{result.game}: the mean lengths are {apart:.1%} apart, so the rules differ" if apart > FARTHEST else None


def _count(speed: Speed | None) -> str:
    return f"{speed.per_second:,.0f}" if speed else ""


def _number(value: float | str | None) -> str:
    return f"{value:,.2f}" if isinstance(value, (int, float)) else ""
