"""Tic-tac-toe in plain Python, with a board to draw: the game to compare with the one that comes with plyground.

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
    """Whether somebody has three in a row."""
    return any(state[a] == state[b] == state[c] != "." for a, b, c in LINES)


class TicTacToe:
    """The game; a state is a text of nine letters, square a1 first."""

    id = "my-tictactoe"
    title = "Tic-tac-toe of my own"
    sides = ("x", "o")
    rows = columns = 3
    pieces = {"x": 0, "o": 1}  # noqa: RUF012

    def start(self) -> str:
        """An empty board."""
        return "........."

    def turn(self, state: str) -> int:
        """Whose turn it is: as many of one as of the other, and x moves."""
        return (9 - state.count(".")) % 2

    def moves(self, state: str) -> list[str]:
        """The empty squares, while nobody has a line."""
        if has_line(state):
            return []
        return [square for square, letter in zip(SQUARES, state, strict=True) if letter == "."]

    def play(self, state: str, move: str) -> str:
        """Put a letter on a square."""
        index = SQUARES.index(move)
        return state[:index] + "xo"[self.turn(state)] + state[index + 1 :]

    def outcome(self, state: str) -> int | str:
        """The side that moved last has the line, or nobody has."""
        return 1 - self.turn(state) if has_line(state) else "draw"

    def cells(self, state: str) -> dict[str, str]:
        """What stands where."""
        return {square: letter for square, letter in zip(SQUARES, state, strict=True) if letter != "."}


plyground.register(TicTacToe())
