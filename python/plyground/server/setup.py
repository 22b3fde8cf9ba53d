"""Positions set up by hand: from what stands where to the text that a game reads."""

from __future__ import annotations

from collections.abc import Mapping

from plyground._engine import Game, Position
from plyground.errors import ParseError
from plyground.games import game
from plyground.server.views.positions import PositionWanted

GAMES = ("checkers", "chess", "connect4", "tictactoe")
"""Games whose positions can be set up."""


def wanted_position(wanted: PositionWanted) -> Position:
    """The position that a visitor wants; what makes no sense is an error that says why."""
    chosen = game(wanted.game)
    if wanted.cells is None:
        return chosen.position(wanted.text, wanted.moves)
    if wanted.text is not None:
        raise ParseError("text and cells exclude each other; accepted is one of them")
    return chosen.position(text_of(chosen, wanted.cells, wanted.turn or chosen.sides[0]), wanted.moves)


def text_of(chosen: Game, cells: Mapping[str, str], turn: str) -> str:
    """The text of the position with these letters on these squares.

    >>> text_of(game("checkers"), {"1": "b", "32": "W"}, "white")
    'W:WK32:B1'
    >>> text_of(game("tictactoe"), {"b2": "x"}, "o")
    '.../.x./...'
    """
    if chosen.id not in GAMES:
        raise ParseError(f"positions of {chosen.id} cannot be set up by cells; accepted is their text")
    known = {name for row in chosen.squares for name in row if name is not None}
    for square, letter in cells.items():
        if square not in known or letter not in chosen.pieces:
            raise ParseError(
                f"cells: {letter[:20]!r} on {square[:20]!r}; accepted are squares of {chosen.spec} and the letters "
                f"{', '.join(chosen.pieces)}"
            )
    if turn not in chosen.sides:
        raise ParseError(f"turn {turn[:40]!r}: accepted are {' and '.join(chosen.sides)}")
    if chosen.id == "checkers":
        return _checkers(cells, turn)
    if chosen.id == "chess":
        return _chess(chosen, cells, turn)
    _check_turn(chosen, cells, turn)
    return "/".join("".join(cells.get(name or "", ".") for name in row) for row in chosen.squares)


def _checkers(cells: Mapping[str, str], turn: str) -> str:
    def side(man: str, king: str) -> str:
        placed = sorted((int(square), letter) for square, letter in cells.items() if letter in (man, king))
        return ",".join(f"K{square}" if letter == king else str(square) for square, letter in placed)

    return f"{turn[0].upper()}:W{side('w', 'W')}:B{side('b', 'B')}"


def _chess(chosen: Game, cells: Mapping[str, str], turn: str) -> str:
    rows = []
    for row in chosen.squares:
        text, empty = "", 0
        for name in row:
            letter = cells.get(name or "")
            if letter is None:
                empty += 1
                continue
            text += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    homes = {"K": ("e1", "K", "h1", "R"), "Q": ("e1", "K", "a1", "R")}
    homes |= {
        right.lower(): (k.replace("1", "8"), "k", r.replace("1", "8"), "r") for right, (k, _, r, _) in homes.items()
    }
    rights = "".join(
        right for right, (k, king, r, rook) in homes.items() if cells.get(k) == king and cells.get(r) == rook
    )
    return f"{'/'.join(rows)} {turn[0]} {rights or '-'} - 0 1"


def _check_turn(chosen: Game, cells: Mapping[str, str], turn: str) -> None:
    """In games of lines the numbers of discs say who moves."""
    first, second = (sum(chosen.pieces[letter][0] == side for letter in cells.values()) for side in chosen.sides)
    if first - second not in (0, 1) or turn != chosen.sides[first - second]:
        raise ParseError(
            f"{first} of {chosen.sides[0]} and {second} of {chosen.sides[1]} with {turn} to move: accepted is as many "
            f"of both and {chosen.sides[0]} to move, or one more of {chosen.sides[0]} and {chosen.sides[1]} to move"
        )
