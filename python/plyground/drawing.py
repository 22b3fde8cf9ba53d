"""Boards for people to read in a terminal.

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

from plyground._engine import Position

_RESET = "\x1b[0m"
_SIDES = ("\x1b[1;31m", "\x1b[1;36m")  # bright red and cyan: apart for every kind of colour vision
_FAINT = "\x1b[2m"


def stdout_has_color() -> bool:
    """Whether standard output is a terminal that shows colour; NO_COLOR says no (no-color.org)."""
    return "NO_COLOR" not in os.environ and os.environ.get("TERM", "dumb") != "dumb" and sys.stdout.isatty()


def draw(position: Position, color: bool | None = None, flip: bool = False) -> str:
    """The board as text: four characters a cell, the squares of the last move in brackets.

    Empty squares that have a number show it; other boards are labelled at the edge. `color=None` uses colour
    exactly when standard output is a terminal that has it; `flip` turns the board round.
    """
    game = position.game
    if not game.rows:  # a game of one's own without a board
        return position.text
    paint = stdout_has_color() if color is None else color
    cells = position.cells
    touched = set(position.unplay().path(position.history[-1])) if position.ply else set()

    def cell(name: str | None) -> str:
        if name is None:
            return "    "
        letter = cells.get(name)
        if letter is None:
            word, style = (name if name.isdigit() else "."), _FAINT
        else:
            word, style = letter, _SIDES[game.sides.index(game.pieces[letter][0])]
        if name in touched:
            left, right = ("(", ")")
        else:
            left, right = (" ", " ")
        shown = f"{style}{word}{_RESET}" if paint else word
        return f"{' ' * (2 - len(word))}{left}{shown}{right}"

    rows = [[cell(name) for name in row] for row in game.squares]
    labels = list(game.row_labels) or [""] * len(rows)
    columns = list(game.column_labels)
    if flip:
        rows, labels, columns = [row[::-1] for row in rows[::-1]], labels[::-1], columns[::-1]
    margin = max(map(len, labels))
    lines = [f"{label:>{margin}}{''.join(row)}".rstrip() for label, row in zip(labels, rows, strict=True)]
    if columns:
        lines.append(" " * margin + "".join(f"{label:>3} " for label in columns).rstrip())
    return "\n".join(lines)
