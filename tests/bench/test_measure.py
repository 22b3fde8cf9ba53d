"""`make measure`: benchmarks and their thresholds."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import typer
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import figures
import measure
from measure import BENCHMARKS, Benchmark, Row, Threshold, compare, read_thresholds
from timeouts import SUBPROCESS_S


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, measure.__file__, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=SUBPROCESS_S, check=False)


def test_every_threshold_belongs_to_a_benchmark() -> None:
    assert set(read_thresholds()) == {benchmark.name for benchmark in BENCHMARKS}


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)
def test_every_benchmark_function_exists(benchmark: Benchmark) -> None:
    module, function = benchmark.function.split(".")
    assert callable(getattr(importlib.import_module(module), function))


def test_figures_are_compared_with_their_thresholds() -> None:
    thresholds = {"speed": Threshold(min=20, unit="x"), "latency": Threshold(max=50, unit="ms"), "*": Threshold(max=3)}
    rows = list(compare("engine", {"speed": 19.96, "latency": 50, "errors": 4}, thresholds))
    assert rows == [
        Row("engine", "speed", "≥ 20x", "20.0x", 19.96, passed=False),
        Row("engine", "latency", "≤ 50 ms", "50 ms", 50, passed=True),
        Row("engine", "errors", "≤ 3", "4", 4, passed=False),
    ]


def test_a_required_figure_that_was_not_measured_fails() -> None:
    (row,) = compare("engine", {}, {"speed": Threshold(min=20, unit="x")})
    assert (row.measured, row.passed) == ("not measured", False)


def test_figures_without_a_threshold_are_reported_but_not_checked() -> None:
    (row,) = compare("engine", {"games": 7}, {})
    assert (row.required, row.measured, row.passed) == ("", "7", True)


def test_a_failing_benchmark_does_not_stop_the_others() -> None:
    (row,) = measure.run(Benchmark("missing", "no_such_module.function", ""), 1.0, {})
    assert row.measured.startswith("error: No module named")
    assert not row.passed


def test_lists_the_benchmarks_without_running_them() -> None:
    listed = json.loads(run("--list", "--json").stdout)
    assert {"openspiel-simulations", "stop-latency", "web-ui", "levels"} <= {one["name"] for one in listed}
    assert "levels (--long)" in run("--list").stdout


@pytest.mark.parametrize(("latency", "result", "code"), [(49.0, "pass", 0), (51.0, "FAIL", 1)])
def test_the_exit_code_shows_whether_a_threshold_was_missed(
    latency: float, result: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("fake_benchmark")
    monkeypatch.setattr(module, "latency", lambda effort: {"first report": latency * effort}, raising=False)
    monkeypatch.setitem(sys.modules, "fake_benchmark", module)
    monkeypatch.setattr(measure, "BENCHMARKS", [Benchmark("fake", "fake_benchmark.latency", "")])
    monkeypatch.setattr(measure, "read_thresholds", lambda: {"fake": {"*": Threshold(max=50, unit="ms")}})
    app = typer.Typer()
    app.command()(measure.main)
    done = CliRunner().invoke(app, ["--only", "fake"])
    assert done.exit_code == code
    assert f"≤ 50 ms    {latency:.0f} ms" in done.stdout
    assert result in done.stdout
    rows = json.loads(CliRunner().invoke(app, ["--effort", "0.5", "--json"]).stdout)
    assert [(row["value"], row["passed"]) for row in rows] == [(latency / 2, True)]


def test_an_unknown_benchmark_is_an_error() -> None:
    done = run("--only", "luck")
    assert done.returncode == 2
    assert "unknown benchmark 'luck'" in done.stderr


def test_long_benchmarks_run_only_on_request() -> None:
    assert not any(benchmark.long for benchmark in measure.select([], long=False))
    assert [benchmark.name for benchmark in measure.select(["levels"], long=False)] == ["levels"]
    assert len(measure.select([], long=True)) == len(BENCHMARKS)


@pytest.mark.parametrize(("values", "percent", "expected"), [([3, 1, 2], 50, 2), ([1], 99, 1), ([], 99, 0)])
def test_percentiles_of_small_samples(values: list[float], percent: float, expected: float) -> None:
    assert figures.percentile(values, percent) == expected
