"""Positions set up by placing pieces on the board."""

from __future__ import annotations

from collections.abc import Mapping

from plyground._engine import Game, Position
from plyground.errors import ParseError
from plyground.games import game as make_game
from plyground.server.positions.models import PositionRequest

SETUP_GAMES = ("checkers", "chess", "connect4", "tictactoe")
"""Games whose positions can be set up from cells."""


def requested_position(request: PositionRequest) -> Position:
    """Return the requested position."""
    game = make_game(request.game)
    if request.cells is None:
        return game.position(request.text, request.moves)
    if request.text is not None:
        raise ParseError("text and cells are mutually exclusive")
    return game.position(setup_text(game, request.cells, request.turn or game.sides[0]), request.moves)


def setup_text(game: Game, cells: Mapping[str, str], turn: str) -> str:
    """Return the text of the position with the given piece letters on the given squares.

    >>> setup_text(make_game("checkers"), {"1": "b", "32": "W"}, "white")
    'W:WK32:B1'
    >>> setup_text(make_game("tictactoe"), {"b2": "x"}, "o")
    '.../.x./...'
    """
    if game.id not in SETUP_GAMES:
        raise ParseError(f"{game.id} positions cannot be set up from cells; use text")
    squares = {name for row in game.squares for name in row if name is not None}
    for square, letter in cells.items():
        if square not in squares:
            raise ParseError(f"cells: unknown square {square[:20]!r} for {game.spec}")
        if letter not in game.pieces:
            raise ParseError(
                f"cells: unknown piece {letter[:20]!r} on {square}; available pieces: {', '.join(game.pieces)}"
            )
    if turn not in game.sides:
        raise ParseError(f"turn must be {' or '.join(game.sides)}, got {turn[:40]!r}")
    if game.id == "checkers":
        return _checkers(cells, turn)
    if game.id == "chess":
        return _chess(game, cells, turn)
    _check_counts(game, cells, turn)
    return "/".join("".join(cells.get(name or "", ".") for name in row) for row in game.squares)


def _checkers(cells: Mapping[str, str], turn: str) -> str:
    def side(man: str, king: str) -> str:
        placed = sorted((int(square), letter) for square, letter in cells.items() if letter in (man, king))
        return ",".join(f"K{square}" if letter == king else str(square) for square, letter in placed)

    return f"{turn[0].upper()}:W{side('w', 'W')}:B{side('b', 'B')}"


def _chess(game: Game, cells: Mapping[str, str], turn: str) -> str:
    rows = []
    for row in game.squares:
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


def _check_counts(game: Game, cells: Mapping[str, str], turn: str) -> None:
    """Raise if the piece counts do not match the side to move."""
    first, second = (sum(game.pieces[letter][0] == side for letter in cells.values()) for side in game.sides)
    if first - second not in (0, 1) or turn != game.sides[first - second]:
        raise ParseError(
            f"it cannot be {turn}'s turn with {first} {game.sides[0]} and {second} {game.sides[1]} pieces: "
            f"{game.sides[0]} moves if both have the same number, {game.sides[1]} if {game.sides[0]} has one more"
        )
