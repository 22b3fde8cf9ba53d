"""Runs the code of one build for builds.py: reads one JSON request per line and writes one JSON response per line.

It is started with the build's folder as PYTHONPATH. It imports only names that all compared builds have, and no
third-party packages except those that the build itself imports.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import plyground
from plyground.agents import Agent, Limit, agent

Answer = dict[str, Any]


class Session:
    """Implements the commands; holds the agent of the current game."""

    def __init__(self) -> None:
        self._agent: Agent = agent("random")

    def new_game(self, spec: str) -> Answer:
        """Create a new agent for the next game."""
        self._agent = agent(spec)
        return {"spec": self._agent.spec}

    def choose_move(self, game: str, moves: list[str], limit: dict[str, Any], seed: int) -> Answer:
        """Return the best move of the current agent after `moves`, and the wall-clock seconds it took."""
        position = plyground.game(game).position(moves=moves)
        started = time.perf_counter()
        analysis = self._agent.analyse(position, Limit(**limit), seed=seed)
        return {"move": analysis.best.move, "seconds": time.perf_counter() - started}

    def playouts(self, game: str, count: int, seed: int) -> Answer:
        """Run random playouts from the start position."""
        position = plyground.game(game).start()

        def run() -> int:
            position.playouts(count, seed)
            return count

        return _timed(run)

    def searches(self, game: str, spec: str, limit: dict[str, Any], unit: str, count: int, seed: int) -> Answer:
        """Search the start position `count` times; `unit` is the field of the analysis that counts the work."""
        position, player = plyground.game(game).start(), agent(spec)

        def run() -> int:
            analyses = (player.analyse(position, Limit(**limit), seed=seed + index) for index in range(count))
            return sum(getattr(analysis, unit) for analysis in analyses)

        return _timed(run)

    def searches_for(self, game: str, spec: str, unit: str, seconds: float, seed: int) -> Answer:
        """Search the start position repeatedly until `seconds` have passed."""
        position, player = plyground.game(game).start(), agent(spec)

        def run() -> int:
            work, left, end = 0, seconds, time.perf_counter() + seconds
            while left > 0:
                work += getattr(player.analyse(position, Limit(seconds=left), seed=seed), unit)
                left = end - time.perf_counter()
            return work

        return _timed(run)


def _timed(run: Callable[[], int]) -> Answer:
    """Return the units of work, and the CPU and wall-clock seconds they took."""
    wall, cpu = time.perf_counter(), time.process_time()
    units = run()
    return {"units": units, "cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def main() -> None:
    """Answer requests until standard input is closed; an exception becomes an error response with its message."""
    output, sys.stdout = sys.stdout, sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    session = Session()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(session, request.pop("command"))(**request)
        except Exception as error:  # noqa: BLE001
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=output, flush=True)


if __name__ == "__main__":
    main()
