"""Moves given as integers."""

from __future__ import annotations

import pytest

from plyground import ParseError, game, register
from user_games.sample_games import Count


def test_columns_may_be_integers() -> None:
    start = game("connect4").start()
    assert start.play(4).play("4").play(5).history == ["4", "4", "5"]
    assert game("connect4").position(moves=[4, 4]).history == ["4", "4"]
    assert start.path(4) == start.path("4")
    assert (start.parse_move(7), start.notation(7), start.action(7)) == ("7", "7", 6)


def test_columns_above_nine_can_be_given_by_letter_or_number() -> None:
    start = game("connect4(columns=12, rows=4)").start()
    assert start.play(10).history == start.play("10").history == start.play("a").history == ["a"]
    with pytest.raises(ParseError, match="between 1 and c"):
        start.play(13)


def test_moves_of_user_games_that_are_numbers_may_be_integers() -> None:
    assert register(Count("count-integers")).start().play(2).history == ["2"]


@pytest.mark.parametrize("move", [0, -1, 8, 10**30])
def test_an_integer_that_is_not_a_move_is_rejected(move: int) -> None:
    with pytest.raises(ParseError, match="must be a column between 1 and 7"):
        game("connect4").start().play(move)


@pytest.mark.parametrize("move", [True, 4.0, None, b"4"])
def test_other_types_are_rejected(move: object) -> None:
    with pytest.raises(TypeError):
        game("connect4").start().play(move)  # type: ignore[arg-type]
