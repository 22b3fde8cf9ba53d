"""Positions set up by placing pieces on the board."""

from __future__ import annotations

from collections.abc import Mapping

from plyground._engine import Game, Position
from plyground.errors import ParseError
from plyground.games import game
from plyground.server.positions.models import PositionRequest

SETUP_GAMES = ("checkers", "chess", "connect4", "tictactoe")
"""Games whose positions can be set up from cells."""


def requested_position(request: PositionRequest) -> Position:
    """Return the requested position."""
    chosen = game(request.game)
    if request.cells is None:
        return chosen.position(request.text, request.moves)
    if request.text is not None:
        raise ParseError("text and cells are mutually exclusive")
    return chosen.position(setup_text(chosen, request.cells, request.turn or chosen.sides[0]), request.moves)


def setup_text(chosen: Game, cells: Mapping[str, str], turn: str) -> str:
    """Return the text of the position with the given piece letters on the given squares.

    >>> setup_text(game("checkers"), {"1": "b", "32": "W"}, "white")
    'W:WK32:B1'
    >>> setup_text(game("tictactoe"), {"b2": "x"}, "o")
    '.../.x./...'
    """
    if chosen.id not in SETUP_GAMES:
        raise ParseError(f"{chosen.id} positions cannot be set up from cells; use text")
    squares = {name for row in chosen.squares for name in row if name is not None}
    for square, letter in cells.items():
        if square not in squares:
            raise ParseError(f"cells: unknown square {square[:20]!r} for {chosen.spec}")
        if letter not in chosen.pieces:
            raise ParseError(
                f"cells: unknown piece {letter[:20]!r} on {square}; available pieces: {', '.join(chosen.pieces)}"
            )
    if turn not in chosen.sides:
        raise ParseError(f"turn must be {' or '.join(chosen.sides)}, got {turn[:40]!r}")
    if chosen.id == "checkers":
        return _checkers(cells, turn)
    if chosen.id == "chess":
        return _chess(chosen, cells, turn)
    _check_counts(chosen, cells, turn)
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
    castling = {"K": ("e1", "K", "h1", "R"), "Q": ("e1", "K", "a1", "R")}
    castling |= {
        right.lower(): (k.replace("1", "8"), "k", r.replace("1", "8"), "r") for right, (k, _, r, _) in castling.items()
    }
    rights = "".join(
        right for right, (k, king, r, rook) in castling.items() if cells.get(k) == king and cells.get(r) == rook
    )
    return f"{'/'.join(rows)} {turn[0]} {rights or '-'} - 0 1"


def _check_counts(chosen: Game, cells: Mapping[str, str], turn: str) -> None:
    """Raise if the piece counts do not match the side to move."""
    first, second = (sum(chosen.pieces[letter][0] == side for letter in cells.values()) for side in chosen.sides)
    if first - second not in (0, 1) or turn != chosen.sides[first - second]:
        raise ParseError(
            f"it cannot be {turn}'s turn with {first} {chosen.sides[0]} and {second} {chosen.sides[1]} pieces: "
            f"{chosen.sides[0]} moves if both have the same number, {chosen.sides[1]} if {chosen.sides[0]} has one more"
        )
