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
from plyground.cli.text_table import label, number, print_table, text

MAX_LENGTH_DIFFERENCE = 0.02
"""Relative difference in mean game length above which the rules are considered different."""


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help=f"Games or {', '.join(SETS)}; default: all games.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="PEER", help="Engine to compare with: openspiel, or bitbully for the solver.")
    ] = None,
    as_json: JsonOption = False,
    seconds: Annotated[float, typer.Option(metavar="S", help="CPU seconds per batch.")] = Effort.seconds,
    rounds: Annotated[
        int, typer.Option(metavar="N", help="Batches per benchmark; the median is reported.")
    ] = Effort.rounds,
    seed: SeedOption = Effort.seed,
) -> None:
    """Measure the speed of the engine, alone or compared with another engine.

    Speeds are per second of CPU time. With --against, the two engines are measured in alternating batches. Equal mean
    lengths of random games, counted in the other engine's actions, show that both implement the same rules.
    """
    from rich.console import Console

    set_names = [name for name in games or [] if name in SETS]
    if not games and against is not None:
        set_names = [name for name, one in SETS.items() if against in one.peers]
    selected = [make_game(spec) for spec in games or [] if spec not in SETS]
    effort = Effort(seconds, rounds, seed)
    console = Console(stderr=True)
    results: list[Result] = []
    with console.status("Measuring"):
        for result in _results(set_names, selected, against, effort):
            results.append(result)
            if console.is_terminal:
                console.print(f"{result.measure} {result.game}: {_count(result.ours)} per second")
    if as_json:
        typer.echo(json.dumps([result.to_json() for result in results]))
    else:
        _print_table(results, against)
        for warning in filter(None, map(_length_warning, results)):
            typer.echo(warning)


def _results(set_names: Sequence[str], selected: Sequence[Game], peer: str | None, effort: Effort) -> Iterator[Result]:
    for name in set_names:
        yield from measure_set(name, peer)
    if selected or not set_names:
        yield from measure(selected, peer, effort)


def _print_table(results: Sequence[Result], peer: str | None) -> None:
    compared = ["ours /s", f"{peer} /s", "ratio", "our mean plies", "peer mean plies"]
    headings = compared if peer else ["ours /s", "mean plies"]
    rows = []
    for result in results:
        our_plies, peer_plies = (_number(result.details.get(f"{who}_mean_plies")) for who in ("ours", "peer"))
        speeds = [_count(result.ours), _count(result.theirs), _number(result.ratio)] if peer else [_count(result.ours)]
        rows.append([result.measure, result.game, *speeds, our_plies, *([peer_plies] if peer else [])])
    print_table([label("Measure"), text("Game"), *map(number, headings)], rows)


def _length_warning(result: Result) -> str | None:
    ours, theirs = result.details.get("ours_mean_plies"), result.details.get("peer_mean_plies")
    if not isinstance(ours, float) or not isinstance(theirs, float):
        return None
    difference = abs(ours / theirs - 1)
    if difference <= MAX_LENGTH_DIFFERENCE:
        return None
    return f"warning: {result.game}: mean game lengths differ by {difference:.1%}, so the rules differ"


def _count(speed: Speed | None) -> str:
    return f"{speed.per_second:,.0f}" if speed else ""


def _number(value: float | str | None) -> str:
    return f"{value:,.2f}" if isinstance(value, (int, float)) else ""
