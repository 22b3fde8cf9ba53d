"""The network learner in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import plyground
from plyground.plain.network import ValueNetwork, best_move, look_ahead, train


def test_it_learns_not_to_lose_at_tic_tac_toe() -> None:
    """The learned network loses no game, whatever the opponent plays."""
    start = plyground.game("tictactoe").start()
    network = train(start, games=2500, seed=1)
    assert lost_lines(network, start, "x") + lost_lines(network, start, "o") == 0


def lost_lines(network: ValueNetwork, position: plyground.Position, side: str) -> int:
    """Return the number of lines of play in which a side loses by playing its best moves."""
    if (outcome := position.outcome) is not None:
        return outcome.winner not in (None, side)
    moves = [best_move(network, position)] if position.turn == side else position.moves
    return sum(lost_lines(network, position.play(move), side) for move in moves)


def test_the_gradient_reduces_the_error() -> None:
    network, random = ValueNetwork(6, 16, seed=1), np.random.default_rng(2)
    inputs = random.integers(0, 2, (40, 6)).astype(float)
    targets = np.tanh(inputs[:, 0] - inputs[:, 1] * inputs[:, 2])
    errors = [network.update(inputs, targets, 0.01) for _ in range(300)]
    assert errors[-1] < errors[0] / 20


def test_moves_that_end_the_game_have_exact_values() -> None:
    position = plyground.game("tictactoe").position("xx./oo./...")
    values = dict(zip(position.moves, look_ahead(position).values(ValueNetwork(18, 4, seed=1)), strict=True))
    assert values["c1" if "c1" in values and position.play("c1").outcome else "c3"] == pytest.approx(1)
    assert sum(value == 1 for value in values.values()) == 1
