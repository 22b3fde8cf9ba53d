"""`benchmarks/builds.py` compares two builds; here, both are the current tree."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import build_process
import builds
from build_match import Plan, read_rows, summary
from build_process import BuildError, Worker, find_build
from timeouts import SUBPROCESS_S

CURRENT = find_build("current")
PLAN = Plan(
    game="tictactoe",
    old="current",
    new="current",
    old_agent="random",
    new_agent="mcts",
    limit={"simulations": 20},
    openings="start",
    seed=7,
    adjudication="none",
    max_plies=400,
)


def match(output: Path, *options: str) -> None:
    arguments = [
        "--old",
        "current",
        "--old-agent",
        "random",
        "--simulations",
        "20",
        "--openings",
        "start",
        "--seed",
        "7",
    ]
    assert builds.main(["match", "tictactoe", *arguments, "--output", str(output), *options]) == 0


def results(output: Path) -> list[tuple[int, float, int]]:
    rows = read_rows(output, PLAN)
    return [(index, rows[index]["points"], rows[index]["plies"]) for index in sorted(rows)]


def test_a_match_is_the_same_with_any_number_of_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match(tmp_path / "one.jsonl", "--games", "6")
    match(tmp_path / "two.jsonl", "--games", "6", "--processes", "2")
    assert len(results(tmp_path / "one.jsonl")) == 6
    assert results(tmp_path / "one.jsonl") == results(tmp_path / "two.jsonl")
    printed = capsys.readouterr()
    assert "6/6 games" in printed.err
    assert printed.out.startswith("new against old: ")
    assert "95% interval" in printed.out


def test_an_interrupted_match_plays_only_the_missing_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "match.jsonl"
    match(output, "--games", "4")
    played, lines = results(output), output.read_text().splitlines()
    output.write_text("\n".join([lines[0], lines[2], lines[3][:20]]) + "\n")
    capsys.readouterr()
    match(output, "--games", "4")
    assert results(output) == played
    progress = capsys.readouterr().err
    assert [line.split(" ")[0] for line in progress.splitlines()] == ["3/4", "4/4"]


def test_games_from_another_plan_do_not_count(tmp_path: Path) -> None:
    output = tmp_path / "match.jsonl"
    match(output, "--games", "2")
    match(output, "--games", "2", "--seed", "8")
    assert len(output.read_text().splitlines()) == 4
    assert len(results(output)) == 2


def test_the_result_is_from_the_new_builds_point_of_view() -> None:
    row = {"old_ms_per_move": 2.0, "new_ms_per_move": 1.0}
    lines = list(summary({index: {"points": points, **row} for index, points in enumerate([1, 1, 0.5, 1])}))
    assert lines[0].startswith("new against old: 3-1-0")
    assert lines[1].startswith("Elo difference: +338")
    assert lines[2:] == ["old: 2.0 ms per move", "new: 1.0 ms per move"]


def test_an_option_that_a_build_lacks_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--old", "current", "--new-agent", "mcts(luck=1)", "--games", "2", "--output", str(tmp_path / "match")]
    assert builds.main(["match", "tictactoe", *arguments]) == 1
    assert "build current: UnknownNameError: unknown option 'luck'" in capsys.readouterr().err


def test_speed_has_a_row_for_every_workload_and_game(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--old", "current", "--games", "tictactoe", "--seconds", "0.001", "--rounds", "2", "--json"]
    assert builds.main(["speed", *arguments, "--new-spec", "mcts=mcts(c=1)"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["workload"] for row in rows] == ["playouts", "uct", "mcts", "alphabeta"]
    assert all(row["low"] <= row["new / old"] <= row["high"] for row in rows)


def test_threads_are_compared_with_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert builds.main(["threads", "tictactoe", "--seconds", "0.01", "--rounds", "2"]) == 0
    heading, row, *_ = capsys.readouterr().out.splitlines()
    assert "share of two processes" in heading
    assert row.split(maxsplit=1)[0] == "mcts(threads=2)"
    assert "tictactoe(rows=8, columns=8, line=5)" in row


def test_instructions_are_read_from_callgrind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    valgrind = tmp_path / "valgrind"
    valgrind.write_text("#!/bin/sh\necho '==1== Collected : 12345' >&2\n")
    valgrind.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert builds.count_instructions(Path("speed"), ["chess", "1"]) == 12345
    valgrind.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(BuildError, match=r"valgrind --tool=callgrind .* failed"):
        builds.count_instructions(Path("speed"), ["chess", "1"])


def test_a_prepared_build_runs_without_installed_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_process, "CACHE", tmp_path)
    (engine,) = (CURRENT.path / "plyground").glob("_engine*.so")
    build_process.assemble("copy", build_process.ROOT, engine, {})
    build = find_build(str(tmp_path / "copy"))
    assert (build.name, build.path) == ("copy", tmp_path / "copy")
    requests = [
        {"command": "new_game", "spec": "alphabeta"},
        {"command": "choose_move", "game": "tictactoe", "moves": ["b2", "a1"], "limit": {"depth": 2}, "seed": 1},
    ]
    done = subprocess.run(
        [sys.executable, "-S", str(Path(build_process.__file__).with_name("build_worker.py"))],
        input="".join(json.dumps(request) + "\n" for request in requests),
        env={"PYTHONPATH": str(build.path)},
        capture_output=True,
        text=True,
        timeout=SUBPROCESS_S,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {"spec": "alphabeta"}
    assert set(answers[1]) == {"move", "seconds"}


def test_a_build_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "plyground").mkdir()
    (tmp_path / "plyground" / "__init__.py").write_text("raise SystemExit(3)\n")
    with Worker(find_build(str(tmp_path))) as worker, pytest.raises(BuildError, match="ended with exit code 3"):
        worker.ask("new_game", spec="random")


def test_an_unknown_build_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert builds.main(["speed", "--old", "no-such-build"]) == 1
    assert "git rev-parse failed" in capsys.readouterr().err
