"""Five in a row (gomoku) on a 15x15 board, in plain Python: a game with slow rules and many moves.

>>> import plyground
>>> plyground.game("five-in-a-row").start().play("h8").turn
'white'
"""

from __future__ import annotations

import re

import plyground

SIZE = 15
SQUARES = [f"{chr(ord('a') + column)}{row + 1}" for row in range(SIZE) for column in range(SIZE)]
INDEX = {square: index for index, square in enumerate(SQUARES)}
STEPS = (1, SIZE, SIZE + 1, SIZE + 2)
"""Offsets of neighbouring squares in the text of a board: along rows, antidiagonals, columns and diagonals."""
FIVE = re.compile("|".join(f"([xo])(?:.{{{step - 1}}}\\{group}){{4}}" for group, step in enumerate(STEPS, 1)))


class FiveInARow:
    """Place a stone on an empty square. The first side with five in a row wins; a full board is a draw."""

    # A state is the rows from the bottom, each followed by a slash.

    id = "five-in-a-row"
    title = "Five in a row"
    sides = ("black", "white")
    rows = columns = SIZE
    pieces = {"x": 0, "o": 1}  # noqa: RUF012

    def start(self) -> str:
        """Return the empty board."""
        return ("." * SIZE + "/") * SIZE

    def turn(self, state: str) -> int:
        """Return the side to move."""
        return (SIZE * SIZE - state.count(".")) % 2

    def moves(self, state: str) -> list[str]:
        """Return the empty squares, or none after five in a row."""
        if FIVE.search(state):
            return []
        return [square for square, letter in zip(SQUARES, state.replace("/", ""), strict=True) if letter == "."]

    def play(self, state: str, move: str) -> str:
        """Place a stone."""
        row, column = divmod(INDEX[move], SIZE)
        index = row * (SIZE + 1) + column
        return state[:index] + "xo"[self.turn(state)] + state[index + 1 :]

    def outcome(self, state: str) -> int | str:
        """Return the side that moved last if it has five in a row, otherwise a draw."""
        return 1 - self.turn(state) if FIVE.search(state) else "draw"

    def cells(self, state: str) -> dict[str, str]:
        """Return the stone on each occupied square."""
        return {square: letter for square, letter in zip(SQUARES, state.replace("/", ""), strict=True) if letter != "."}


plyground.register(FiveInARow())
