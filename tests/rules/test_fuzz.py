"""Whatever text comes in, only errors of this package come out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyground
from plyground import Game, IllegalMoveError, ParseError, PlygroundError, Position, UnknownNameError
from plyground.spec import parse_spec
from rules.strategies import SPECS, games, open_positions, positions

LETTERS = "0123456789abcdefghKQRBNPkqrnpxoryWB-/:., +=#O()_\0\x7fé１🂡"

texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=LETTERS, max_size=40),
    st.builds(str.__mul__, st.sampled_from(LETTERS), st.integers(0, 5000)),
)


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    """The text with up to three letters inserted, replaced or removed."""
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        removed = draw(st.integers(0, 2))
        text = text[:at] + draw(st.text(alphabet=LETTERS, max_size=2)) + text[at + removed :]
    return text


def read_position(game: Game, text: str) -> None:
    try:
        position = game.position(text)
    except ParseError as error:
        assert len(str(error)) < 1000
        return
    assert game.position(position.text) == position
    assert bool(position.moves) == (position.outcome is None)
    for move in position.moves:
        assert position.name(move) == move


def read_move(position: Position, text: str) -> None:
    try:
        after = position.play(text)
    except (ParseError, IllegalMoveError) as error:
        assert len(str(error)) < 1000
        return
    assert after.history[-1] in position.moves
    assert after.history[-1] == position.name(text)


@given(games(), texts)
def test_any_text_is_a_position_or_a_parse_error(game: Game, text: str) -> None:
    read_position(game, text)


@given(positions(), st.data())
def test_almost_a_position_is_a_position_or_a_parse_error(position: Position, data: st.DataObject) -> None:
    read_position(position.game, data.draw(edited(position.text)))


@given(open_positions(), texts)
def test_any_text_is_a_move_or_an_error(position: Position, text: str) -> None:
    read_move(position, text)


@given(open_positions(), st.data())
def test_almost_a_move_is_a_move_or_an_error(position: Position, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(position.moves))
    read_move(position, data.draw(edited(data.draw(st.sampled_from([move, position.notation(move)])))))


@given(texts)
def test_any_text_is_a_spec_or_a_parse_error(text: str) -> None:
    try:
        spec = parse_spec(text)
    except ParseError as error:
        assert len(str(error)) < 500
        return
    assert parse_spec(str(spec)) == spec


options = st.one_of(
    st.sampled_from(["rows", "columns", "line", "draws"]), st.from_regex(r"[a-z][a-z0-9_]*", fullmatch=True)
)
values = st.one_of(
    st.integers(-3, 70).map(str),
    st.sampled_from(["english", "openspiel", "claimed", "forced"]),
    st.from_regex(r"[A-Za-z0-9_./+:-]+", fullmatch=True),
)


@given(
    st.sampled_from(["checkers", "connect4", "tictactoe", "chess", "go"]),
    st.lists(st.tuples(options, values), max_size=4),
)
def test_any_options_are_a_game_or_an_error(name: str, chosen: list[tuple[str, str]]) -> None:
    make_game(f"{name}({', '.join(f'{key}={value}' for key, value in chosen)})")


@given(st.sampled_from(SPECS), st.data())
def test_almost_a_spec_is_a_game_or_an_error(spec: str, data: st.DataObject) -> None:
    make_game(data.draw(edited(spec)))


def make_game(spec: str) -> None:
    try:
        game = plyground.game(spec)
    except (ParseError, UnknownNameError) as error:
        assert len(str(error)) < 1000
        return
    assert plyground.game(game.spec) == game
    assert game.start().moves


@given(st.lists(st.one_of(texts, st.sampled_from(["e2e4", "11-15", "4", "b2"])), max_size=4))
def test_any_list_of_moves_is_a_position_or_an_error(moves: list[str]) -> None:
    for spec in ("checkers", "connect4", "tictactoe", "chess"):
        try:
            position = plyground.game(spec).position(moves=moves)
        except PlygroundError:
            continue
        assert position.ply == len(moves)


@pytest.mark.parametrize("text", ["\ud800", "e2e4\udfff"])
def test_half_a_character_is_an_error_of_this_package(text: str) -> None:
    # Half of a surrogate pair: a Python string can hold it (JSON can say it), a Rust one cannot.
    game = plyground.game("chess")
    with pytest.raises(ParseError):
        game.start().play(text)
    with pytest.raises(ParseError):
        game.position(text)
    with pytest.raises(ParseError):
        game.position(moves=[text])
    with pytest.raises(ParseError):
        plyground.game(text)
