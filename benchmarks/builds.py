"""Compare the speed and the playing strength of two builds of the package, and measure the speed-up from threads.

python benchmarks/builds.py prepare 4a33356                       build a commit in .venv/builds
python benchmarks/builds.py prepare current                       copy the current tree there
python benchmarks/builds.py speed --old 4a33356                   interleaved speeds of both builds
python benchmarks/builds.py instructions --old 4a33356            instruction counts of both builds
python benchmarks/builds.py threads chess                         two threads compared with two processes
python benchmarks/builds.py match chess --old 4a33356 --seconds 0.02 --games 400 --output match.jsonl

A build is `current` (the current tree), a commit, or the folder of a prepared build. Prepared builds can be copied to
another Linux machine with the same processor architecture, which needs only Python 3.11 or newer:

PYTHONPATH=NEW python3 benchmarks/builds.py match chess --old OLD --new NEW --seconds 0.02
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import build_match
from build_process import CURRENT, BuildError, Worker, find_build, prepare
from plyground import PlygroundError, games
from plyground.arena.adjudication import ADJUDICATORS

Row = dict[str, str | float]
GAMES = tuple(game.id for game in games())
UCT = "mcts(solver=false, decisive=false, playout_decisive=false, minimax=0, playout_plies=1000000)"


@dataclass(frozen=True)
class Workload:
    """A workload whose speed is compared."""

    spec: str
    """The agent that searches; empty for random playouts."""
    unit: str
    """The unit of work: a field of the analysis, or playouts."""
    limit: str = ""
    """The `Limit` field that bounds each search."""
    sizes: tuple[tuple[str, int], ...] = ()
    """The value of this limit, by game."""


SIMULATIONS = (("checkers", 3_000), ("connect4", 20_000), ("tictactoe", 20_000), ("chess", 1_000))
DEPTHS = (("checkers", 9), ("connect4", 9), ("tictactoe", 9), ("chess", 5))
WORKLOADS = {
    "playouts": Workload("", "playouts"),
    "uct": Workload(UCT, "simulations", "simulations", SIMULATIONS),
    "mcts": Workload("mcts", "simulations", "simulations", SIMULATIONS),
    "alphabeta": Workload("alphabeta", "nodes", "depth", DEPTHS),
}
"""Workloads by name: random playouts, plain UCT, the default tree search, and alpha-beta."""

LARGE_BOARDS = {"tictactoe": "tictactoe(rows=8, columns=8, line=5)"}
"""Boards for comparing threads in games whose standard board is solved within milliseconds."""

PROGRAMS: dict[str, tuple[str, dict[str, list[str]]]] = {
    "playouts": (
        "speed",
        {"checkers": ["20000"], "connect4": ["500000"], "tictactoe": ["1000000"], "chess": ["600"]},
    ),
    "mcts": (
        "search",
        {"checkers": ["20000"], "connect4": ["50000"], "tictactoe": ["50000"], "chess": ["10000"]},
    ),
    "alphabeta": (
        "alphabeta",
        {
            "checkers": ["3600", "depth=13"],
            "connect4": ["3600", "depth=13"],
            "tictactoe": ["3600", "depth=9"],
            "chess": ["3600", "depth=7"],
        },
    ),
}
"""Programs for counting instructions, by benchmark: an example program of the engine and its arguments by game."""


def compare_speed(options: argparse.Namespace) -> Iterable[Row]:
    """Yield the speeds of both builds, per second of CPU time, and their median ratio; the builds take turns."""
    builds = find_build(options.old), find_build(options.new)
    specs = [dict(one.split("=", 1) for one in given) for given in (options.old_spec, options.new_spec)]
    with Worker(builds[0]) as old, Worker(builds[1]) as new:
        for name in options.workloads:
            for game in options.games:
                workers = zip((old, new), specs, strict=True)
                pair = [Measure(worker, WORKLOADS[name], game, spec.get(name)) for worker, spec in workers]
                count = pair[0].count_for(options.seconds)
                speeds: list[tuple[float, float]] = []
                for number in range(options.rounds):
                    order = (0, 1) if number % 2 == 0 else (1, 0)
                    measured = {side: pair[side].speed(count, options.seed + number) for side in order}
                    speeds.append((measured[0], measured[1]))
                ratios = sorted(new_speed / old_speed for old_speed, new_speed in speeds)
                yield {
                    "workload": name,
                    "game": game,
                    "unit": WORKLOADS[name].unit,
                    "old /s": statistics.median(one[0] for one in speeds),
                    "new /s": statistics.median(one[1] for one in speeds),
                    "new / old": statistics.median(ratios),
                    "low": ratios[0],
                    "high": ratios[-1],
                }


@dataclass(frozen=True)
class Measure:
    """A workload for one game on one build."""

    worker: Worker
    workload: Workload
    game: str
    spec: str | None
    """Overrides the workload's spec."""

    def run(self, count: int, seed: int) -> dict[str, Any]:
        """Run the workload `count` times and return the units of work and the CPU time."""
        if not self.workload.spec:
            return self.worker.ask("playouts", game=self.game, count=count, seed=seed)
        limit = {self.workload.limit: dict(self.workload.sizes)[self.game]}
        spec, unit = self.spec or self.workload.spec, self.workload.unit
        return self.worker.ask("searches", game=self.game, spec=spec, limit=limit, unit=unit, count=count, seed=seed)

    def speed(self, count: int, seed: int) -> float:
        """Return units per second of CPU time."""
        answer = self.run(count, seed)
        return float(answer["units"] / max(answer["cpu"], 1e-9))

    def count_for(self, seconds: float) -> int:
        """Return the number of runs that take about `seconds`."""
        count = 1
        while (elapsed := self.run(count, 0)["cpu"]) < seconds / 8:
            count *= 4
        return max(1, round(count * seconds / float(elapsed)))


