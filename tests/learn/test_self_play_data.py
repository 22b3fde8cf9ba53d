"""Malformed stored self-play games."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from plyground import ParseError, game
from plyground._engine import SelfPlay


def self_play(name: str) -> SelfPlay:
    return SelfPlay(
        game(name).start(),
        depth=1,
        opening_plies=2,
        epsilon=0.1,
        epochs=1,
        learning_rate=0.1,
        weight_decay=1,
        search_weight=0.5,
        seed=1,
    )


def example() -> bytes:
    played = self_play("checkers")
    played.play()
    return played.dump(0)


GAME = example()


def test_a_stored_game_is_loaded_and_fitted() -> None:
    loaded = self_play("checkers")
    loaded.load(GAME * 3)
    assert loaded.games_played == 3
    assert loaded.fit(3)[1] > 0


@given(some.integers(0, len(GAME) - 1), some.integers(1, 255))
@settings(max_examples=300, deadline=None)
def test_a_changed_byte_is_an_error_or_another_valid_game(index: int, change: int) -> None:
    data = bytearray(GAME)
    data[index] ^= change
    loaded = self_play("checkers")
    try:
        loaded.load(bytes(data))
    except ParseError as error:
        assert "self-play data" in str(error)
        assert loaded.games_played == 0
    else:
        loaded.fit(1)


@pytest.mark.parametrize("name", ["chess", "connect4", "tictactoe"])
def test_games_of_another_game_are_an_error(name: str) -> None:
    with pytest.raises(ParseError, match="malformed self-play data: move 1 of a game has code 65535"):
        self_play(name).load(bytes([0, 1, 0, 0xFF, 0xFF, 0, 0]))
