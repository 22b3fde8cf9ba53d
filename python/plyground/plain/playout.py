"""Random playouts, the basis of Monte Carlo methods."""

from __future__ import annotations

from collections.abc import Callable

from plyground._engine import Position, Rng
from plyground.errors import GameOverError

PLIES = 10_000
"""Default maximum length of a playout in plies, the same as in the engine."""


def playout(
    position: Position, rng: Rng, plies: int = PLIES, play: Callable[[Position], Position] | None = None
) -> Position:
    """Play random moves until the game ends or `plies` moves are made, and return the last position.

    The moves are uniformly random, or made by `play`. As in the engine, repetition does not end a playout, since random
    repetitions carry no information.

    >>> import plyground
    >>> playout(plyground.game("connect4").position("112233"), plyground.Rng(5)).outcome
    Outcome("yellow", "line")
    """
    for _ in range(plies):
        if (position := _unrepeated(position)).outcome is not None:
            return position
        position = position.play_random(rng) if play is None else play(position)
    return _unrepeated(position)


def _unrepeated(position: Position) -> Position:
    """Return the position, without its history if it is drawn by repetition."""
    outcome = position.outcome
    return position.without_history() if outcome is not None and outcome.reason == "repetition" else position


def reward(position: Position, side: str) -> float:
    """Return the reward of a side: 1 for a win, 0.5 for a draw or an unfinished game, 0 for a loss.

    >>> import plyground
    >>> reward(plyground.game("connect4").position("1212121"), "red")
    1.0
    """
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == side)


def legal_moves(position: Position) -> list[str]:
    """Return the legal moves; raise `GameOverError` if the game is over.

    >>> import plyground
    >>> legal_moves(plyground.game("connect4").position("1212121"))
    Traceback (most recent call last):
    plyground.errors.GameOverError: the game is over (red wins: line); there is no move to choose
    """
    if not (moves := position.moves):
        raise GameOverError(f"the game is over ({position.outcome}); there is no move to choose")
    return moves
