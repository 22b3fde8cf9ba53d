"""Rules of a game of your own compiled by Numba: the search calls them as it calls the games that come with plyground.

A state is an array of up to 32 whole numbers, a move a whole number below `codes`; the rules are four functions of
them that Numba can compile. `plyground.examples.othello` is a whole game.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from plyground._engine import compiled_limits
from plyground.errors import ParseError, PlygroundError

MOST_WORDS, MOST_MOVES = compiled_limits()
FAILED = -2
OPTIONAL = ("rows", "columns", "pieces", "cells", "path", "text", "parse", "repetitions")


@runtime_checkable
class CompilableGame(Protocol):
    """What a game must have to be compiled; besides, it may have what `plyground.OwnGame` may, except `estimate`.

    `turn`, `moves`, `play` and `outcome` are static methods in the part of Python that Numba compiles; functions
    they call are decorated with ``numba.njit(boundscheck=True)``. For `cells`, `path` and `text` a state is a tuple.
    """

    @property
    def id(self) -> str:
        """The name in specs."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def sides(self) -> tuple[str, str]:
        """What the two sides are called."""

    @property
    def codes(self) -> int:
        """Every move is below this, and at least 0."""

    def start(self) -> Sequence[int]:
        """The state in which the game begins; all states have as many numbers."""

    @property
    def turn(self) -> Callable[[Any], int]:
        """``turn(state)``: who moves, 0 or 1."""

    @property
    def moves(self) -> Callable[[Any, Any], int]:
        """``moves(state, out)``: writes the legal moves to `out` (room for 512) and returns how many there are."""

    @property
    def play(self) -> Callable[[Any, int], None]:
        """``play(state, move)``: changes the state."""

    @property
    def outcome(self) -> Callable[[Any], int]:
        """``outcome(state)``: who won, 0 or 1, or 2 for a draw; asked only when there are no moves."""

    def name(self, move: int) -> str:
        """The move in words."""


@dataclass(frozen=True)
class Native:
    """The compiled functions."""

    addresses: tuple[int, int, int, int, int]
    """Of `moves`, `play`, `play_random`, `turn` and `outcome`."""
    functions: object
    """What keeps them alive."""


class Plain:
    """The rules as Python runs them, over tuples: slow, and every mistake shows where it is made."""

    def __init__(self, rules: CompilableGame) -> None:
        self.rules = rules
        self.id, self.title, self.sides = rules.id, rules.title, rules.sides
        self.names = [rules.name(code) for code in range(rules.codes)]
        self._codes = {name: code for code, name in enumerate(self.names)}
        self._numpy = _imported("numpy")
        self._turn, self._moves = _python(rules.turn), _python(rules.moves)
        self._play, self._outcome = _python(rules.play), _python(rules.outcome)
        if len(self._codes) != len(self.names):
            raise ParseError(f"two moves of {self.id} have the same name; accepted are different names for all of them")
        if not 1 <= len(self.start()) <= MOST_WORDS:
            raise ParseError(f"a state of {self.id} has {len(self.start())} numbers; accepted are 1 to {MOST_WORDS}")

    def __getattr__(self, name: str) -> Any:
        if name in OPTIONAL:
            return getattr(self.rules, name)
        raise AttributeError(name)

    def start(self) -> tuple[int, ...]:
        """The state in which the game begins."""
        return tuple(int(number) for number in self.rules.start())

    def turn(self, state: tuple[int, ...]) -> int:
        """Who moves."""
        return int(self._turn(self._array(state)))

    def moves(self, state: tuple[int, ...]) -> list[str]:
        """The names of the legal moves."""
        out = self._numpy.zeros(MOST_MOVES, dtype="int64")
        count = self._moves(self._array(state), out)
        return [self.names[code] for code in out[:count]]

    def play(self, state: tuple[int, ...], move: str) -> tuple[int, ...]:
        """The state after a move."""
        array = self._array(state)
        self._play(array, self._codes[move])
        return tuple(array.tolist())

    def outcome(self, state: tuple[int, ...]) -> int | str:
        """Who won."""
        winner = int(self._outcome(self._array(state)))
        return "draw" if winner == 2 else winner

    def _array(self, state: tuple[int, ...]) -> Any:
        if len(state) != len(self.start()):
            raise ValueError(f"a state has {len(self.start())} numbers, not {len(state)}")
        return self._numpy.array(state, dtype="int64")


