"""Where games come from: by name, with options."""

from __future__ import annotations

from collections.abc import Sequence

from plyground import _engine
from plyground._engine import Game, Position
from plyground.errors import UnknownNameError
from plyground.own import registered, registered_game
from plyground.spec import parse_spec


def game(spec: str) -> Game:
    """The game that a spec names; unknown names and sizes that make no sense are errors that say what is accepted.

    >>> game("checkers").title
    'Checkers'
    >>> game("connect4(columns=8)").columns
    8
    """
    parsed = parse_spec(spec)
    own = registered_game(parsed.name, parsed.options)
    if own is not None:
        return own
    if parsed.name not in _engine.game_ids() and registered():
        known = ", ".join([*_engine.game_ids(), *registered()])
        raise UnknownNameError(f'no game is called "{parsed.name[:80]}"; there are: {known}')
    return _engine.game(parsed.name, list(parsed.options.items()))


def games() -> list[Game]:
    """Every game with its default options, in the order in which people meet them; then the registered ones."""
    return [game(name) for name in [*_engine.game_ids(), *registered()]]


def position(spec: str, start: str, moves: Sequence[str]) -> Position:
    """A position of a game from its start text and the moves since; what pickles are made of."""
    return game(spec).position(start, moves)
