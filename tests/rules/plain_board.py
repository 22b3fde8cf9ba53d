"""Tic-tac-toe and Connect Four of any size, written for clarity rather than speed. Shares no code with the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class PlainBoard:
    """A position: the rows from top to bottom, with `.` for an empty cell.

    `line` is the number of pieces in a row needed to win, `drops` is whether pieces fall to the bottom, and `letters`
    are the pieces of the first and the second player.
    """

    rows: tuple[str, ...]
    line: int
    drops: bool
    letters: str

    @property
    def text(self) -> str:
        return "/".join(self.rows)

    @property
    def turn(self) -> int:
        """The side to move: 0 if both sides have the same number of pieces, otherwise 1."""
        counts = [self.text.count(letter) for letter in self.letters]
        return 0 if counts[0] == counts[1] else 1

    def lines_of(self, letter: str) -> list[list[tuple[int, int]]]:
        """Return the cells of every winning line of this letter."""
        height, width = len(self.rows), len(self.rows[0])
        lines = []
        for row in range(height):
            for column in range(width):
                for down, right in DIRECTIONS:
                    cells = [(row + n * down, column + n * right) for n in range(self.line)]
                    if all(0 <= r < height and 0 <= c < width and self.rows[r][c] == letter for r, c in cells):
                        lines.append(cells)
        return lines

    def winners(self) -> set[str]:
        return {letter for letter in self.letters if self.lines_of(letter)}

    def is_full(self) -> bool:
        return "." not in self.text

    def moves(self) -> list[tuple[int, int]]:
        """Return the row and column, from the top left, of every legal move. A won position has none."""
        if self.winners():
            return []
        empty = [
            (row, column) for row, cells in enumerate(self.rows) for column, cell in enumerate(cells) if cell == "."
        ]
        if self.drops:
            return [(row, column) for row, column in empty if (row + 1, column) not in empty]
        return empty

    def play(self, row: int, column: int) -> PlainBoard:
        cells = self.rows[row]
        changed = cells[:column] + self.letters[self.turn] + cells[column + 1 :]
        return PlainBoard((*self.rows[:row], changed, *self.rows[row + 1 :]), self.line, self.drops, self.letters)


def empty_board(rows: int, columns: int, line: int, *, drops: bool, letters: str) -> PlainBoard:
    return PlainBoard(("." * columns,) * rows, line, drops, letters)


@cache
def count_sequences(board: PlainBoard, depth: int) -> int:
    """Return the number of legal move sequences of length `depth`."""
    if depth == 0:
        return 1
    return sum(count_sequences(board.play(*move), depth - 1) for move in board.moves())
