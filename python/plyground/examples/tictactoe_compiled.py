"""Tic-tac-toe compiled with Numba: the game of `plyground.examples.tictactoe`, for speed comparisons.

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
    """Place a mark on an empty square. The first side with three in a row wins; a full board is a draw."""

    # A state is a bitboard of x and one of o (bit 0 is a1, bit 8 is c3), and the side to move.

    id = "compiled-tictactoe"
    title = "Tic-tac-toe, compiled"
    sides = ("x", "o")
    rows = columns = 3
    pieces = {"x": 0, "o": 1}  # noqa: RUF012
    actions = 9

    def start(self) -> tuple[int, int, int]:
        """Return the empty board."""
        return (0, 0, 0)

    @staticmethod
    def turn(state: Any) -> int:
        """Return the side to move."""
        return int(state[2])

    @staticmethod
    def moves(state: Any, out: Any) -> int:
        """Write the empty squares, or none after three in a row."""
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
        """Place a mark on a square."""
        state[state[2]] |= 1 << move
        state[2] = 1 - state[2]

    @staticmethod
    def outcome(state: Any) -> int:
        """Return the side that moved last if it has three in a row, otherwise 2 for a draw."""
        last = state[1 - state[2]]
        for line in LINES:
            if last & line == line:
                return int(1 - state[2])
        return 2

    def move_name(self, move: int) -> str:
        """Return the square: a1 to c3."""
        return f"{'abc'[move % 3]}{move // 3 + 1}"

    def cells(self, state: tuple[int, ...]) -> dict[str, str]:
        """Return the mark on each occupied square."""
        boards = dict(zip("xo", state, strict=False))
        return {
            self.move_name(square): mark for square in range(9) for mark, board in boards.items() if board >> square & 1
        }


plyground.register(plyground.compiled(CompiledTicTacToe()))
