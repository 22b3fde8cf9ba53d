"""A game played to its end by chance: what Monte Carlo methods learn from."""

from __future__ import annotations

from plyground._engine import Position, Rng
from plyground.errors import GameOverError

PLIES = 10_000
"""Plies after which a playout is cut off, unless told otherwise; the engine's default too."""


def playout(position: Position, rng: Rng, plies: int = PLIES) -> Position:
    """Plays random moves, each legal one as likely, to the end or until `plies` are made; where that led.

    As in the engine repetition ends no playout: chance repeats itself without meaning anything.

    >>> import plyground
    >>> playout(plyground.game("connect4").position("112233"), plyground.Rng(5)).outcome
    Outcome("yellow", "line")
    """
    for _ in range(plies):
        if (outcome := position.outcome) is not None:
            if outcome.reason != "repetition":
                break
            position = position.without_history()
        position = position.play_random(rng)
    return position


def reward(position: Position, side: str) -> float:
    """What a side gets where a playout ended: 1 for a win, 0.5 for a draw or a game cut off, 0 for a loss.

    >>> import plyground
    >>> reward(plyground.game("connect4").position("1212121"), "red")
    1.0
    """
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == side)


def legal_moves(position: Position) -> list[str]:
    """The legal moves; an error where the game is over and nothing is left but to concede.

    >>> import plyground
    >>> legal_moves(plyground.game("connect4").position("1212121"))
    Traceback (most recent call last):
    plyground.errors.GameOverError: the game is over (red wins: line); there is no move to choose
    """
    if not (moves := position.moves):
        raise GameOverError(f"the game is over ({position.outcome}); there is no move to choose")
    return moves
