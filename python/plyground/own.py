"""Games of your own, written in Python: any object with these few methods can be registered and played.

>>> import plyground
>>> class Race:
...     id, title, sides = "race", "Race to 21", ("left", "right")
...     def start(self): return (0, 0)                      # the sum, who moves
...     def turn(self, state): return state[1]
...     def moves(self, state): return ["1", "2", "3"][: 21 - state[0]]
...     def play(self, state, move): return (state[0] + int(move), 1 - state[1])
...     def outcome(self, state): return 1 - state[1]       # whoever reached 21
>>> position = plyground.register(Race()).start().play("3")
>>> position.turn, position.text
('right', '(3, 1)')
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from plyground import _engine
from plyground._engine import Game
from plyground.compiled import Compiled
from plyground.errors import ParseError, UnknownNameError
from plyground.spec import parse_spec

State = TypeVar("State", bound=Hashable)

REMEMBER = 1 << 16
"""States of a game that are kept so that they need not be asked twice."""

NEEDED = ("id", "title", "sides", "start", "turn", "moves", "play", "outcome")

_registered: dict[str, Game] = {}


@runtime_checkable
class OwnGame(Protocol[State]):
    """What a game of your own must have. States are any hashable values that are never changed; sides are 0 and 1.

    It may have more:

    - ``text(state) -> str`` and ``parse(text) -> state``: the position in writing, and back. Without them a position
      is written as Python writes its state, which numbers, texts and tuples of them allow.
    - ``rows``, ``columns``, ``pieces`` (letter to side, as in ``{"x": 0, "o": 1}``) and ``cells(state)`` (square to
      letter, as in ``{"b2": "x"}``): a board to draw. Squares are named as in chess, ``a1`` at the bottom left.
    - ``path(state, move) -> list[str]``: the squares a hand touches. Without it, those that the move's text names.
    - ``estimate(state) -> float``: how much the side to move stands better, in hundredths of a piece.
    - ``repetitions``: a position that occurs so often is a draw; needed where positions can come back.
    """

    @property
    def id(self) -> str:
        """The name in specs: lower-case letters, digits, ``_`` and ``-``."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def sides(self) -> tuple[str, str]:
        """What the two sides are called, the one that usually begins first."""

    def start(self) -> State:
        """The state in which the game begins."""

    def turn(self, state: State) -> int:
        """Who moves, 0 or 1; sides need not alternate."""

    def moves(self, state: State) -> list[str]:
        """The legal moves, always in the same order; empty exactly when the game is over."""

    def play(self, state: State, move: str) -> State:
        """The state after one of the `moves`."""

    def outcome(self, state: State) -> int | str:
        """Who won, 0, 1 or ``"draw"``; asked only when there are no moves."""


def register(own: OwnGame[Any], *, remember: int = REMEMBER) -> Game:
    """Make a game known by its id: to `plyground.game`, `plyground.games`, agents, matches and records.

    At most `remember` states are kept in memory. A game registered again under its id replaces the old one. What is
    pickled can be read where the game is registered too.
    """
    if isinstance(own, type):
        raise ParseError(f"register takes a game, not a class; accepted is register({own.__name__}())")
    if missing := [name for name in NEEDED if not hasattr(own, name)]:
        raise ParseError(f"the game {type(own).__name__} lacks {', '.join(missing)}; needed are {', '.join(NEEDED)}")
    if parse_spec(own.id).options or str(parse_spec(own.id)) != own.id:
        raise ParseError(f"game id {own.id!r}: accepted are lower-case letters, digits, _ and -")
    if own.id in _engine.game_ids():
        raise ParseError(f"game id {own.id!r}: a game that comes with plyground is called so; choose another")
    if isinstance(own, Compiled):
        native = own.build()
        game = _engine.compiled_game(_Adapter(own), own.start(), own.names, native.addresses, native.functions)
    else:
        game = _engine.own_game(_Adapter(own), remember)
    _registered[own.id] = game
    return game


def registered() -> dict[str, Game]:
    """The registered games by id, in the order in which they were registered first."""
    return dict(_registered)


def registered_game(name: str, options: Mapping[str, str]) -> Game | None:
    """The registered game of this id; None where there is none."""
    game = _registered.get(name)
    if game is not None and options:
        raise UnknownNameError(f"{name} has no option {next(iter(options))!r}; it has: none")
    return game


class _Adapter:
    """A game as the engine asks it: what is optional filled in, squares as indexes in reading order."""

    def __init__(self, game: OwnGame[Any]) -> None:
        self.game = game
        self.id, self.title = str(game.id), str(game.title)
        self.sides = _sides(game)
        self.rows, self.columns = _whole(game, "rows"), _whole(game, "columns")
        self.repetitions = _whole(game, "repetitions")
        self.column_labels = [_column(column) for column in range(self.columns)]
        self.row_labels = [str(row) for row in range(self.rows, 0, -1)]
        self.squares = [column + row for row in self.row_labels for column in self.column_labels]
        self.pieces = [(str(letter), int(side), "piece") for letter, side in getattr(game, "pieces", {}).items()]
        self._index = {name: index for index, name in enumerate(self.squares)}
        self._letters = {letter for letter, _, _ in self.pieces}

    def text(self, state: Any) -> str:
        own = getattr(self.game, "text", None)
        return str(own(state)) if own is not None else repr(state)

    def parse(self, text: str) -> Any:
        own = getattr(self.game, "parse", None)
        try:
            state = own(text) if own is not None else _literal(text, self.game.start())
            self.game.moves(state)  # what is no state should show before it is played on
        except Exception as error:
            raise ParseError(f"text {text[:80]!r} is not a position of {self.id}: {error}") from error
        return state

    def cells(self, state: Any) -> list[tuple[int, str]]:
        own = getattr(self.game, "cells", None)
        found = []
        for square, letter in own(state).items() if own is not None else ():
            if square not in self._index or letter not in self._letters:
                raise ParseError(
                    f"cells(state) gave {square!r}: {letter!r}; accepted are squares of {self.rows} rows and "
                    f"{self.columns} columns, with letters of pieces ({', '.join(sorted(self._letters)) or 'none'})"
                )
            found.append((self._index[square], letter))
        return found

    def path(self, state: Any, move: str) -> list[int]:
        own = getattr(self.game, "path", None)
        squares: Iterable[str] = own(state, move) if own is not None else re.findall("[a-z]+[0-9]+", move)
        return [self._index[square] for square in squares if square in self._index]


def _literal(text: str, start: Any) -> Any:
    state = ast.literal_eval(text)
    if type(state) is not type(start) or repr(state) != text:
        raise ValueError(f"accepted is a text such as {start!r}")
    return state


def _sides(game: OwnGame[Any]) -> tuple[str, str]:
    sides = tuple(game.sides)
    if len(sides) != 2 or sides[0] == sides[1] or not all(isinstance(side, str) and side for side in sides):
        raise ParseError(f"the sides of {game.id} are {game.sides!r}; accepted are two different names")
    return sides[0], sides[1]


def _whole(game: OwnGame[Any], name: str) -> int:
    value = getattr(game, name, 0)
    if not isinstance(value, int) or not 0 <= value <= 64:
        raise ParseError(f"{name} of {game.id} is {value!r}; accepted is a whole number from 0 to 64")
    return value


def _column(column: int) -> str:
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else _column(column // 26 - 1) + letter
