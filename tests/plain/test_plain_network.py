"""The network learner in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import plyground
from plyground.plain.network import ValueNetwork, best_move, look_ahead, result_for, train


def test_it_learns_tic_tac_toe() -> None:
    """Against every line of play, the first player never loses, and the second player hardly ever."""
    start = plyground.game("tictactoe").start()
    network = train(start, games=2500, seed=1)
    assert [lost_share(network, start, side) for side in ("x", "o")] == [0, pytest.approx(0, abs=0.05)]
    untrained = train(start, games=0)
    assert min(lost_share(untrained, start, side) for side in ("x", "o")) > 0.1


def lost_share(network: ValueNetwork, start: plyground.Position, side: str) -> float:
    """Return the fraction of the possible games that a side loses by playing its best moves."""
    results = list(lines(network, start, side))
    return results.count(-1) / len(results)


def lines(network: ValueNetwork, position: plyground.Position, side: str) -> Iterator[float]:
    """Yield the result for a side of each line of play in which it plays its best moves."""
    if position.outcome is not None:
        yield result_for(position, side)
        return
    for move in [best_move(network, position)] if position.turn == side else position.moves:
        yield from lines(network, position.play(move), side)


def test_the_gradient_reduces_the_error() -> None:
    network, random = ValueNetwork(6, 16, seed=1), np.random.default_rng(2)
    inputs = random.integers(0, 2, (40, 6)).astype(float)
    targets = np.tanh(inputs[:, 0] - inputs[:, 1] * inputs[:, 2])
    errors = [network.update(inputs, targets, 0.01) for _ in range(300)]
    assert errors[-1] < errors[0] / 20


def test_moves_that_end_the_game_have_exact_values() -> None:
    position = plyground.game("tictactoe").position("xx./oo./...")
    values = dict(zip(position.moves, look_ahead(position).values(ValueNetwork(18, 4, seed=1)), strict=True))
    assert values["c3"] == 1
    assert sum(value == 1 for value in values.values()) == 1