class Compiled(Plain):
    """The same rules, compiled when the game is registered."""

    def plain(self) -> Plain:
        """The same rules as Python runs them."""
        return Plain(self.rules)

    def build(self) -> Native:
        """Compile the rules; takes some seconds."""
        return _build(self.rules, len(self.start()))


def compiled(rules: CompilableGame) -> Compiled:
    """The game with its rules compiled, for `plyground.register`; needs Numba (``pip install plyground[compiled]``).

    >>> import plyground
    >>> from plyground.examples.tictactoe_compiled import CompiledTicTacToe
    >>> position = plyground.register(plyground.compiled(CompiledTicTacToe())).start()
    >>> position.play("b2").moves
    ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3']
    """
    if isinstance(rules, type):
        raise ParseError(f"compiled takes a game, not a class; accepted is compiled({rules.__name__}())")
    return Compiled(rules)


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PlygroundError("compiled rules need Numba; it comes with: pip install plyground[compiled]") from error


def _python(function: Any) -> Any:
    """The function as Python runs it, whether it is decorated or not."""
    return getattr(function, "py_func", function)


def _build(rules: CompilableGame, size: int) -> Native:
    numba = _imported("numba")
    types, carray = numba.types, numba.carray
    # A wrong index is an exception, never a word of somebody else's memory.
    jit = numba.njit(boundscheck=True)
    turn, moves, play, outcome = (
        jit(_python(function)) for function in (rules.turn, rules.moves, rules.play, rules.outcome)
    )
    most, codes = MOST_MOVES, rules.codes
    numbers = types.CPointer(types.int64)

    @numba.cfunc(types.int64(numbers, numbers))  # type: ignore[untyped-decorator]
    def c_moves(state: Any, out: Any) -> Any:
        try:
            room = carray(out, (most,))
            count = moves(carray(state, (size,)), room)
            for index in range(count):
                if not 0 <= room[index] < codes:
                    return FAILED
        except Exception:  # noqa: BLE001  Numba knows no other
            return FAILED
        return count

    @numba.cfunc(types.int64(numbers, types.int64))  # type: ignore[untyped-decorator]
    def c_play(state: Any, move: Any) -> Any:
        try:
            play(carray(state, (size,)), move)
        except Exception:  # noqa: BLE001  Numba knows no other
            return FAILED
        return 0

    @numba.cfunc(types.int64(numbers, numbers, types.uint64))  # type: ignore[untyped-decorator]
    def c_play_random(state: Any, out: Any, bits: Any) -> Any:
        try:
            words, room = carray(state, (size,)), carray(out, (most,))
            count = moves(words, room)
            if count == 0:
                return -1
            if not 0 < count <= most:
                return FAILED
            # The high half of bits * count, as the generator of the engine draws: both factors in halves of 32 bits.
            n = types.uint64(count)
            low = ((bits & types.uint64(0xFFFFFFFF)) * n) >> types.uint64(32)
            move = room[types.int64(((bits >> types.uint64(32)) * n + low) >> types.uint64(32))]
            if not 0 <= move < codes:
                return FAILED
            play(words, move)
        except Exception:  # noqa: BLE001  Numba knows no other
            return FAILED
        return move

    @numba.cfunc(types.int64(numbers))  # type: ignore[untyped-decorator]
    def c_turn(state: Any) -> Any:
        try:
            return turn(carray(state, (size,)))
        except Exception:  # noqa: BLE001  Numba knows no other
            return FAILED

    @numba.cfunc(types.int64(numbers))  # type: ignore[untyped-decorator]
    def c_outcome(state: Any) -> Any:
        try:
            return outcome(carray(state, (size,)))
        except Exception:  # noqa: BLE001  Numba knows no other
            return FAILED

    functions = (c_moves, c_play, c_play_random, c_turn, c_outcome)
    a, b, c, d, e = (function.address for function in functions)
    return Native((a, b, c, d, e), functions)
