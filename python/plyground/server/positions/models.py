"""API models of positions and moves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from plyground.server.models import GameSpec, MoveTexts, PositionText, RequestModel, SideName, View


class MoveView(View):
    """A legal move."""

    text: str
    notation: str
    """Standard printed notation, such as `Nf3`."""
    path: list[str]
    """Squares to click, in order; empty for games without a board."""
    captures: list[str]
    """Squares of the captured pieces."""
    choice: str | None = None
    """Distinguishes moves with the same path, such as `queen` for a promotion."""


class LastMove(View):
    """The move that led to a position."""

    text: str
    notation: str
    path: list[str]


class OutcomeView(View):
    """Result of a finished game."""

    winner: str | None
    """The winning side; None for a draw."""
    reason: str
    """How the game ended, such as `line`, `checkmate`, `repetition`, `resignation`, `time` or `agreement`."""
    text: str
    """Human-readable result, such as "black wins: no moves"."""


class BoardView(View):
    """A board without its legal moves."""

    text: str
    """The position as text, in the form `make_position` reads."""
    ply: int
    turn: str
    cells: dict[str, str]
    """Piece letter on each occupied square."""
    last_move: LastMove | None = None
    outcome: OutcomeView | None = None
    winning_line: list[str] = []
    """Squares of the winning line; empty if the game was not won by a line."""


class PositionView(BoardView):
    """A position and its legal moves."""

    game: str
    moves: list[MoveView]
    """Legal moves in a fixed order; empty if and only if the game is over."""
    highlighted: list[str]
    """Squares to highlight: a king in check, pieces that must capture."""
    forced_reason: str | None = None
    """Why the choice of moves is restricted, such as "White must capture: 22x15 or 22x17"."""
    movable: list[str]
    """Start squares of the legal moves."""


class LineRequest(RequestModel):
    """A start position and the moves played from it."""

    game: GameSpec
    text: PositionText | None = None
    """Start position; defaults to the standard one."""
    moves: MoveTexts = []


class PositionRequest(LineRequest):
    """A position, given by text and moves or by the pieces on the board."""

    cells: Annotated[dict[str, str], Field(max_length=400)] | None = None
    """Piece letter on each occupied square; replaces `text`."""
    turn: SideName | None = None
    """Side to move; used with `cells`."""


class LineView(View):
    """The boards of a line, from the start position to the position after the last move."""

    game: str
    boards: list[BoardView]
