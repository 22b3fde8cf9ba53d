"""Tic-tac-toe compiled: the same game as `plyground.examples.tictactoe`, for comparing speed.

>>> import plyground
>>> position = plyground.game("compiled-tictactoe").start()
>>> position.perft(5) == plyground.game("tictactoe").start().perft(5)
True
"""

from __future__ import annotations

from typing import Any

import plyground

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class CompiledTicTacToe:
    """The game; a state is the squares of x and those of o as bits (0 is a1, 8 is c3), and who moves."""

    id = "compiled-tictactoe"
    title = "Tic-tac-toe, compiled"
    sides = ("x", "o")
    rows = columns = 3
    pieces = {"x": 0, "o": 1}  # noqa: RUF012
    codes = 9

    def start(self) -> tuple[int, int, int]:
        """An empty board."""
        return (0, 0, 0)

    @staticmethod
    def turn(state: Any) -> int:
        """Who moves."""
        return int(state[2])

    @staticmethod
    def moves(state: Any, out: Any) -> int:
        """The empty squares, while the side that moved last has no line."""
        last = state[1 - state[2]]
        for line in LINES:
            if last & line == line:
                return 0
        taken, count = state[0] | state[1], 0
        for square in range(9):
            if taken >> square & 1 == 0:
                out[count] = square
                count += 1
        return count

    @staticmethod
    def play(state: Any, move: int) -> None:
        """Put a letter on a square."""
        state[state[2]] |= 1 << move
        state[2] = 1 - state[2]

    @staticmethod
    def outcome(state: Any) -> int:
        """The side that moved last has the line, or nobody has."""
        last = state[1 - state[2]]
        for line in LINES:
            if last & line == line:
                return int(1 - state[2])
        return 2

    def name(self, move: int) -> str:
        """The square: a1 to c3."""
        return f"{'abc'[move % 3]}{move // 3 + 1}"

    def cells(self, state: tuple[int, ...]) -> dict[str, str]:
        """What stands where."""
        return {
            self.name(n): letter for n in range(9) for letter, own in zip("xo", state, strict=False) if own >> n & 1
        }


plyground.register(plyground.compiled(CompiledTicTacToe()))
