"""`plyground bench`, with short measurements."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cli.command_line import error_line, run, run_json
from plyground.bench.openspiel import LENGTH_ERROR

QUICK = ("--seconds", "0.05", "--rounds", "1")


def test_plays_the_same_games_as_openspiel_and_reports_the_ratio() -> None:
    results = run_json("bench", "tictactoe", "connect4", "--against", "openspiel", "--seconds", "0.2", "--rounds", "1")
    assert [(result["measure"], result["game"], result["peer"]) for result in results] == [
        ("playouts", "tictactoe", "openspiel"),
        ("playouts", "connect4", "openspiel"),
        ("search", "tictactoe", "openspiel"),
        ("search", "connect4", "openspiel"),
    ]
    # The standard error of the peer's mean is at most 0.4% (`LENGTH_ERROR`); ours is smaller.
    for result in results[:2]:
        assert result["ours_mean_plies"] == pytest.approx(result["peer_mean_plies"], rel=5 * LENGTH_ERROR)
    for result in results:
        assert result["ratio"] == pytest.approx(result["ours_per_second"] / result["peer_per_second"])
        assert result["ours_wall_per_second"] > 0
        assert result["peer_wall_per_second"] > 0


def test_runs_every_measurement_without_a_peer() -> None:
    results = run_json("bench", "tictactoe", *QUICK)
    assert [result["measure"] for result in results] == ["playouts", "search", "perft", "python-play"]
    for result in results:
        assert result["game"] == "tictactoe"
        assert result["ours_per_second"] > 0
        assert result["peer"] is result["peer_per_second"] is result["ratio"] is None
    assert results[2]["depth"] == 9


def test_prints_a_table() -> None:
    result = run("bench", "tictactoe", "--against", "openspiel", *QUICK)
    assert result.returncode == 0
    for heading in ("Game", "ours /s", "openspiel /s", "ratio", "our mean plies", "peer mean plies"):
        assert heading in result.stdout


def test_an_unknown_peer_is_an_error() -> None:
    assert error_line("bench", "--against", "nobody", code=2) == "unknown peer 'nobody'; available: openspiel"


def test_a_game_unknown_to_the_peer_is_an_error() -> None:
    message = error_line("bench", "connect4(columns=8)", "--against", "openspiel", code=2)
    assert message.startswith("openspiel does not implement connect4(columns=8)")


def test_a_missing_peer_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ImportError")
    result = run("bench", "tictactoe", "--against", "openspiel", PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path]))
    assert result.returncode == 2
    command = f"{sys.executable} -m pip install open_spiel"
    assert result.stderr == f"error: OpenSpiel is not installed; install it with: {command}\n"


def test_invalid_effort_is_an_error() -> None:
    assert "seconds" in error_line("bench", "--seconds", "0", code=2)
    assert "rounds" in error_line("bench", "--rounds", "0", code=2)
