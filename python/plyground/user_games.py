"""User games: games written in Python. Any object with the members of `UserGame` can be registered and played.

>>> import plyground
>>> class Race:
...     id, title, sides = "race", "Race to 21", ("left", "right")
...     def start(self): return (0, 0)                      # the sum and the side to move
...     def turn(self, state): return state[1]
...     def moves(self, state): return ["1", "2", "3"][: 21 - state[0]]
...     def play(self, state, move): return (state[0] + int(move), 1 - state[1])
...     def outcome(self, state): return 1 - state[1]       # the side that reached 21 wins
>>> position = plyground.register(Race()).start().play("3")
>>> position.turn, position.text
('right', '(3, 1)')
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import traceback
from collections.abc import Hashable, Iterable, Mapping
from types import TracebackType
from typing import Any, Protocol, TypeVar, runtime_checkable

from plyground import _engine
from plyground._engine import Game
from plyground.compiled import Compiled, Interpreted
from plyground.errors import ParseError, unknown_name
from plyground.spec import parse_spec

State = TypeVar("State", bound=Hashable)

DEFAULT_CACHE_MEBIBYTES = 16
"""Memory for cached states while no search is running."""
MAX_CACHE_MEBIBYTES = 2**20

REQUIRED = ("id", "title", "sides", "start", "turn", "moves", "play", "outcome")
MAX_BOARD_SIZE = 64

_registered: dict[str, Game] = {}
_rules: dict[str, UserGame[Any]] = {}
"""The objects passed to `register`, by id."""


@runtime_checkable
class UserGame(Protocol[State]):
    """The required members of a user game. States are hashable, immutable values; the sides are 0 and 1.

    Optional members:

    - ``text(state) -> str`` and ``parse(text) -> state``: the textual form of a position. The default is the `repr`
      of the state, which must be a Python literal.
    - ``rows``, ``columns``, ``pieces`` (letter to side: ``{"x": 0, "o": 1}``) and ``cells(state)`` (square to letter:
      ``{"b2": "x"}``): a board to draw. Squares are named as in chess, with ``a1`` at the bottom left.
    - ``path(state, move) -> list[str]``: the squares a player selects to enter the move. The default is the squares
      named in the move.
    - ``planes(state)``: the input of networks from the point of view of the side to move: an array, or nested lists, of
      planes, rows and columns, always of the same shape. The default has a plane for each kind of piece.
    - ``rules``: the rules in a few sentences, for players. The default is the docstring of the class.
    - ``heuristic(state) -> float``: a static evaluation for the side to move, in hundredths of a piece.
    - ``cheap_lookahead``: True if `moves` and `play` are fast enough for a tree search to try every reply to every root
      move, which prevents moves that lose at once; False by default.
    - ``repetition_limit``: a position that occurs this many times is a draw; required if positions can repeat.
    """

    @property
    def id(self) -> str:
        """The name used in specs: lower-case letters, digits, ``_`` and ``-``."""

    @property
    def title(self) -> str:
        """The display name."""

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two sides; the first one usually moves first."""

    def start(self) -> State:
        """Return the initial state."""

    def turn(self, state: State) -> int:
        """Return the side to move, 0 or 1; sides need not alternate."""

    def moves(self, state: State) -> list[str]:
        """Return the legal moves in a fixed order; empty if and only if the game is over."""

    def play(self, state: State, move: str) -> State:
        """Return the state after a legal move."""

    def outcome(self, state: State) -> int | str:
        """Return the winner, 0 or 1, or ``"draw"``. Called only if there are no moves."""


def register(user_game: UserGame[Any], *, cache_mebibytes: float = DEFAULT_CACHE_MEBIBYTES) -> Game:
    """Make a game available by its id to `plyground.game`, `plyground.games`, agents, matches and records.

    Cached states use up to `cache_mebibytes` of memory; during a search, up to half of the search's memory limit.
    Registering another game with the same id replaces the earlier one. Pickled positions can be loaded in any process
    that has registered the game.
    """
    if not 0 <= cache_mebibytes <= MAX_CACHE_MEBIBYTES:
        raise ParseError(f"cache_mebibytes must be between 0 and {MAX_CACHE_MEBIBYTES}, got {cache_mebibytes}")
    if isinstance(user_game, type):
        raise ParseError(f"register expects an instance, not a class; call register({user_game.__name__}())")
    if missing := [name for name in REQUIRED if not hasattr(user_game, name)]:
        raise ParseError(
            f"the game {type(user_game).__name__} lacks {', '.join(missing)}; required: {', '.join(REQUIRED)}"
        )
    if parse_spec(user_game.id).options or str(parse_spec(user_game.id)) != user_game.id:
        raise ParseError(f"a game id must consist of lower-case letters, digits, _ and -, got {user_game.id!r}")
    if user_game.id in _engine.game_ids():
        raise ParseError(f"game id {user_game.id!r} belongs to a built-in game; choose another")
    if isinstance(user_game, Compiled):
        native = user_game.build()
        game = _engine.compiled_game(
            _Adapter(user_game), user_game.start(), user_game.names, native.addresses, native.functions
        )
    else:
        game = _engine.user_game(_Adapter(user_game), int(cache_mebibytes * 2**20))
    _registered[user_game.id] = game
    _rules[user_game.id] = user_game
    return game


def registered() -> dict[str, Game]:
    """Return the registered games by id, in the order of first registration."""
    return dict(_registered)


