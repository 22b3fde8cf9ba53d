"""Random positions, and the plainest solver there is."""

from __future__ import annotations

from functools import cache

import plyground
from plyground import Position, Rng


def random_position(spec: str, plies: int, rng: Rng, *, with_history: bool = False) -> Position:
    """An unfinished game after so many random moves; its moves are forgotten unless they are asked for."""
    while True:
        position = plyground.game(spec).start()
        while position.ply < plies and position.outcome is None:
            position = position.play_random(rng)
        if position.outcome is None:
            return position if with_history else position.without_history()


def plain_score(position: Position) -> int:
    """Negamax over every game from here: for the side to move, one more than the discs the winner has left."""
    cells = position.game.rows * position.game.columns
    return _negamax(position, cells - len(position.cells))


@cache
def _negamax(position: Position, left: int) -> int:
    outcome = position.outcome
    if outcome is not None:
        return 0 if outcome.winner is None else -(left // 2 + 1)
    return max(-_negamax(position.play(move).without_history(), left - 1) for move in position.moves)
