"""Whether searches keep their promises: stopping, reporting, time, threads and memory, with many trials.

python benchmarks/promises.py                     all of them, some minutes
python benchmarks/promises.py stop time           those named
"""

from __future__ import annotations

import hashlib
import json
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from plyground import Rng, game
from plyground.agents import Agent, Analysis, Limit, agent

PAGE = 4096
"""Bytes of a page of memory."""
WORK = bytes(2**16)
"""What a loop is busy with between two looks: a fraction of a millisecond, without the interpreter."""
PLAYERS = [
    ("mcts", "connect4"),
    ("mcts", "chess"),
    ("alphabeta", "checkers"),
    ("flat", "chess"),
    ("plain-mcts", "checkers"),
]
"""Who is stopped, and in which game."""
FULL = [
    ("mcts(mebibytes=256, reuse=true)", "checkers"),
    ("mcts(mebibytes=64, reuse=true, threads=2)", "connect4"),
    ("mcts(mebibytes=64, reuse=true, transpositions=true)", "checkers"),
]
"""Whose memory is spent before they are stopped."""


@dataclass(frozen=True)
class Finding:
    """One promise and what was measured."""

    promise: str
    asked: str
    measured: str
    kept: bool


def shares(values: list[float]) -> str:
    """The middle, the 99th hundredth and the largest of some times, in milliseconds."""
    return f"median {milli(statistics.median(values))}, p99 {milli(p99(values))}, most {milli(max(values))}"


def milli(seconds: float) -> str:
    """A time in milliseconds."""
    return f"{1000 * seconds:.1f} ms"


def p99(values: list[float]) -> float:
    """The value that 99 in 100 do not exceed."""
    return sorted(values)[max(0, round(0.99 * len(values)) - 1)]


class Stopper(threading.Thread):
    """Calls `stop` after a while, and again every millisecond: a call before the search has begun is lost."""

    def __init__(self, stop: Callable[[], None], after: float) -> None:
        super().__init__()
        self._stop_search = stop
        self._after = after
        self.called: list[float] = []
        self.done = threading.Event()

    def run(self) -> None:
        """Waits, then calls until the search has ended."""
        time.sleep(self._after)
        while not self.done.is_set():
            self.called.append(time.perf_counter())
            self._stop_search()
            self.done.wait(0.001)

    def late(self, began: float) -> float:
        """Seconds from the first call after `began` to now; the thread ends."""
        now = time.perf_counter()
        self.done.set()
        self.join()
        return now - min((call for call in self.called if call >= began), default=now)


def stop(trials: int) -> Iterator[Finding]:
    """Time from a call of `stop` in another thread to the answer."""
    rng, late = Rng(1), []
    for _ in range(trials):
        event = threading.Event()
        stopper = Stopper(event.set, 0.005 + 0.02 * rng.unit())
        began = time.perf_counter()
        stopper.start()
        while not event.is_set():
            hashlib.sha256(WORK)
        late.append(stopper.late(began))
    yield Finding(f"for comparison, a loop that works and looks, {trials} times", "", shares(late), True)
    for spec, name in PLAYERS + FULL:
        player, start, late = ready(spec, name), game(name).start(), []
        for seed in track(range(trials), f"Stopping {spec}", console=Console(stderr=True), transient=True):
            stopper = Stopper(player.stop, 0.005 + 0.02 * rng.unit())  # type: ignore[attr-defined]
            began = time.perf_counter()
            stopper.start()
            player.analyse(start, Limit(seconds=30), seed=seed)
            late.append(stopper.late(began))
        yield Finding(f"stop of {spec}, {name}, {trials} times", "p99 20 ms", shares(late), p99(late) <= 0.02)


def ready(spec: str, name: str) -> Agent:
    """An agent; if it is one of those with a full tree, one that has searched the start until its memory was spent."""
    player, held = agent(spec), -1.0
    while (spec, name) in FULL:
        before, held = held, player.analyse(game(name).start(), Limit(seconds=1), seed=1).mebibytes
        if held == before:
            break
    return player


