"""Arbitrary text raises no exceptions other than Plyground errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyground
from plyground import Game, IllegalMoveError, ParseError, PlygroundError, Position, UnknownNameError
from plyground.spec import parse_spec
from rules.strategies import SPECS, games, positions, unfinished_positions

ALPHABET = "0123456789abcdefghKQRBNPkqrnpxoryWB-/:., +=#O()_\0\x7fé１🂡"

texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=ALPHABET, max_size=40),
    st.builds(str.__mul__, st.sampled_from(ALPHABET), st.integers(0, 5000)),
)


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """The text after up to three random edits."""
    for _ in range(draw(st.integers(0, 3))):
        index = draw(st.integers(0, len(text)))
        removed = draw(st.integers(0, 2))
        text = text[:index] + draw(st.text(alphabet=ALPHABET, max_size=2)) + text[index + removed :]
    return text


def check_position(game: Game, text: str) -> None:
    try:
        position = game.position(text)
    except ParseError as error:
        assert len(str(error)) < 1000
        return
    assert game.position(position.text) == position
    assert bool(position.moves) == (position.outcome is None)
    for move in position.moves:
        assert position.parse_move(move) == move


def check_move(position: Position, text: str) -> None:
    try:
        after = position.play(text)
    except (ParseError, IllegalMoveError) as error:
        assert len(str(error)) < 1000
        return
    assert after.history[-1] in position.moves
    assert after.history[-1] == position.parse_move(text)


@given(games(), texts)
def test_any_text_parses_as_a_position_or_raises_a_parse_error(game: Game, text: str) -> None:
    check_position(game, text)


@given(positions(), st.data())
def test_a_mutated_position_parses_or_raises_a_parse_error(position: Position, data: st.DataObject) -> None:
    check_position(position.game, data.draw(mutated(position.text)))


@given(unfinished_positions(), texts)
def test_any_text_parses_as_a_move_or_raises_an_error(position: Position, text: str) -> None:
    check_move(position, text)


@given(unfinished_positions(), st.data())
def test_a_mutated_move_parses_or_raises_an_error(position: Position, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(position.moves))
    check_move(position, data.draw(mutated(data.draw(st.sampled_from([move, position.notation(move)])))))


@given(texts)
def test_any_text_parses_as_a_spec_or_raises_a_parse_error(text: str) -> None:
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
def test_any_options_make_a_game_or_raise_an_error(name: str, chosen: list[tuple[str, str]]) -> None:
    check_game(f"{name}({', '.join(f'{key}={value}' for key, value in chosen)})")


@given(st.sampled_from(SPECS), st.data())
def test_a_mutated_spec_makes_a_game_or_raises_an_error(spec: str, data: st.DataObject) -> None:
    check_game(data.draw(mutated(spec)))


def check_game(spec: str) -> None:
    try:
        game = plyground.game(spec)
    except (ParseError, UnknownNameError) as error:
        assert len(str(error)) < 1000
        return
    assert plyground.game(game.spec) == game
    assert game.start().moves


@given(st.lists(st.one_of(texts, st.sampled_from(["e2e4", "11-15", "4", "b2"])), max_size=4))
def test_any_list_of_moves_makes_a_position_or_raises_an_error(moves: list[str]) -> None:
    for spec in ("checkers", "connect4", "tictactoe", "chess"):
        try:
            position = plyground.game(spec).position(moves=moves)
        except PlygroundError:
            continue
        assert position.ply == len(moves)


@pytest.mark.parametrize("text", ["\ud800", "e2e4\udfff"])
def test_a_lone_surrogate_is_a_parse_error(text: str) -> None:
    # Python strings may contain lone surrogates, for example from JSON; Rust strings may not.
    game = plyground.game("chess")
    with pytest.raises(ParseError):
        game.start().play(text)
    with pytest.raises(ParseError):
        game.position(text)
    with pytest.raises(ParseError):
        game.position(moves=[text])
    with pytest.raises(ParseError):
        plyground.game(text)
