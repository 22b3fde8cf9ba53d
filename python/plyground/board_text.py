"""Boards as text for the terminal.

>>> import plyground
>>> print(draw(plyground.game("tictactoe").start().play("b2"), color=False))
3  .   .   .
2  .  (x)  .
1  .   .   .
   a   b   c
"""

from __future__ import annotations

import os
import sys

from plyground._engine import Game, Position

_RESET = "\x1b[0m"
_SIDE_COLORS = ("\x1b[1;31m", "\x1b[1;36m")  # bright red and cyan, distinct for colour-blind readers
_FAINT = "\x1b[2m"


def stdout_has_color() -> bool:
    """Whether standard output is a colour terminal and NO_COLOR is not set (no-color.org)."""
    return "NO_COLOR" not in os.environ and os.environ.get("TERM", "dumb") != "dumb" and sys.stdout.isatty()


def is_turned_for(game: Game, side: str) -> bool:
    """Whether the board is drawn rotated by 180 degrees for a side: the top side, in games whose pieces move.

    Boards on which pieces are only placed, as in Connect Four, look the same to both sides.
    """
    if side == game.bottom:
        return False
    start = game.start()
    paths = [start.path(move) for move in start.moves]
    return bool(paths) and all(len(path) > 1 for path in paths)


def draw(position: Position, color: bool | None = None, flip: bool = False) -> str:
    """Return the board as text, with the squares of the last move in parentheses.

    On boards with numbered squares, the letter of a piece follows the number of its square: ``11b``. Other boards have
    labels along the edges. `color=None` uses colour if standard output supports it. `flip` rotates the board by 180
    degrees.
    """
    game = position.game
    if not game.rows:  # a user game without a board
        return position.text
    use_color = stdout_has_color() if color is None else color
    cells = position.cells
    last_squares = set(position.undo().path(position.history[-1])) if position.ply else set()
    digits = max((len(name) for row in game.squares for name in row if name is not None and name.isdigit()), default=0)

    def styled(text: str, style: str) -> str:
        return f"{style}{text}{_RESET}" if use_color and text.strip() else text

    def draw_cell(square: str | None) -> str:
        if square is None:
            return " " * (digits + 3 if digits else 4)
        number = styled(f"{square:>{digits}}", _FAINT) if digits else ""
        letter = cells.get(square)
        if letter is None:
            piece = " " if digits else styled(".", _FAINT)
        else:
            piece = styled(letter, _SIDE_COLORS[game.sides.index(game.pieces[letter][0])])
        left, right = ("(", ")") if square in last_squares else (" ", " ")
        indent = "" if digits else " " * (2 - len(letter or "."))
        return f"{indent}{left}{number}{piece}{right}"

    rows = [[draw_cell(square) for square in row] for row in game.squares]
    row_labels = list(game.row_labels) or [""] * len(rows)
    column_labels = list(game.column_labels)
    if flip:
        rows, row_labels, column_labels = [row[::-1] for row in rows[::-1]], row_labels[::-1], column_labels[::-1]
    margin = max(map(len, row_labels))
    lines = [f"{label:>{margin}}{''.join(row)}".rstrip() for label, row in zip(row_labels, rows, strict=True)]
    if column_labels:
        lines.append(" " * margin + "".join(f"{label:>3} " for label in column_labels).rstrip())
    return "\n".join(lines)
