"""Boards and moves as text."""

from __future__ import annotations

import pytest

import plyground
from plyground.board_text import draw, is_turned_for
from plyground.examples.tictactoe import TicTacToe
from plyground.formatting import legal_moves


def test_pieces_do_not_hide_the_numbers_of_their_squares() -> None:
    lines = draw(plyground.game("checkers").start(), color=False).splitlines()
    assert lines[0].split() == ["1b", "2b", "3b", "4b"]
    assert lines[3].split() == ["13", "14", "15", "16"]
    assert lines[7].split() == ["29w", "30w", "31w", "32w"]


def test_every_square_of_a_numbered_board_has_the_same_width() -> None:
    position = plyground.game("checkers").start().play("9-13")
    assert "(13b)" in draw(position, color=False)
    assert "( 9 )" in draw(position, color=False)
    columns = {line.index("b") % 5 for line in draw(position.replay(0), color=False).splitlines()[:3]}
    assert len(columns) == 1


@pytest.mark.parametrize(
    ("game", "turned"),
    [
        ("chess", "black"),
        ("checkers", "black"),
        ("connect4", None),
        ("connect4(columns=8)", None),
        ("tictactoe", None),
    ],
)
def test_only_boards_with_moving_pieces_are_turned(game: str, turned: str | None) -> None:
    chosen = plyground.game(game)
    assert [side for side in chosen.sides if is_turned_for(chosen, side)] == ([turned] if turned else [])


def test_legal_moves_are_in_standard_notation() -> None:
    assert legal_moves(plyground.game("chess").start())[:5] == ["Na3", "Nc3", "Nf3", "Nh3", "a3"]


@pytest.mark.parametrize("game", ["checkers", "connect4", "tictactoe", "chess"])
def test_every_built_in_game_describes_its_rules(game: str) -> None:
    assert len(plyground.game(game).rules) > 20


def test_the_rules_of_a_user_game_are_its_attribute_or_docstring() -> None:
    class Described(TicTacToe):
        """A row of three wins."""

        id = "described"

    class Named(Described):
        rules = "Three in a row."

    assert plyground.register(Described()).rules == "A row of three wins."
    assert plyground.register(Named()).rules == "Three in a row."
