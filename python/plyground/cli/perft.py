"""`plyground perft`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from threading import Thread
from typing import Annotated

import typer

from plyground import Position
from plyground import game as make_game
from plyground.cli.options import GameArgument, JsonOption, PositionOption
from plyground.cli.progress import show_progress
from plyground.formatting import count_of, naturally_sorted

MAX_DEPTH = 64
UNSPLIT_DEPTH = 6
"""Deeper counts are split into counts of this depth, so that progress can be reported."""
REPORT_INTERVAL_S = 0.1


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=MAX_DEPTH, help="Depth in plies.")],
    position: PositionOption = None,
    moves: Annotated[
        str, typer.Option(metavar="MOVES", help="Moves to play first, separated by spaces: '11-15 23-19'.")
    ] = "",
    divide: Annotated[bool, typer.Option("--divide", help="Print the count for each root move.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the leaf nodes of the move tree (perft), to test move generation and its speed.

    Ctrl-C ends the count and prints the nodes counted so far.
    """
    root = make_game(game).position(position, moves.split()).without_history()
    count = _Count(root, depth)
    is_complete = _wait_for(count)
    report: dict[str, object] = {
        "nodes": count.nodes,
        "seconds": count.seconds,
        "nodes_per_second": count.nodes / max(count.seconds, 1e-9),
    }
    divided = {move: count.parts[move] for move in naturally_sorted(count.parts)}
    if divide:
        report["divide"] = divided
    if as_json:
        typer.echo(json.dumps(report))
    else:
        width = max(map(len, divided), default=0)
        for move, nodes in divided.items() if divide else ():
            typer.echo(f"{move:{width}}  {nodes:,}")
        typer.echo(f"{count.nodes:,} nodes in {count.seconds:.3f} s: {report['nodes_per_second']:,.0f} nodes/s")
    if not is_complete:
        typer.echo(
            f"Interrupted: {len(count.parts)} of {count_of(count.total, 'root move')} counted completely.", err=True
        )
        sys.stdout.flush()
        os._exit(130)  # the engine cannot be stopped while it counts, and would delay a normal exit


class _Count:
    """Counts leaf nodes in a thread, so that the main thread can show progress and react to Ctrl-C."""

    def __init__(self, root: Position, depth: int) -> None:
        self.nodes = 0
        self.parts: dict[str, int] = {}
        """The counts of the completed root moves, by move."""
        self._start = time.perf_counter()
        self._end: float | None = None
        self.error: BaseException | None = None
        self.total = len(root.moves)
        """Number of root moves."""
        self._root, self._depth = root, depth
        self.thread = Thread(target=self._run, daemon=True)

    @property
    def seconds(self) -> float:
        """Time from the start to the end of the count, or until now while it is running."""
        return (self._end or time.perf_counter()) - self._start

    def _run(self) -> None:
        self._start = time.perf_counter()
        try:
            for move, nodes in self._count():
                self.parts[move] = nodes
        except BaseException as error:  # noqa: BLE001  raised again in the main thread
            self.error = error
        self._end = time.perf_counter()

    def _count(self) -> Iterator[tuple[str, int]]:
        """Yield the count of each root move."""
        if self._depth == 0:
            self.nodes = 1
        elif self._depth <= UNSPLIT_DEPTH:
            for move, nodes in self._root.divide(self._depth):
                self.nodes += nodes
                yield move, nodes
        else:
            for move in self._root.moves:
                before = self.nodes
                self._count_below(self._root.play(move), self._depth - 1)
                yield move, self.nodes - before

    def _count_below(self, position: Position, depth: int) -> None:
        if depth <= UNSPLIT_DEPTH:
            self.nodes += position.perft(depth)
            return
        for move in position.moves:
            # Perft ignores repetition, which belongs to the history.
            self._count_below(position.play(move).without_history(), depth - 1)


def _wait_for(count: _Count) -> bool:
    """Wait for the count with a progress bar; return False after Ctrl-C."""
    try:
        with show_progress("Counting") as report:
            count.thread.start()
            while count.thread.is_alive():
                count.thread.join(REPORT_INTERVAL_S)
                report(len(count.parts), count.total, f"{count.nodes:,} nodes")
    except KeyboardInterrupt:
        return False
    if count.error is not None:
        raise count.error
    return True
