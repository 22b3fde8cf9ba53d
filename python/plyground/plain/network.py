"""A small value network in numpy that learns by playing against itself.

The network predicts the result for the side to move: 1 a win, 0 a draw, -1 a loss. It plays the move after which the
opponent's value is lowest. After each game, it learns for some positions of this and earlier games that the value of a
position is the value of its best move: TD(0) (Sutton 1988) with the best move in place of the one played.

>>> import plyground
>>> start = plyground.game("tictactoe").start()
>>> network = train(start, games=2, seed=1)
>>> best_move(network, start) in start.moves
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyground._engine import Position
from plyground.plain.playout import legal_moves

BUFFER = 20_000
"""Maximum number of different positions that the network learns from."""


class ValueNetwork:
    """A network with one hidden layer, trained by Adam (Kingma and Ba 2015)."""

    def __init__(self, inputs: int, hidden: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self._weights = [
            random.normal(0, 1 / np.sqrt(8), (inputs, hidden)),  # about eight inputs are 1, the others 0
            np.zeros(hidden),
            random.normal(0, 1 / np.sqrt(hidden), hidden),
            np.zeros(()),
        ]
        self._means = [np.zeros_like(weight) for weight in self._weights]
        self._squares = [np.zeros_like(weight) for weight in self._weights]
        self._updates = 0

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """Return the value of each row of inputs, -1 to 1."""
        return self._forward(inputs)[1]

    def _forward(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the hidden values and the outputs."""
        first, first_bias, second, second_bias = self._weights
        hidden = np.maximum(inputs @ first + first_bias, 0)
        return hidden, np.tanh(hidden @ second + second_bias)

    def update(self, inputs: np.ndarray, targets: np.ndarray, learning_rate: float) -> float:
        """Move the values of some positions towards targets; return the mean squared error before."""
        hidden, outputs = self._forward(inputs)
        errors = outputs - targets
        # The chain rule, from the output back to the inputs.
        output_gradient = 2 / len(errors) * errors * (1 - outputs**2)
        hidden_gradient = np.outer(output_gradient, self._weights[2]) * (hidden > 0)
        gradients = [
            inputs.T @ hidden_gradient,
            hidden_gradient.sum(0),
            hidden.T @ output_gradient,
            output_gradient.sum(),
        ]
        self._updates += 1
        for weight, mean, square, gradient in zip(self._weights, self._means, self._squares, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            # Both moments start at 0, which these factors correct.
            unbiased = mean / (1 - 0.9**self._updates), square / (1 - 0.999**self._updates)
            weight -= learning_rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
        return float(np.mean(errors**2))


def encode(positions: Sequence[Position]) -> np.ndarray:
    """Return the input features of positions as rows of 0 and 1."""
    rows = np.zeros((len(positions), positions[0].game.features))
    for row, position in zip(rows, positions, strict=True):
        row[position.active_features] = 1
    return rows


@dataclass(frozen=True)
class Moves:
    """The legal moves of a position and what they lead to."""

    inputs: np.ndarray
    """The input features of the positions after the moves."""
    signs: np.ndarray
    """-1 where the opponent is to move after the move, 1 where the same side is."""
    results: np.ndarray
    """The results of moves that end the game, for the side that moves; NaN for the others."""

    def values(self, network: ValueNetwork) -> np.ndarray:
        """Return the value of each move."""
        return np.where(np.isnan(self.results), self.signs * network.values(self.inputs), self.results)


def look_ahead(position: Position) -> Moves:
    """Play each legal move."""
    after = [position.play(move) for move in legal_moves(position)]
    results = [np.nan if one.outcome is None else result_for(one, position.turn) for one in after]
    signs = [1.0 if one.turn == position.turn else -1.0 for one in after]
    return Moves(encode(after), np.array(signs), np.array(results))


def result_for(position: Position, side: str) -> float:
    """Return the result of a finished game for a side: 1, 0 or -1."""
    outcome = position.outcome
    winner = None if outcome is None else outcome.winner
    return 0.0 if winner is None else 1.0 if winner == side else -1.0


def best_move(network: ValueNetwork, position: Position) -> str:
    """Return the move with the highest value; the first of several."""
    return legal_moves(position)[int(look_ahead(position).values(network).argmax())]


def train(
    start: Position,
    *,
    games: int,
    hidden: int = 64,
    epsilon: float = 0.7,
    batch: int = 128,
    learning_rate: float = 0.01,
    seed: int = 0,
) -> ValueNetwork:
    """Train a network on games against itself, in which moves are random with probability `epsilon`.

    The network learns from `batch` positions after every game. The learning rate falls to 0.
    """
    random = np.random.default_rng(seed)
    network = ValueNetwork(start.game.features, hidden, seed)
    seen: dict[int, tuple[np.ndarray, Moves]] = {}
    for number in range(games):
        position = start
        while position.outcome is None:
            if position.key not in seen:
                seen[position.key] = encode([position])[0], look_ahead(position)
            moves = seen[position.key][1]
            explores = random.random() < epsilon
            chosen = random.integers(len(moves.signs)) if explores else moves.values(network).argmax()
            position = position.play(legal_moves(position)[int(chosen)])
        while len(seen) > BUFFER:
            del seen[next(iter(seen))]  # the oldest
        known = list(seen.values())
        drawn = [known[index] for index in random.integers(len(known), size=batch)]
        targets = best_values(network, [moves for _, moves in drawn])
        network.update(np.array([inputs for inputs, _ in drawn]), targets, learning_rate * (1 - number / games))
    return network


def best_values(network: ValueNetwork, positions: Sequence[Moves]) -> np.ndarray:
    """Return the value of the best move of each position."""
    joined = Moves(*(np.concatenate(parts) for parts in zip(*(vars(one).values() for one in positions), strict=True)))
    values = joined.values(network)
    ends = np.cumsum([len(one.signs) for one in positions])
    return np.array([part.max() for part in np.split(values, ends[:-1])])
