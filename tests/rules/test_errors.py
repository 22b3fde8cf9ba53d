"""Each wrong thing a caller can say is answered by the right error, with a message that helps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import plyground
from plyground import (
    GameOverError,
    IllegalMoveError,
    ParseError,
    PlygroundError,
    Position,
    UnknownNameError,
)


def at(spec: str, text: str | None = None, *moves: str) -> Position:
    return plyground.game(spec).position(text, moves)


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("draughts", UnknownNameError, ["draughts", "checkers", "connect4", "tictactoe", "chess"]),
        ("connect4(colums=8)", UnknownNameError, ["colums", "columns", "rows", "line"]),
        ("chess(rows=8)", UnknownNameError, ["rows", "draws"]),
        ("connect4(columns=0)", ParseError, ["columns", "0", "from 1 to 32"]),
        ("connect4(columns=-3)", ParseError, ["columns", "-3", "whole number"]),
        ("connect4(columns=many)", ParseError, ["columns", "many", "whole number"]),
        ("connect4(columns=9, rows=9)", ParseError, ["9 columns", "9 rows", "at most 64"]),
        ("connect4(line=1)", ParseError, ["line", "from 2"]),
        ("tictactoe(rows=9, columns=9)", ParseError, ["81 cells", "up to 64"]),
        ("checkers(draws=none)", ParseError, ["draws", "none", "english", "openspiel"]),
        ("chess(draws=english)", ParseError, ["claimed", "forced"]),
        ("connect4(rows=4, rows=5)", ParseError, ["rows", "twice"]),
        ("connect4(rows)", ParseError, ["rows", "key=value"]),
        ("connect4(rows=4", ParseError, ["bracket"]),
        ("", ParseError, ["no name"]),
        ("Connect Four", ParseError, ["Connect Four", "no name"]),
        ("x" * 5000, ParseError, ["longer than 1000"]),
    ],
)
def test_a_wrong_spec_is_explained(spec: str, error: type[PlygroundError], words: list[str]) -> None:
    with pytest.raises(error) as caught:
        plyground.game(spec)
    assert_explains(caught.value, words)


@pytest.mark.parametrize(
    ("spec", "text", "words"),
    [
        ("tictactoe", "xo./...", ["2 rows", "3 rows of 3 cells"]),
        ("tictactoe", "xo./.../....", ["row 1 has 4 cells"]),
        ("tictactoe", "xo./.../..q", ["'q'", "c1"]),
        ("tictactoe", "xxx/.../...", ["x stands 3 times"]),
        ("tictactoe", "xxx/oo./o..", ["the side to move has a line"]),
        ("connect4", "8", ["column 1 of the game", "columns from 1 to 7"]),
        ("connect4", "4444444", ["column 7 of the game", "full"]),
        ("connect4", "12121212", ["column 8 of the game", "already won"]),
        ("connect4(columns=3, rows=2)", "r../...", ["hangs in the air"]),
        ("checkers", "21-32", ["B or W", "B:W21-32:B1-12"]),
        ("checkers", "B:W33:B1", ["33", "from 1 to 32"]),
        ("checkers", "B:W9:B9", ["two pieces", "9"]),
        ("checkers", "B:W1:B9", ["crowned"]),
        ("checkers", "B:W12-9:B1", ["runs backwards"]),
        ("checkers", "B:B1:B2", ["listed twice"]),
        ("checkers", "B:W:B", ["at least one"]),
        ("checkers", "B:W20-32:B1", ["at most 12"]),
        ("chess", "e4", ["field is missing", "FEN"]),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", ["FEN"]),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 151 1", ["0 to 150"]),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", ["too many fields"]),
        ("chess", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["FEN"]),
        ("chess", "8/8/8/3k4/3K4/8/8/7R w - - 0 1", ["FEN"]),
        ("chess", "4k3/8/8/8/8/8/8/3K3R w K - 0 1", ["FEN"]),
    ],
)
def test_a_text_that_is_no_position_is_explained(spec: str, text: str, words: list[str]) -> None:
    with pytest.raises(ParseError) as caught:
        plyground.game(spec).position(text)
    assert_explains(caught.value, words)


@pytest.mark.parametrize(
    ("position", "move", "error", "words"),
    [
        (at("tictactoe"), "d1", ParseError, ["d1", "from a1 to c3"]),
        (at("tictactoe", None, "b2"), "b2", IllegalMoveError, ["b2", "taken"]),
        (at("connect4"), "8", ParseError, ["8", "from 1 to 7"]),
        (at("connect4", "444444"), "4", IllegalMoveError, ["4", "full"]),
        (at("checkers"), "e2e4", ParseError, ["e2e4", "11-15", "22x15"]),
        (at("checkers"), "11-18", IllegalMoveError, ["11-18", "11-15"]),
        (at("checkers", "B:W15:B11,1"), "1-5", IllegalMoveError, ["capture must be made", "11x18"]),
        (at("chess"), "11-15", ParseError, ["11-15", "UCI", "SAN"]),
        (at("chess"), "e2e5", IllegalMoveError, ["e2e5", "Na3", "..."]),
        (at("chess", "4k3/8/8/8/8/4r3/8/4K3 w - - 0 1"), "e1e2", IllegalMoveError, ["in check"]),
        (at("connect4", "1212121"), "3", GameOverError, ["over", "red won", "line"]),
    ],
)
def test_a_wrong_move_is_explained_by_every_question(
    position: Position, move: str, error: type[PlygroundError], words: list[str]
) -> None:
    questions: list[Callable[[str], object]] = [
        position.play,
        position.path,
        position.action,
        position.notation,
        position.name,
    ]
    before = repr(position)
    for question in questions:
        with pytest.raises(error) as caught:
            question(move)
        assert_explains(caught.value, words)
    assert repr(position) == before


def test_a_position_with_wrong_moves_says_which_is_wrong() -> None:
    with pytest.raises(IllegalMoveError, match="e7e5"):
        plyground.game("chess").position(moves=["e2e4", "e7e5", "e7e5"])


def test_errors_are_also_the_errors_python_knows() -> None:
    assert issubclass(ParseError, ValueError)
    assert issubclass(IllegalMoveError, ValueError)
    assert issubclass(UnknownNameError, KeyError)
    assert all(
        issubclass(error, PlygroundError) for error in (ParseError, IllegalMoveError, GameOverError, UnknownNameError)
    )
    assert str(UnknownNameError("plain words")) == "plain words"


def test_chance_cannot_choose_among_nothing() -> None:
    with pytest.raises(ValueError, match="from 1"):
        plyground.Rng(1).below(0)
    with pytest.raises(GameOverError):
        at("connect4", "1212121").play_random(plyground.Rng(1))


def assert_explains(error: PlygroundError, words: list[str]) -> None:
    message = str(error)
    assert 10 < len(message) < 600
    for word in words:
        assert word in message
