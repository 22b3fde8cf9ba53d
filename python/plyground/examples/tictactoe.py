"""Tic-tac-toe in plain Python, with a board, for comparison with the built-in game.

>>> import plyground
>>> print(plyground.game("my-tictactoe").start().play("b2").play("a1"))
3  .   .   .
2  .   x   .
1 (o)  .   .
   a   b   c
"""

from __future__ import annotations

import plyground

SQUARES = [column + row for row in "123" for column in "abc"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_line(state: str) -> bool:
    """Whether a side has three in a row."""
    return any(state[a] == state[b] == state[c] != "." for a, b, c in LINES)


class TicTacToe:
    """Place a mark on an empty square. The first side with three in a row wins; a full board is a draw."""

    # A state is a string of nine characters, beginning with square a1.

    id = "my-tictactoe"
    title = "My tic-tac-toe"
    sides = ("x", "o")
    rows = columns = 3
    cheap_lookahead = True
    pieces = {"x": 0, "o": 1}  # noqa: RUF012

    def start(self) -> str:
        """Return the empty board."""
        return "........."

    def turn(self, state: str) -> int:
        """Return the side to move: x if both sides have placed equally many marks."""
        return (9 - state.count(".")) % 2

    def moves(self, state: str) -> list[str]:
        """Return the empty squares, or none after three in a row."""
        if has_line(state):
            return []
        return [square for square, letter in zip(SQUARES, state, strict=True) if letter == "."]

    def play(self, state: str, move: str) -> str:
        """Place a mark on a square."""
        index = SQUARES.index(move)
        return state[:index] + "xo"[self.turn(state)] + state[index + 1 :]

    def outcome(self, state: str) -> int | str:
        """Return the side that moved last if it has three in a row, otherwise a draw."""
        return 1 - self.turn(state) if has_line(state) else "draw"

    def cells(self, state: str) -> dict[str, str]:
        """Return the mark on each occupied square."""
        return {square: letter for square, letter in zip(SQUARES, state, strict=True) if letter != "."}


plyground.register(TicTacToe())
