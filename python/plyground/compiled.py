"""User games compiled with Numba, so that searches call the rules at native speed.

A state is an array of up to 32 integers and a move is an integer in ``range(actions)``. The rules are four functions
that Numba can compile. `plyground.examples.othello` is a complete example.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from plyground._engine import compiled_limits
from plyground.errors import ParseError, PlygroundError

MAX_STATE_SIZE, MAX_MOVES = compiled_limits()
FAILED = -2
OPTIONAL = ("rows", "columns", "pieces", "cells", "path", "text", "parse", "planes", "repetition_limit")


@runtime_checkable
class CompilableGame(Protocol):
    """The required members of a compiled game.

    The optional members are those of `plyground.UserGame`, except `heuristic` and `cheap_lookahead`.

    `turn`, `moves`, `play` and `outcome` are static methods in the subset of Python that Numba supports. Functions
    that they call must be decorated with ``numba.njit(boundscheck=True)``. `cells`, `path` and `text` take a state as a
    tuple.
    """

    @property
    def id(self) -> str:
        """The name used in specs."""

    @property
    def title(self) -> str:
        """The display name."""

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two sides."""

    @property
    def actions(self) -> int:
        """Number of distinct moves; every move is in ``range(actions)``."""

    def start(self) -> Sequence[int]:
        """Return the initial state; all states have the same length."""

    @property
    def turn(self) -> Callable[[Any], int]:
        """``turn(state)``: the side to move, 0 or 1."""

    @property
    def moves(self) -> Callable[[Any, Any], int]:
        """``moves(state, out)``: write the legal moves to `out`, an array of 512 integers, and return their number."""

    @property
    def play(self) -> Callable[[Any, int], None]:
        """``play(state, move)``: update the state in place."""

    @property
    def outcome(self) -> Callable[[Any], int]:
        """``outcome(state)``: the winner, 0 or 1, or 2 for a draw. Called only if there are no moves."""

    def move_name(self, move: int) -> str:
        """Return the text of a move."""


@dataclass(frozen=True)
class NativeRules:
    """Rules of a game compiled to native functions."""

    addresses: tuple[int, int, int, int, int]
    """Addresses of `moves`, `play`, `play_random`, `turn` and `outcome`."""
    functions: object
    """The Numba functions, which must stay alive as long as their addresses are used."""


class Interpreted:
    """Runs the rules in the Python interpreter, for debugging: slow, but errors have tracebacks."""

    def __init__(self, rules: CompilableGame) -> None:
        self.rules = rules
        self.id, self.title, self.sides = rules.id, rules.title, rules.sides
        self.names = [rules.move_name(move) for move in range(rules.actions)]
        self._actions = {name: move for move, name in enumerate(self.names)}
        self._numpy = _import("numpy")
        self._turn, self._moves = _python_function(rules.turn), _python_function(rules.moves)
        self._play, self._outcome = _python_function(rules.play), _python_function(rules.outcome)
        if len(self._actions) != len(self.names):
            raise ParseError(f"move names of {self.id} must be unique")
        if not 1 <= len(self.start()) <= MAX_STATE_SIZE:
            raise ParseError(
                f"a state of {self.id} must have between 1 and {MAX_STATE_SIZE} integers, got {len(self.start())}"
            )

    def __getattr__(self, name: str) -> Any:
        if name in OPTIONAL:
            return getattr(self.rules, name)
        raise AttributeError(name)

    def start(self) -> tuple[int, ...]:
        """Return the initial state."""
        return tuple(int(number) for number in self.rules.start())

    def turn(self, state: tuple[int, ...]) -> int:
        """Return the side to move."""
        return int(self._turn(self._array(state)))

    def moves(self, state: tuple[int, ...]) -> list[str]:
        """Return the names of the legal moves."""
        out = self._numpy.zeros(MAX_MOVES, dtype="int64")
        count = self._moves(self._array(state), out)
        return [self.names[move] for move in out[:count]]

    def play(self, state: tuple[int, ...], move: str) -> tuple[int, ...]:
        """Return the state after a move."""
        array = self._array(state)
        self._play(array, self._actions[move])
        return tuple(array.tolist())

    def outcome(self, state: tuple[int, ...]) -> int | str:
        """Return the winner, or ``"draw"``."""
        winner = int(self._outcome(self._array(state)))
        return "draw" if winner == 2 else winner

    def _array(self, state: tuple[int, ...]) -> Any:
        if len(state) != len(self.start()):
            raise ValueError(f"a state must have {len(self.start())} integers, got {len(state)}")
        return self._numpy.array(state, dtype="int64")


