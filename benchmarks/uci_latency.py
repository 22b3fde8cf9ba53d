"""Time from `stop` to `bestmove` of `plyground uci`, through pipes, as a chess GUI sees it."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TextIO, cast

from figures import Figures, percentile, scaled
from plyground import Rng

SEARCHES = ("alphabeta", "mcts")
POSITIONS = (
    "startpos",
    "startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
    "fen 8/8/4k3/8/2p5/8/B2K4/8 w - - 0 1",
)


def uci_stop_latency(effort: float) -> Figures:
    """Return the 99th percentile of the time from `stop` to `bestmove` over 500 searches, in milliseconds."""
    return {f"{search}, p99": _stop_latency(search, scaled(500, effort, minimum=20)) for search in SEARCHES}


def _stop_latency(search: str, trials: int) -> float:
    rng, latencies = Rng(1), []
    command = [sys.executable, "-m", "plyground.cli.main", "uci"]
    with subprocess.Popen(  # noqa: S603  our own command
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        commands, answers = cast(TextIO, process.stdin), cast(TextIO, process.stdout)
        print(f"setoption name Search value {search}\nisready", file=commands)
        while answers.readline().strip() != "readyok":
            pass
        for trial in range(trials):
            print(f"position {POSITIONS[trial % len(POSITIONS)]}\ngo infinite", file=commands)
            answers.readline()  # the search has started
            time.sleep(0.01 + 0.02 * rng.unit())
            started = time.perf_counter()
            print("stop", file=commands)
            while not answers.readline().startswith("bestmove"):
                pass
            latencies.append(time.perf_counter() - started)
        print("quit", file=commands)
    return 1000 * percentile(latencies, 99)
