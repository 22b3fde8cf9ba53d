"""`plyground perft`."""

from __future__ import annotations

import json
import signal
import time
from typing import Annotated

import typer

from plyground import game as make_game
from plyground.cli.options import GameArgument, JsonOption, PositionOption
from plyground.words import naturally_sorted

DEEPEST = 64


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=DEEPEST, help="Plies to look ahead.")],
    position: PositionOption = None,
    moves: Annotated[
        str, typer.Option(metavar="MOVES", help="Play these first, with spaces between: '11-15 23-19'.")
    ] = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count apart for each first move.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the move sequences of a length: the test of rules, and of their speed."""
    root = make_game(game).position(position, moves.split())
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a deep count looks at Ctrl-C between first moves only
    begun = time.perf_counter()
    parts = dict(root.divide(depth)) if divide and depth > 0 else {}
    nodes = sum(parts.values()) if parts else root.perft(depth)
    seconds = time.perf_counter() - begun
    report: dict[str, object] = {
        "nodes": nodes,
        "seconds": seconds,
        "nodes_per_second": nodes / max(seconds, 1e-9),
    }
    if divide:
        report["divide"] = {move: parts[move] for move in naturally_sorted(parts)}
    if as_json:
        typer.echo(json.dumps(report))
        return
    width = max(map(len, parts), default=0)
    for move in naturally_sorted(parts):
        typer.echo(f"{move:{width}}  {parts[move]:,}")
    typer.echo(f"{nodes:,} nodes in {seconds:.3f} s: {nodes / max(seconds, 1e-9):,.0f} a second")
