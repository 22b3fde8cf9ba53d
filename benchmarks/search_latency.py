"""Latency of stop requests, overrun of time limits, and timing and cost of progress reports."""

from __future__ import annotations

import hashlib
import statistics
import threading
import time
from collections.abc import Callable
from itertools import pairwise

from figures import Figures, percentile, scaled
from plyground import Rng, game
from plyground.agents import Agent, Limit, agent

AGENTS = [
    ("mcts", "connect4"),
    ("mcts", "chess"),
    ("alphabeta", "checkers"),
    ("flat", "chess"),
    ("plain-mcts", "checkers"),
]
"""Agents and the games they search."""
FULL_MEMORY_AGENTS = [
    ("mcts(mebibytes=256, reuse=true)", "checkers"),
    ("mcts(mebibytes=64, reuse=true, threads=2)", "connect4"),
    ("mcts(mebibytes=64, reuse=true, transpositions=true)", "checkers"),
]
"""Agents that are measured once their trees have reached the memory limit."""
BUSY_WORK = bytes(2**16)
"""Input that takes a fraction of a millisecond to hash, without holding the GIL."""
MOVE_SECONDS = 0.05


class Stopper(threading.Thread):
    """Calls `stop` after a delay and then every millisecond, because a call before the search starts has no effect."""

    def __init__(self, stop: Callable[[], None], delay: float) -> None:
        super().__init__()
        self._stop_search = stop
        self._delay = delay
        self._calls: list[float] = []
        self._done = threading.Event()

    def run(self) -> None:
        """Wait, then call `stop` until the search has ended."""
        time.sleep(self._delay)
        while not self._done.is_set():
            self._calls.append(time.perf_counter())
            self._stop_search()
            self._done.wait(0.001)

    def latency(self, started: float) -> float:
        """Return the seconds since the first call after `started`, and end the thread."""
        now = time.perf_counter()
        self._done.set()
        self.join()
        return now - min((call for call in self._calls if call >= started), default=now)


def stop_latency(effort: float) -> Figures:
    """Return the 99th percentile of the time from `stop` in another thread to the result, in milliseconds."""
    trials, rng = scaled(1000, effort, minimum=20), Rng(1)

    def measure(stop: Callable[[], None], search: Callable[[int], object]) -> float:
        latencies = []
        for seed in range(trials):
            stopper = Stopper(stop, 0.005 + 0.02 * rng.unit())
            started = time.perf_counter()
            stopper.start()
            search(seed)
            latencies.append(stopper.latency(started))
        return 1000 * percentile(latencies, 99)

    event = threading.Event()

    def busy_loop(_seed: int) -> None:
        while not event.is_set():
            hashlib.sha256(BUSY_WORK)
        event.clear()

    figures = {"busy loop, p99": measure(event.set, busy_loop)}
    for spec, name in AGENTS + FULL_MEMORY_AGENTS:
        player, start = _prepared_agent(spec, name), game(name).start()
        figures[f"{spec}, {name}"] = measure(
            player.stop,
            lambda seed, player=player, start=start: player.analyse(start, Limit(seconds=30), seed=seed),  # type: ignore[misc]
        )
    return figures


def time_limit(effort: float) -> Figures:
    """Return the 99th percentile of the time by which searches exceed their time limit, in milliseconds."""
    figures: Figures = {}
    for spec, name in AGENTS + FULL_MEMORY_AGENTS:
        player, start, overruns = _prepared_agent(spec, name), game(name).start(), []
        for seed in range(scaled(200, effort, minimum=20)):
            started = time.perf_counter()
            player.analyse(start, Limit(seconds=MOVE_SECONDS), seed=seed)
            overruns.append(time.perf_counter() - started - MOVE_SECONDS)
        figures[f"{spec}, {name}"] = 1000 * percentile(overruns, 99)
    return figures


def first_report(effort: float) -> Figures:
    """Return the median time to the first report of a 0.1 s search, in milliseconds."""
    figures: Figures = {}
    for spec, name in AGENTS:
        delays = []
        for seed in range(scaled(50, effort, minimum=10)):
            reports: list[float] = []
            started = time.perf_counter()
            agent(spec).analyse(
                game(name).start(),
                Limit(seconds=0.1),
                seed=seed,
                report=lambda _, reports=reports: reports.append(time.perf_counter()),  # type: ignore[misc]
            )
            # A search without a report counts as one second late.
            delays.append((reports[0] if reports else time.perf_counter() + 1) - started)
        figures[f"{spec}, {name}"] = 1000 * statistics.median(delays)
    return figures


def report_interval(effort: float) -> Figures:
    """Return the 99th percentile of the time between reports of searches with full memory, in milliseconds."""
    figures: Figures = {}
    for spec, name in FULL_MEMORY_AGENTS:
        player, times = _prepared_agent(spec, name), [time.perf_counter()]
        player.analyse(
            game(name).start(),
            Limit(seconds=max(2, 20 * effort)),
            seed=1,
            report=lambda _, times=times: times.append(time.perf_counter()),  # type: ignore[misc]
        )
        figures[f"{spec}, {name}"] = 1000 * percentile([after - before for before, after in pairwise(times)], 99)
    return figures


def report_cost(effort: float) -> Figures:
    """Return the median CPU time that reports add to a search, in percent."""
    figures: Figures = {}
    for name, simulations in [("connect4", 1_000_000), ("checkers", 150_000)]:
        ratios = [_report_ratio(name, simulations, seed) for seed in range(scaled(20, effort, minimum=5))]
        figures[name] = 100 * (statistics.median(ratios) - 1)
    return figures


def _report_ratio(name: str, simulations: int, seed: int) -> float:
    """Return the CPU time of a search with reports divided by that of the same search without reports."""
    start, limit = game(name).start(), Limit(simulations=simulations)
    seconds = {}
    for reporting in (True, False) if seed % 2 else (False, True):
        started = time.process_time()
        agent("mcts").analyse(start, limit, seed=seed, report=(lambda _: None) if reporting else None)
        seconds[reporting] = time.process_time() - started
    return seconds[True] / seconds[False]


def _prepared_agent(spec: str, name: str) -> Agent:
    """Return an agent; if it is measured with full memory, it first searches until its tree stops growing."""
    player, size = agent(spec), -1.0
    while (spec, name) in FULL_MEMORY_AGENTS:
        before, size = size, player.analyse(game(name).start(), Limit(seconds=1), seed=1).mebibytes
        if size == before:
            break
    return player