def report(trials: int) -> Iterator[Finding]:
    """Time to the first report and between reports, and what reports cost."""
    for spec, name in PLAYERS:
        firsts = []
        for seed in range(max(10, trials // 20)):
            seen: list[float] = []
            began = time.perf_counter()
            agent(spec).analyse(
                game(name).start(),
                Limit(seconds=0.1),
                seed=seed,
                report=lambda _, seen=seen: seen.append(time.perf_counter()),  # type: ignore[misc]
            )
            firsts.append((seen[0] if seen else time.perf_counter() + 1) - began)
        yield Finding(f"first report of {spec}, {name}", "50 ms", shares(firsts), statistics.median(firsts) <= 0.05)
    for spec, name in FULL:
        player, times = ready(spec, name), [time.perf_counter()]
        player.analyse(
            game(name).start(),
            Limit(seconds=max(2, trials // 50)),
            seed=1,
            report=lambda _, times=times: times.append(time.perf_counter()),  # type: ignore[misc]
        )
        gaps = [after - before for before, after in pairwise(times)]
        yield Finding(f"between {len(gaps)} reports of {spec}, {name}", "p99 120 ms", shares(gaps), p99(gaps) <= 0.12)
    for name, simulations in [("connect4", 1_000_000), ("checkers", 150_000)]:
        ratios = [cost(name, simulations, seed) for seed in range(max(5, trials // 50))]
        overhead = statistics.median(ratios) - 1
        yield Finding(
            f"cost of reports, {name}, {len(ratios)} pairs", "3 %", f"median {100 * overhead:.1f} %", overhead <= 0.03
        )


def cost(name: str, simulations: int, seed: int) -> float:
    """CPU time of a search that reports over that of the same one that does not; who goes first changes."""
    start, limit = game(name).start(), Limit(simulations=simulations)
    taken = {}
    for told in (True, False) if seed % 2 else (False, True):
        began = time.process_time()
        agent("mcts").analyse(start, limit, seed=seed, report=(lambda _: None) if told else None)
        taken[told] = time.process_time() - began
    return taken[True] / taken[False]


def budget(trials: int) -> Iterator[Finding]:
    """How late answers come under a limit of time."""
    for spec, name in PLAYERS + FULL:
        player, start, late = ready(spec, name), game(name).start(), []
        for seed in range(max(10, trials // 5)):
            began = time.perf_counter()
            player.analyse(start, Limit(seconds=0.05), seed=seed)
            late.append(time.perf_counter() - began - 0.05)
        # Alpha-beta stops early where another depth would not end in time.
        yield Finding(f"time of {spec}, {name}, {len(late)} times", "p99 20 ms late", shares(late), p99(late) <= 0.02)


def threads(trials: int) -> Iterator[Finding]:
    """How much more a second thread does in the same time; who goes first changes."""
    for name in ("connect4", "checkers"):
        start, ratios = game(name).start(), []
        for seed in range(max(5, trials // 100)):
            done = {}
            for count in (1, 2) if seed % 2 else (2, 1):
                player = agent(f"mcts(threads={count})")
                done[count] = player.analyse(start, Limit(seconds=2), seed=seed).simulations
            ratios.append(done[2] / done[1])
        ratio = statistics.median(ratios)
        yield Finding(f"two threads, {name}, {len(ratios)} pairs", "1.85x", f"median {ratio:.2f}x", ratio >= 1.85)


def memory(simulations: int, mebibytes: int = 64) -> Iterator[Finding]:
    """What a long search holds, by its own word and by that of the machine."""
    held: list[float] = []
    resident: list[float] = []
    before = resident_mebibytes()

    def look(analysis: Analysis) -> None:
        held.append(analysis.mebibytes)
        resident.append(resident_mebibytes() - before)

    player = agent(f"mcts(mebibytes={mebibytes})")
    last = player.analyse(game("connect4").start(), Limit(simulations=simulations), seed=1, report=look)
    look(last)
    measured = f"tree at most {max(held):.1f} MiB, process grown by at most {max(resident):.1f} MiB"
    yield Finding(
        f"memory of mcts, connect4, {last.simulations:,} simulations in {last.seconds:.0f} s",
        f"{mebibytes} MiB",
        measured,
        # A report and the last answer take some memory of Python's own.
        max(held) <= mebibytes and max(resident) <= mebibytes + 8,
    )


def resident_mebibytes() -> float:
    """Memory that the process occupies."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20


PROMISES = ("stop", "report", "time", "threads", "memory")


def main(
    promises: Annotated[list[str] | None, typer.Argument(metavar="PROMISE...", help=", ".join(PROMISES))] = None,
    trials: Annotated[int, typer.Option(min=10, help="How often a search is stopped; others follow.")] = 1000,
    simulations: Annotated[int, typer.Option(min=1000, help="Of the search whose memory is watched.")] = 100_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each finding.")] = False,
) -> None:
    """Measure promises and print what was found; the exit code is 1 if one was broken."""
    chosen = promises or list(PROMISES)
    if unknown := sorted(set(chosen) - set(PROMISES)):
        raise typer.BadParameter(f"{unknown[0]} is no promise; accepted are {', '.join(PROMISES)}")
    makers = {
        "stop": lambda: stop(trials),
        "report": lambda: report(trials),
        "time": lambda: budget(trials),
        "threads": lambda: threads(trials),
        "memory": lambda: memory(simulations),
    }
    findings = []
    for name in chosen:
        for finding in makers[name]():
            findings.append(finding)
            if as_json:
                typer.echo(json.dumps(asdict(finding)))
    if not as_json:
        table = Table("promise", "asked", "measured", "kept")
        for finding in findings:
            table.add_row(finding.promise, finding.asked, finding.measured, "yes" if finding.kept else "NO")
        Console().print(table)
    raise typer.Exit(not all(finding.kept for finding in findings))


if __name__ == "__main__":
    typer.run(main)
