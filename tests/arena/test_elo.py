"""The Elo difference of a match, and repeated games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.command_line import run_in_process, run_json
from plyground.arena.elo import difference
from plyground.arena.match import MatchGame, repeated_games
from plyground.records import Record


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60))
def test_the_interval_excludes_zero_exactly_when_a_superiority_exceeds_97_5_percent(points: list[float]) -> None:
    found = difference(points)
    is_above = found.low is not None and found.low > 1e-9
    is_below = found.high is not None and found.high < -1e-9
    if 0.0251 < found.superiority < 0.9749:
        assert not is_above
        assert not is_below
    elif found.superiority > 0.9751 or found.superiority < 0.0249:
        assert (is_above, is_below) == (found.superiority > 0.5, found.superiority < 0.5)


@pytest.mark.parametrize(("points", "superiority"), [([1.0], 0.84), ([0.5] * 10, 0.5), ([0.0] * 9, 0.0013)])
def test_the_superiority_of_simple_results(points: list[float], superiority: float) -> None:
    assert difference(points).superiority == pytest.approx(superiority, abs=0.005)


def test_games_with_the_same_moves_and_seats_are_repetitions() -> None:
    first, other = Record("tictactoe", ("a1", "b2")), Record("tictactoe", ("a1", "b3"))
    games = [MatchGame(first, "a", 1), MatchGame(first, "b", 0), MatchGame(first, "a", 1), MatchGame(other, "a", 1)]
    assert repeated_games(games) == 1


def test_a_match_reports_identical_games() -> None:
    arguments = ("match", "tictactoe", "alphabeta(depth=2)", "alphabeta(depth=3)", "--games", "10")
    assert run_json(*arguments, in_process=True)["repeated_games"] == 8
    output = run_in_process(*arguments).stdout
    assert "8 of 10 games are identical to an earlier one, so the interval is too narrow. --openings deck" in output
    assert run_json(*arguments, "--openings", "deck", in_process=True)["repeated_games"] == 0