def compare_threads(options: argparse.Namespace) -> Iterable[Row]:
    """Yield the speed of one search with two threads, relative to two single-threaded processes.

    Tree searches grow trees of the same size, because simulations take longer in larger trees. Alpha-beta searches take
    the same time.
    """
    build = find_build(options.build)
    game = LARGE_BOARDS.get(options.game, options.game)
    with Worker(build) as first, Worker(build) as second, ThreadPoolExecutor(2) as pool:
        for spec, unit in (("mcts", "simulations"), ("alphabeta", "nodes")):
            two_threads = f"{spec}(threads=2)"
            try:
                first.ask("new_game", spec=two_threads)
            except BuildError as error:
                print(error, file=sys.stderr)
                continue
            searches_for = {"game": game, "unit": unit, "seconds": options.seconds}
            command, work = "searches_for", searches_for
            if unit == "simulations":
                simulations = first.ask(command, **searches_for, spec=spec, seed=0)["units"]
                command, work = "searches", {**searches_for, "limit": {unit: simulations}, "count": 1}
                del work["seconds"]

            def rate(worker: Worker, one: str, seed: int, command: str = command, work: Row = work) -> float:
                answer = worker.ask(command, **work, spec=one, seed=seed)
                return float(answer["units"] / answer["wall"])

            shares = []
            for number in range(options.rounds):
                measured = {}
                for threads in (1, 2) if number % 2 == 0 else (2, 1):
                    if threads == 1:
                        seeds = (2 * number, 2 * number + 1)
                        measured[1] = sum(pool.map(rate, (first, second), (spec, spec), seeds))
                    else:
                        measured[2] = rate(first, two_threads, number)
                shares.append(measured[2] / measured[1])
            yield {
                "agent": two_threads,
                "game": game,
                "share of two processes": statistics.median(shares),
                "low": min(shares),
                "high": max(shares),
            }


def compare_instructions(options: argparse.Namespace) -> Iterable[Row]:
    """Yield Callgrind's instruction counts of both builds, in millions, and their ratio."""
    builds = find_build(options.old), find_build(options.new)
    for name, (example, arguments) in PROGRAMS.items():
        if name in options.benchmarks:
            for game in options.games:
                old, new = (count_instructions(build.program(example), [game, *arguments[game]]) for build in builds)
                yield {"benchmark": name, "game": game, "old M": old / 1e6, "new M": new / 1e6, "new / old": new / old}


