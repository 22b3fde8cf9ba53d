"""Invalid specs, positions and moves raise the right error with a helpful message."""

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
    ("spec", "error", "parts"),
    [
        ("draughts", UnknownNameError, ["draughts", "checkers", "connect4", "tictactoe", "chess"]),
        ("connect4(colums=8)", UnknownNameError, ["colums", "columns", "rows", "line"]),
        ("chess(rows=8)", UnknownNameError, ["rows", "draws"]),
        ("connect4(columns=0)", ParseError, ["columns", "between 1 and 32", "got 0"]),
        ("connect4(columns=-3)", ParseError, ["columns", "integer", "got -3"]),
        ("connect4(columns=many)", ParseError, ["columns", "integer", "got many"]),
        ("connect4(columns=9, rows=9)", ParseError, ["9 columns", "9 rows", "at most 64"]),
        ("connect4(line=1)", ParseError, ["line", "between 2 and 64"]),
        ("tictactoe(rows=9, columns=9)", ParseError, ["9 rows", "9 columns", "at most 64"]),
        ("checkers(draws=none)", ParseError, ["draws", "none", "english", "openspiel"]),
        ("chess(draws=english)", ParseError, ["claimed", "forced"]),
        ("connect4(rows=4, rows=5)", ParseError, ["duplicate option rows"]),
        ("connect4(rows)", ParseError, ["rows", "key=value"]),
        ("connect4(rows=4", ParseError, ["closing parenthesis"]),
        ("", ParseError, ["not a valid name"]),
        ("Connect Four", UnknownNameError, ["Connect Four", "did you mean connect4?"]),
        ("x" * 5000, ParseError, ["longer than 1000"]),
    ],
)
def test_an_invalid_spec_is_explained(spec: str, error: type[PlygroundError], parts: list[str]) -> None:
    with pytest.raises(error) as caught:
        plyground.game(spec)
    assert_explains(caught.value, parts)


@pytest.mark.parametrize(
    ("spec", "text", "parts"),
    [
        ("tictactoe", "xo./...", ["2 rows", "3 rows of 3 cells"]),
        ("tictactoe", "xo./.../....", ["row 1 has 4 cells"]),
        ("tictactoe", "xo./.../..q", ["'q'", "c1"]),
        ("tictactoe", "xxx/.../...", ["3 x and 0 o"]),
        ("tictactoe", "xxx/oo./o..", ["the side to move already has a line"]),
        ("connect4", "8", ["move 1", "column between 1 and 7"]),
        ("connect4", "4444444", ["move 7", "full"]),
        ("connect4", "12121212", ["move 8", "already won"]),
        ("connect4(columns=3, rows=2)", "r../...", ["empty cell below"]),
        ("checkers", "21-32", ["B or W", "B:W21-32:B1-12"]),
        ("checkers", "B:W33:B1", ["33", "between 1 and 32"]),
        ("checkers", "B:W9:B9", ["occupied square", "9"]),
        ("checkers", "B:W1:B9", ["king row"]),
        ("checkers", "B:W12-9:B1", ["reversed"]),
        ("checkers", "B:B1:B2", ["listed twice"]),
        ("checkers", "B:W:B", ["at least one"]),
        ("checkers", "B:W20-32:B1", ["at most 12"]),
        ("chess", "e4", ["field is missing", "FEN"]),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", ["FEN"]),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 151 1", ["between 0 and 150"]),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", ["too many fields"]),
        ("chess", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["FEN"]),
        ("chess", "8/8/8/3k4/3K4/8/8/7R w - - 0 1", ["FEN"]),
        ("chess", "4k3/8/8/8/8/8/8/3K3R w K - 0 1", ["FEN"]),
    ],
)
def test_an_invalid_position_is_explained(spec: str, text: str, parts: list[str]) -> None:
    with pytest.raises(ParseError) as caught:
        plyground.game(spec).position(text)
    assert_explains(caught.value, parts)


@pytest.mark.parametrize(
    ("position", "move", "error", "parts"),
    [
        (at("tictactoe"), "d1", ParseError, ["d1", "between a1 and c3"]),
        (at("tictactoe", None, "b2"), "b2", IllegalMoveError, ["b2", "occupied"]),
        (at("connect4"), "8", ParseError, ["8", "between 1 and 7"]),
        (at("connect4", "444444"), "4", IllegalMoveError, ["4", "full"]),
        (at("checkers"), "e2e4", ParseError, ["e2e4", "11-15", "22x15"]),
        (at("checkers"), "11-18", IllegalMoveError, ["11-18", "11-15"]),
        (at("checkers", "B:W15:B11,1"), "1-5", IllegalMoveError, ["capture is compulsory", "11x18"]),
        (at("chess"), "11-15", ParseError, ["11-15", "UCI", "SAN"]),
        (at("chess"), "e2e5", IllegalMoveError, ["e2e5", "Na3", "..."]),
        (at("chess", "4k3/8/8/8/8/4r3/8/4K3 w - - 0 1"), "e1e2", IllegalMoveError, ["in check"]),
        (at("connect4", "1212121"), "3", GameOverError, ["over", "red won", "line"]),
    ],
)
def test_an_invalid_move_is_explained_by_every_method(
    position: Position, move: str, error: type[PlygroundError], parts: list[str]
) -> None:
    methods: list[Callable[[str], object]] = [
        position.play,
        position.path,
        position.action,
        position.notation,
        position.parse_move,
    ]
    before = repr(position)
    for method in methods:
        with pytest.raises(error) as caught:
            method(move)
        assert_explains(caught.value, parts)
    assert repr(position) == before


def test_an_invalid_move_in_a_list_is_named() -> None:
    with pytest.raises(IllegalMoveError, match="e7e5"):
        plyground.game("chess").position(moves=["e2e4", "e7e5", "e7e5"])


def test_errors_derive_from_built_in_exceptions() -> None:
    assert issubclass(ParseError, ValueError)
    assert issubclass(IllegalMoveError, ValueError)
    assert issubclass(UnknownNameError, KeyError)
    assert all(
        issubclass(error, PlygroundError) for error in (ParseError, IllegalMoveError, GameOverError, UnknownNameError)
    )
    assert str(UnknownNameError("message")) == "message"


def test_a_random_choice_requires_at_least_one_option() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        plyground.Rng(1).below(0)
    with pytest.raises(GameOverError):
        at("connect4", "1212121").play_random(plyground.Rng(1))


def assert_explains(error: PlygroundError, parts: list[str]) -> None:
    message = str(error)
    assert 10 < len(message) < 600
    for part in parts:
        assert part in message
