"""Game lookup by spec."""

from __future__ import annotations

from collections.abc import Sequence

from plyground import _engine
from plyground._engine import Game, Position
from plyground.errors import did_you_mean, unknown_name
from plyground.spec import parse_spec
from plyground.user_games import registered, registered_game


def game(spec: str) -> Game:
    """Return the game that a spec names; raise `PlygroundError` for unknown names and invalid options.

    >>> game("checkers").title
    'Checkers'
    >>> game("connect4(columns=8)").columns
    8
    """
    name = spec.partition("(")[0].strip()
    known = [*_engine.game_ids(), *registered()]
    if name not in known:
        if not did_you_mean(name, known):
            parse_spec(spec)  # the error for a malformed spec comes first
        raise unknown_name("game", name, known)
    parsed = parse_spec(spec)
    user_game = registered_game(parsed.name, parsed.options)
    if user_game is not None:
        return user_game
    return _engine.game(parsed.name, list(parsed.options.items()))


def games() -> list[Game]:
    """Return all games with their default options: the built-in ones in display order, then the registered ones."""
    return [game(name) for name in [*_engine.game_ids(), *registered()]]


def position(spec: str, start: str, moves: Sequence[str]) -> Position:
    """Return the position after `moves` from the position text `start`. Unpickling a position calls this."""
    return game(spec).position(start, moves)
