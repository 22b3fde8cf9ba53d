"""Games as environments for reinforcement learning. Requires the `rl` extra (PettingZoo and Gymnasium)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground._engine import Game
from plyground.errors import PlygroundError

if TYPE_CHECKING:
    from plyground.rl.aec import GameEnv

MAX_PLIES = 10_000
"""Default number of moves after which a game is truncated."""


def env(
    game: str | Game, *, start: str | None = None, max_plies: int = MAX_PLIES, render_mode: str | None = None
) -> GameEnv:
    """Return a game as a PettingZoo AEC environment (see `plyground.rl.aec.GameEnv`).

    `start` is the text of the start position. A game is truncated after `max_plies` moves. The render modes are
    ``ansi`` (text) and ``svg``.
    """
    try:
        from plyground.rl.aec import GameEnv
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pettingzoo", "gymnasium"):
            raise
        raise PlygroundError("pg.env requires the `rl` extra: pip install 'plyground[rl]'") from error
    return GameEnv(game, start=start, max_plies=max_plies, render_mode=render_mode)
