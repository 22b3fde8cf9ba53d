"""`plyground bench`, in very small."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_line import error_line, run, run_json

QUICK = ("--seconds", "0.05", "--rounds", "1")


def test_beside_openspiel_the_same_games_are_played_faster() -> None:
    results = run_json("bench", "tictactoe", "connect4", "--against", "openspiel", *QUICK)
    assert [(one["measure"], one["game"], one["peer"]) for one in results] == [
        ("playouts", "tictactoe", "openspiel"),
        ("playouts", "connect4", "openspiel"),
        ("search", "tictactoe", "openspiel"),
        ("search", "connect4", "openspiel"),
    ]
    for one in results[:2]:
        assert one["ours_mean_plies"] == pytest.approx(one["peer_mean_plies"], rel=0.02)
    for one in results:
        assert one["ratio"] == pytest.approx(one["ours_per_second"] / one["peer_per_second"])
        assert one["ours_wall_per_second"] > 0
        assert one["peer_wall_per_second"] > 0


def test_alone_every_measure_is_made() -> None:
    results = run_json("bench", "tictactoe", *QUICK)
    assert [one["measure"] for one in results] == ["playouts", "search", "perft", "python-play"]
    for one in results:
        assert one["game"] == "tictactoe"
        assert one["ours_per_second"] > 0
        assert one["peer"] is one["peer_per_second"] is one["ratio"] is None
    assert results[2]["depth"] == 9


def test_people_read_a_table() -> None:
    done = run("bench", "tictactoe", "--against", "openspiel", *QUICK)
    assert done.returncode == 0
    for heading in ("Game", "ours /s", "openspiel /s", "ratio", "our plies", "its plies"):
        assert heading in done.stdout


def test_an_unknown_peer_is_told_the_known_ones() -> None:
    assert error_line("bench", "--against", "nobody", code=2) == ("no peer is called 'nobody'; there are: openspiel")


def test_a_game_that_the_peer_has_not_is_refused() -> None:
    message = error_line("bench", "connect4(columns=8)", "--against", "openspiel", code=2)
    assert message.startswith("openspiel has no game with the rules of connect4(columns=8)")


def test_without_the_peer_it_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ImportError")
    done = run("bench", "tictactoe", "--against", "openspiel", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == "error: OpenSpiel is not installed; it comes with: pip install open_spiel\n"


def test_sizes_that_make_no_sense_are_refused() -> None:
    assert "seconds" in error_line("bench", "--seconds", "0", code=2)
    assert "rounds" in error_line("bench", "--rounds", "0", code=2)
