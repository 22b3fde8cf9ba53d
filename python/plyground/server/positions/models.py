"""API models of positions and moves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from plyground.records.annotations import MAX_COMMENT, MAX_NAG, MAX_VARIATIONS
from plyground.server.models import GameSpec, MoveText, MoveTexts, PositionText, RequestModel, SideName, View

MAX_TREE_MOVES = 5000
"""Maximum number of moves of a game, including those of variations, in one request."""


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


class OpeningView(View):
    """The name of a chess opening."""

    eco: str
    """Code of the Encyclopaedia of Chess Openings, such as `B90`."""
    name: str


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
    opening: OpeningView | None = None
    """The opening that is named after this position."""


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


class NoteData(RequestModel):
    """A comment and numeric annotation glyphs (NAGs)."""

    comment: Annotated[str, Field(max_length=MAX_COMMENT)] = ""
    """One line without braces; may contain commands such as `[%clk 0:01:30]`."""
    nags: Annotated[list[Annotated[int, Field(ge=0, le=MAX_NAG)]], Field(max_length=MAX_NAG + 1)] = []
    """Ascending: 1 for !, 2 for ?, 3 for !!, 4 for ??, 5 for !?, 6 for ?!."""


class VariationData(RequestModel):
    """A game or a variation with its annotations."""

    moves: Annotated[list[MoveText], Field(max_length=MAX_TREE_MOVES)] = []
    notes: Annotated[dict[int, NoteData], Field(max_length=MAX_TREE_MOVES + 1)] = {}
    """By number of these moves made; 0 is before the first one."""
    variations: Annotated[
        dict[int, Annotated[list[VariationData], Field(max_length=MAX_VARIATIONS)]], Field(max_length=MAX_TREE_MOVES)
    ] = {}
    """Alternatives to the move at this index of `moves`."""


class GameTreeRequest(VariationData):
    """A game with variations."""

    game: GameSpec
    text: PositionText | None = None
    """Start position; defaults to the standard one."""


class BranchView(View):
    """The boards after each move of a game or a variation."""

    boards: list[BoardView]
    variations: dict[int, list[BranchView]]
    """Alternatives to the move at this index."""


class GameTreeView(View):
    """The boards of a game with variations."""

    game: str
    start: BoardView
    tree: BranchView


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
