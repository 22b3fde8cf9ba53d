"""Run the benchmarks that have thresholds and compare their figures with thresholds.toml.

python benchmarks/measure.py                            all but the long ones
python benchmarks/measure.py --only stop-latency        one of them
python benchmarks/measure.py --list                     names and requirements

The exit code is 1 if a figure misses its threshold or a benchmark fails.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from figures import Figures

THRESHOLDS = Path(__file__).with_name("thresholds.toml")


@dataclass(frozen=True)
class Benchmark:
    """A function of a module in this folder that takes the effort and returns figures."""

    name: str
    function: str
    """Module and function, ``module.function``; imported only when the benchmark runs."""
    description: str
    long: bool = False

    def run(self, effort: float) -> Figures:
        """Run the benchmark; an effort below 1 reduces the number of trials."""
        module, _, function = self.function.partition(".")
        return cast(Figures, getattr(importlib.import_module(module), function)(effort))


BENCHMARKS = [
    Benchmark("openspiel-simulations", "engine_speed.openspiel_simulations", "Simulations, ratio to OpenSpiel"),
    Benchmark("openspiel-playouts", "engine_speed.openspiel_playouts", "Random playouts, ratio to OpenSpiel"),
    Benchmark("bitbully-solver", "engine_speed.bitbully_solver", "Connect Four solver, ratio to BitBully"),
    Benchmark("table-probes", "engine_speed.table_probes", "Probes of the checkers endgame tables"),
    Benchmark("network-speed", "network_speed.network_speed", "Alpha-beta in chess with a network, slowdown"),
    Benchmark("threads", "search_resources.threads", "Simulations of two threads, ratio to one"),
    Benchmark("memory", "search_resources.memory", "Memory used by a long search with a limit of 64 MiB"),
    Benchmark("proven-values", "proven_values.proven_values", "Proven values that solvers and tables refute"),
    Benchmark("review-accuracy", "review_accuracy.review_accuracy", "Seeded blunders in checkers that a review marks"),
    Benchmark("user-game-limits", "user_game_limits.user_game_limits", "Time and memory limits with a slow user game"),
    Benchmark("stop-latency", "search_latency.stop_latency", "Time from stop() to the result, p99"),
    Benchmark("time-limit", "search_latency.time_limit", "Overrun of a limit of 50 ms, p99"),
    Benchmark("uci-stop-latency", "uci_latency.uci_stop_latency", "Time from stop to bestmove of plyground uci, p99"),
    Benchmark("first-report", "search_latency.first_report", "Time to the first report, median"),
    Benchmark("report-interval", "search_latency.report_interval", "Time between reports with full memory, p99"),
    Benchmark("report-cost", "search_latency.report_cost", "CPU time added by reports, median"),
    Benchmark("import-time", "import_time.import_time", "Time that import plyground takes"),
    Benchmark("web-ui", "web_ui.web_ui", "Size and response times of the web UI"),
    Benchmark("tree-view", "tree_view.tree_view", "Frame rate of the tree view with 2,000 nodes"),
    Benchmark("visitors", "visitors.visitors", "200 visitors playing at the same time"),
    Benchmark("attacks", "attacks.attacks", "A visitor who plays while others attack the server", long=True),
    Benchmark("server-kills", "server_kills.server_kills", "Moves lost when the server is killed", long=True),
    Benchmark("tournament-kills", "tournament_kills.tournament_kills", "Games lost to kills", long=True),
    Benchmark("endgame-play", "endgame_play.endgame_play", "Checkers endgames spoiled by Master", long=True),
    Benchmark("solver-agreement", "solver_agreement.solver_agreement", "Scores that differ from BitBully's", long=True),
    Benchmark("openspiel-match", "openspiel_match.openspiel_match", "Score against OpenSpiel's MCTSBot", long=True),
    Benchmark("chess-ladder", "chess_ladder.chess_ladder", "Rating against Stockfish limited by nodes", long=True),
    Benchmark("levels", "levels.level_scores", "Score of each level against the one below", long=True),
    Benchmark("network-mistakes", "network_mistakes.network_mistakes", "Mistakes in Connect Four", long=True),
    Benchmark("learning", "learning.learned_weights", "Score of learned weights", long=True),
    Benchmark("learners", "learners.learner_scores", "Score of agents that play by learned values", long=True),
    Benchmark("ablation", "ablation.enhancements", "Score of each search enhancement", long=True),
]


@dataclass(frozen=True)
class Threshold:
    """The minimum or maximum of a figure, and its unit."""

    min: float | None = None
    max: float | None = None
    unit: str = ""

    def accepts(self, value: float) -> bool:
        """Whether the value satisfies the threshold."""
        return (self.min is None or value >= self.min) and (self.max is None or value <= self.max)

    def format(self, value: float) -> str:
        """Return a value with its unit."""
        digits = 0 if value == int(value) or abs(value) >= 1000 else 2 if abs(value) < 10 else 1
        return f"{value:,.{digits}f}{'' if self.unit in ('', 'x', '%', '/s') else ' '}{self.unit}"

    def __str__(self) -> str:
        if self.min is not None:
            return f"≥ {self.format(self.min)}"
        return "" if self.max is None else f"≤ {self.format(self.max)}"


@dataclass(frozen=True)
class Row:
    """One figure compared with its threshold."""

    benchmark: str
    figure: str
    required: str
    measured: str
    value: float | None
    passed: bool


def read_thresholds(path: Path = THRESHOLDS) -> dict[str, dict[str, Threshold]]:
    """Return the thresholds by benchmark and figure."""
    tables = tomllib.loads(path.read_text("utf-8"))
    return {
        benchmark: {figure: Threshold(**fields) for figure, fields in table.items()}
        for benchmark, table in tables.items()
    }


def compare(benchmark: str, figures: Figures, thresholds: Mapping[str, Threshold]) -> Iterator[Row]:
    """Yield one row per figure; a figure that has a threshold but was not measured fails."""
    for figure, value in figures.items():
        threshold = thresholds.get(figure) or thresholds.get("*") or Threshold()
        yield Row(benchmark, figure, str(threshold), threshold.format(value), value, threshold.accepts(value))
    for figure, threshold in thresholds.items():
        if figure != "*" and figure not in figures:
            yield Row(benchmark, figure, str(threshold), "not measured", None, False)


def run(benchmark: Benchmark, effort: float, thresholds: Mapping[str, Threshold]) -> list[Row]:
    """Run a benchmark; an exception becomes a failed row, so that the others still run."""
    try:
        return list(compare(benchmark.name, benchmark.run(effort), thresholds))
    except Exception as error:  # noqa: BLE001
        return [Row(benchmark.name, "", "", f"error: {error}", None, False)]


def select(only: Iterable[str], long: bool) -> list[Benchmark]:
    """Return the named benchmarks, or all of them with or without the long ones."""
    names = list(only)
    available = [benchmark.name for benchmark in BENCHMARKS]
    if unknown := [name for name in names if name not in available]:
        raise typer.BadParameter(f"unknown benchmark {unknown[0]!r}; available benchmarks: {', '.join(available)}")
    if names:
        return [benchmark for benchmark in BENCHMARKS if benchmark.name in names]
    return [benchmark for benchmark in BENCHMARKS if long or not benchmark.long]


def list_benchmarks(selected: Iterable[Benchmark], thresholds: Mapping[str, Mapping[str, Threshold]]) -> Table:
    """Return a table of the benchmarks and their requirements."""
    table = Table("benchmark", "description", "required", box=SIMPLE_HEAD)
    for benchmark in selected:
        required = [
            f"{threshold} {'' if figure == '*' else f'({figure})'}".strip()
            for figure, threshold in thresholds.get(benchmark.name, {}).items()
            if str(threshold)
        ]
        name = f"{benchmark.name} (--long)" if benchmark.long else benchmark.name
        table.add_row(name, benchmark.description, "\n".join(required))
    return table


def main(
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Benchmark to run; repeatable.")] = None,
    list_only: Annotated[bool, typer.Option("--list", help="List the benchmarks without running them.")] = False,
    long: Annotated[bool, typer.Option("--long", help="Also run the benchmarks that take hours.")] = False,
    effort: Annotated[float, typer.Option(min=0.001, max=100, help="Factor applied to the number of trials.")] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run benchmarks and compare their figures with the thresholds."""
    thresholds = read_thresholds()
    selected = select(only or [], long or list_only)
    if list_only:
        if as_json:
            listed = [{**asdict(one), "figures": sorted(thresholds.get(one.name, {}))} for one in selected]
            typer.echo(json.dumps(listed))
        else:
            Console().print(list_benchmarks(selected, thresholds))
        return
    progress, rows = Console(stderr=True), list[Row]()
    for benchmark in selected:
        started = time.monotonic()
        with progress.status(f"Running {benchmark.name}"):
            rows += run(benchmark, effort, thresholds.get(benchmark.name, {}))
        progress.print(f"{benchmark.name}: {time.monotonic() - started:.0f} s", style="dim")
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows]))
    else:
        table = Table("benchmark", "figure", "required", "measured", "result", box=SIMPLE_HEAD)
        for row in rows:
            result = "" if row.passed and not row.required else "pass" if row.passed else "[bold red]FAIL[/]"
            table.add_row(row.benchmark, row.figure, row.required, row.measured, result)
        Console(width=None if sys.stdout.isatty() else 140).print(table)
    raise typer.Exit(not all(row.passed for row in rows))


if __name__ == "__main__":
    typer.run(main)