class Compiled(Interpreted):
    """A game whose rules are compiled when it is registered."""

    def interpreted(self) -> Interpreted:
        """Return the same rules, run by the Python interpreter."""
        return Interpreted(self.rules)

    def build(self) -> NativeRules:
        """Compile the rules, which takes a few seconds."""
        return _compile(self.rules, len(self.start()))


def compiled(rules: CompilableGame) -> Compiled:
    """Prepare a game for `plyground.register`, which compiles it. Requires ``pip install 'plyground[compiled]'``.

    >>> import plyground
    >>> from plyground.examples.tictactoe_compiled import CompiledTicTacToe
    >>> position = plyground.register(plyground.compiled(CompiledTicTacToe())).start()
    >>> position.play("b2").moves
    ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3']
    """
    if isinstance(rules, type):
        raise ParseError(f"compiled expects an instance, not a class; call compiled({rules.__name__}())")
    return Compiled(rules)


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PlygroundError(
            "compiled games require the `compiled` extra: pip install 'plyground[compiled]'"
        ) from error


def _python_function(function: Any) -> Any:
    """Return the undecorated Python function."""
    return getattr(function, "py_func", function)


def _compile(rules: CompilableGame, size: int) -> NativeRules:
    numba = _import("numba")
    types, carray = numba.types, numba.carray
    # With bounds checks, an invalid index raises an exception instead of corrupting memory.
    jit = numba.njit(boundscheck=True)
    turn, moves, play, outcome = (
        jit(_python_function(function)) for function in (rules.turn, rules.moves, rules.play, rules.outcome)
    )
    max_moves, actions = MAX_MOVES, rules.actions
    pointer = types.CPointer(types.int64)

    @numba.cfunc(types.int64(pointer, pointer))  # type: ignore[untyped-decorator]
    def c_moves(state: Any, out: Any) -> Any:
        try:
            buffer = carray(out, (max_moves,))
            count = moves(carray(state, (size,)), buffer)
            for index in range(count):
                if not 0 <= buffer[index] < actions:
                    return FAILED
        except Exception:  # noqa: BLE001  Numba can catch only Exception
            return FAILED
        return count

    @numba.cfunc(types.int64(pointer, types.int64))  # type: ignore[untyped-decorator]
    def c_play(state: Any, move: Any) -> Any:
        try:
            play(carray(state, (size,)), move)
        except Exception:  # noqa: BLE001  Numba can catch only Exception
            return FAILED
        return 0

    @numba.cfunc(types.int64(pointer, pointer, types.uint64))  # type: ignore[untyped-decorator]
    def c_play_random(state: Any, out: Any, bits: Any) -> Any:
        try:
            array, buffer = carray(state, (size,)), carray(out, (max_moves,))
            count = moves(array, buffer)
            if count == 0:
                return -1
            if not 0 < count <= max_moves:
                return FAILED
            # The high 64 bits of bits * count, as in the engine's generator, computed from 32-bit halves.
            n = types.uint64(count)
            low = ((bits & types.uint64(0xFFFFFFFF)) * n) >> types.uint64(32)
            move = buffer[types.int64(((bits >> types.uint64(32)) * n + low) >> types.uint64(32))]
            if not 0 <= move < actions:
                return FAILED
            play(array, move)
        except Exception:  # noqa: BLE001  Numba can catch only Exception
            return FAILED
        return move

    @numba.cfunc(types.int64(pointer))  # type: ignore[untyped-decorator]
    def c_turn(state: Any) -> Any:
        try:
            return turn(carray(state, (size,)))
        except Exception:  # noqa: BLE001  Numba can catch only Exception
            return FAILED

    @numba.cfunc(types.int64(pointer))  # type: ignore[untyped-decorator]
    def c_outcome(state: Any) -> Any:
        try:
            return outcome(carray(state, (size,)))
        except Exception:  # noqa: BLE001  Numba can catch only Exception
            return FAILED

    functions = (c_moves, c_play, c_play_random, c_turn, c_outcome)
    a, b, c, d, e = (function.address for function in functions)
    return NativeRules((a, b, c, d, e), functions)