def rules(game_id: str) -> UserGame[Any]:
    """Return the object with the rules of a registered game."""
    return _rules[game_id]


def registered_game(name: str, options: Mapping[str, str]) -> Game | None:
    """Return the registered game with this id, or None."""
    game = _registered.get(name)
    if game is not None and options:
        raise unknown_name("option", next(iter(options)), [], scope=f"for game {name}")
    return game


class _Adapter:
    """Adapts a game to the engine: supplies missing optional members and converts squares to row-major indexes."""

    def __init__(self, game: UserGame[Any]) -> None:
        self.game = game
        self.id, self.title = str(game.id), str(game.title)
        self.rules = _rules_text(game)
        self.sides = _sides(game)
        self.rows, self.columns = _small_int(game, "rows"), _small_int(game, "columns")
        self.repetition_limit = _small_int(game, "repetition_limit")
        self.cheap_lookahead = bool(getattr(game, "cheap_lookahead", False))
        self._planes: Any = getattr(game, "planes", None)
        self.plane_shape = None if self._planes is None else _plane_shape(self._planes(game.start()))
        self.column_labels = [_column_label(column) for column in range(self.columns)]
        self.row_labels = [str(row) for row in range(self.rows, 0, -1)]
        self.squares = [column + row for row in self.row_labels for column in self.column_labels]
        self.pieces = [(str(letter), int(side), "piece") for letter, side in getattr(game, "pieces", {}).items()]
        self._index = {name: index for index, name in enumerate(self.squares)}
        self._letters = {letter for letter, _, _ in self.pieces}

    def location(self, trace: TracebackType | None) -> str | None:
        """Return ` in FILE, line N` for the innermost call in the game's own file, or else for the innermost call.

        Return None if the rules run in another process, whose errors already contain the location.
        """
        if getattr(self.game, "is_remote", False):
            return None
        calls = traceback.extract_tb(trace)
        module = sys.modules.get(type(self.game).__module__)
        own = [call for call in calls if call.filename == getattr(module, "__file__", None)]
        last = (own or calls)[-1:]
        return "".join(f" in {call.filename}, line {call.lineno}" for call in last)

    def text(self, state: Any) -> str:
        method = getattr(self.game, "text", None)
        return str(method(state)) if method is not None else repr(state)

    def parse(self, text: str) -> Any:
        method = getattr(self.game, "parse", None)
        try:
            state = method(text) if method is not None else _parse_literal(text, self.game.start())
            self.game.moves(state)  # an invalid state should fail here, not later
        except Exception as error:
            raise ParseError(f"text {text[:80]!r} is not a valid {self.id} position: {error}") from error
        return state

    def cells(self, state: Any) -> list[tuple[int, str]]:
        method = getattr(self.game, "cells", None)
        cells = []
        for square, letter in method(state).items() if method is not None else ():
            if square not in self._index or letter not in self._letters:
                raise ParseError(
                    f"cells(state) returned {square!r}: {letter!r}; squares must be on the board of {self.rows} rows "
                    f"and {self.columns} columns, and letters must be in pieces "
                    f"({', '.join(sorted(self._letters)) or 'none'})"
                )
            cells.append((self._index[square], letter))
        return cells

    def planes(self, state: Any) -> list[float]:
        planes = self._planes(state)
        if (shape := _plane_shape(planes)) != self.plane_shape:
            raise ParseError(f"planes(state) must have the shape of planes(start()), {self.plane_shape}, got {shape}")
        return [float(value) for plane in planes for row in plane for value in row]

    def path(self, state: Any, move: str) -> list[int]:
        method = getattr(self.game, "path", None)
        squares: Iterable[str] = method(state, move) if method is not None else re.findall("[a-z]+[0-9]+", move)
        return [self._index[square] for square in squares if square in self._index]


def _rules_text(game: object) -> str:
    """Return the rules in words: the attribute ``rules``, else the docstring of the class."""
    source = game.rules if isinstance(game, Interpreted) else game
    text = getattr(source, "rules", None)
    return text if isinstance(text, str) else inspect.cleandoc(type(source).__doc__ or "")


def _parse_literal(text: str, start: Any) -> Any:
    state = ast.literal_eval(text)
    if type(state) is not type(start) or repr(state) != text:
        raise ValueError(f"expected text such as {start!r}")
    return state


def _plane_shape(planes: Any) -> tuple[int, int, int]:
    sizes = {(len(plane), len(row)) for plane in planes for row in plane}
    if len(sizes) != 1:
        raise ParseError("planes(state) must return at least one plane, all with the same number of rows and columns")
    rows, columns = next(iter(sizes))
    return len(planes), rows, columns


def _sides(game: UserGame[Any]) -> tuple[str, str]:
    sides = tuple(game.sides)
    if len(sides) != 2 or sides[0] == sides[1] or not all(isinstance(side, str) and side for side in sides):
        raise ParseError(f"sides of {game.id} must be two different names, got {game.sides!r}")
    return sides[0], sides[1]


def _small_int(game: UserGame[Any], name: str) -> int:
    value = getattr(game, name, 0)
    if not isinstance(value, int) or not 0 <= value <= MAX_BOARD_SIZE:
        raise ParseError(f"{name} of {game.id} must be an integer between 0 and {MAX_BOARD_SIZE}, got {value!r}")
    return value


def _column_label(column: int) -> str:
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else _column_label(column // 26 - 1) + letter
