"""Random positions, and plain negamax."""

from __future__ import annotations

from functools import cache

import plyground
from plyground import Position, Rng


def random_position(spec: str, plies: int, rng: Rng, *, with_history: bool = False) -> Position:
    """Return an unfinished position after `plies` random moves, with or without its history."""
    while True:
        position = plyground.game(spec).start()
        while position.ply < plies and position.outcome is None:
            position = position.play_random(rng)
        if position.outcome is None:
            return position if with_history else position.without_history()


def plain_score(position: Position) -> int:
    """Return the exact score of a position, as `plyground.exact` defines it, by negamax."""
    cells = position.game.rows * position.game.columns
    return _negamax(position, cells - len(position.cells))


@cache
def _negamax(position: Position, empty: int) -> int:
    outcome = position.outcome
    if outcome is not None:
        return 0 if outcome.winner is None else -(empty // 2 + 1)
    return max(-_negamax(position.play(move).without_history(), empty - 1) for move in position.moves)
