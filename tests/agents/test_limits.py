"""Limits that are not positive numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plyground import ParseError, game
from plyground._engine import AlphaBeta, Interrupt, Search, play_game
from plyground.agents import Limit
from plyground.exact import Solver

START = game("tictactoe").start()
ENTRY_POINTS: dict[str, Callable[[float], object]] = {
    "Search.run": lambda seconds: Search(START).run(seconds=seconds, seed=1),
    "Search.run with simulations": lambda seconds: Search(START).run(simulations=1, seconds=seconds, seed=1),
    "AlphaBeta.run": lambda seconds: AlphaBeta(START).run(seconds=seconds),
    "AlphaBeta.run with depth": lambda seconds: AlphaBeta(START).run(depth=1, seconds=seconds),
    "Solver.try_solve": lambda seconds: Solver("tictactoe").try_solve(START, seconds=seconds),
    "play_game": lambda seconds: play_game(START, "random", "random", seconds=seconds),
    "Interrupt": Interrupt,
}


@pytest.mark.parametrize("seconds", [-1.0, -1e-9, float("nan"), -float("inf")])
@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_a_negative_or_nan_time_is_rejected(entry_point: str, seconds: float) -> None:
    with pytest.raises(ParseError, match=r"seconds must be a non-negative number, got -?(\d|NaN|inf)"):
        ENTRY_POINTS[entry_point](seconds)


@pytest.mark.parametrize("interval", [-0.1, float("nan")])
def test_an_invalid_report_interval_is_rejected(interval: float) -> None:
    with pytest.raises(ParseError, match="report_interval must be a non-negative number"):
        Search(START).run(simulations=1, seed=1, report=print, report_interval=interval)


@pytest.mark.parametrize("value", [0, -1, float("nan"), -float("inf")])
@pytest.mark.parametrize("name", ["simulations", "seconds", "depth", "mebibytes"])
def test_a_limit_that_is_not_positive_is_rejected(name: str, value: float) -> None:
    with pytest.raises(ParseError, match=f"limit {name} must be a positive"):
        Limit(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["simulations", "depth", "mebibytes"])
@pytest.mark.parametrize("value", [1.5, float("inf")])
def test_a_limit_on_a_count_must_be_an_integer(name: str, value: float) -> None:
    with pytest.raises(ParseError, match=f"limit {name} must be a positive integer"):
        Limit(**{name: value})  # type: ignore[arg-type]