def count_instructions(program: Path, arguments: Sequence[str]) -> int:
    """Return the number of instructions that a program executes."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or found is None:
        raise BuildError(f"{' '.join(command)} failed: {done.stderr[-500:]}")
    return int(found[1])


def play_match(options: argparse.Namespace) -> None:
    """Play the missing games and print the result."""
    builds = find_build(options.old), find_build(options.new)
    limit = {name: getattr(options, name) for name in ("seconds", "simulations", "depth", "nodes")}
    plan = build_match.Plan(
        game=options.game,
        old=builds[0].name,
        new=builds[1].name,
        old_agent=options.old_agent,
        new_agent=options.new_agent,
        limit={name: value for name, value in limit.items() if value is not None},
        openings=options.openings,
        seed=options.seed,
        adjudication=options.adjudication,
        max_plies=options.max_plies,
    )
    rows = build_match.run(plan, builds, options.games, options.processes, options.output)
    print("\n".join(build_match.summary(rows)))


def show(rows: Iterable[Row], as_json: bool) -> None:
    """Print each row as soon as it is measured, as JSON or as a line of a table."""
    for index, row in enumerate(rows):
        if as_json:
            print(json.dumps(row), flush=True)
            continue
        widths = [max(len(name), 12) for name in row]
        if index == 0:
            print("  ".join(f"{name:>{width}}" for name, width in zip(row, widths, strict=True)))
        cells = [value if isinstance(value, str) else format_number(value) for value in row.values()]
        print("  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)), flush=True)


def format_number(value: float) -> str:
    """Return a number with three decimal places if it is below 100, otherwise as an integer.

    >>> format_number(0.98765), format_number(1234567.8)
    ('0.988', '1,234,568')
    """
    return f"{value:.3f}" if value < 100 else f"{value:,.0f}"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    builds = argparse.ArgumentParser(add_help=False)
    builds.add_argument("--old", required=True, metavar="BUILD", help="the build to compare with")
    builds.add_argument("--new", default=CURRENT, metavar="BUILD", help="default: the current tree")
    table = argparse.ArgumentParser(add_help=False)
    table.add_argument("--json", action="store_true", help="print one JSON object per row")
    by_game = argparse.ArgumentParser(add_help=False)
    by_game.add_argument("--games", nargs="+", choices=GAMES, default=GAMES, metavar="GAME", help="default: all games")

    one = commands.add_parser("prepare", help="build a commit in .venv/builds, or copy the current tree there")
    one.add_argument("ref", help="a commit, or current")

    one = commands.add_parser("speed", parents=[builds, by_game, table], help="compare speeds per second of CPU time")
    one.add_argument("--workloads", nargs="+", choices=WORKLOADS, default=list(WORKLOADS), help="default: all")
    one.add_argument("--seconds", type=positive, default=0.5, help="CPU seconds per batch (0.5)")
    one.add_argument("--rounds", type=int, default=9, help="batches per build; the median ratio is reported (9)")
    one.add_argument("--seed", type=int, default=1)
    for side in ("old", "new"):
        text = f"agent for a workload in the {side} build, if its option names differ"
        one.add_argument(f"--{side}-spec", action="append", default=[], metavar="WORKLOAD=SPEC", help=text)

    one = commands.add_parser("match", parents=[builds], help="play games between two builds")
    one.add_argument("game", choices=GAMES)
    one.add_argument("--old-agent", default="mcts", metavar="SPEC", help="default: mcts")
    one.add_argument("--new-agent", default="mcts", metavar="SPEC", help="default: mcts")
    one.add_argument("--seconds", type=positive, help="seconds per move")
    one.add_argument("--simulations", type=int, help="simulations per move")
    one.add_argument("--depth", type=int, help="search depth in plies")
    one.add_argument("--nodes", type=int, help="nodes per move, in builds that support this limit")
    one.add_argument("--games", type=int, default=400, help="number of games; each opening is played twice (400)")
    one.add_argument("--openings", default="deck", help="deck, start or a file of openings (deck)")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--processes", type=int, default=1, help="games played in parallel (1)")
    one.add_argument("--adjudication", choices=ADJUDICATORS, default="none", help="default: none")
    one.add_argument(
        "--max-plies", type=int, default=build_match.MAX_PLIES, help=f"longer games are draws ({build_match.MAX_PLIES})"
    )
    one.add_argument(
        "--output", type=Path, default=Path("builds.jsonl"), help="file for finished games; used to resume the match"
    )

    one = commands.add_parser("threads", parents=[table], help="compare two threads on one tree with two processes")
    one.add_argument("game", choices=GAMES)
    one.add_argument("--build", default=CURRENT, help="default: the current tree")
    one.add_argument("--seconds", type=positive, default=1.0, help="approximate seconds per measurement (1)")
    one.add_argument("--rounds", type=int, default=10, help="interleaved pairs; the median is reported (10)")

    one = commands.add_parser("instructions", parents=[builds, by_game, table], help="compare instruction counts")
    one.add_argument("--benchmarks", nargs="+", choices=PROGRAMS, default=list(PROGRAMS), help="default: all")
    return parser.parse_args(arguments)


def positive(text: str) -> float:
    """Parse a positive number."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError(text)
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    options = parse(arguments)
    try:
        if options.command == "prepare":
            print(prepare(options.ref).path)
        elif options.command == "match":
            play_match(options)
        else:
            tables = {"speed": compare_speed, "threads": compare_threads, "instructions": compare_instructions}
            show(tables[options.command](options), options.json)
    except (BuildError, PlygroundError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
