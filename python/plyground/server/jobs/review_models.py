"""API models of reviews."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from plyground.review import Mark
from plyground.server.library.models import RecordView
from plyground.server.models import GameSpec, MoveTexts, PositionText, RecordId, RequestModel, View
from plyground.server.search.models import ExactView

ReviewState = Literal["queued", "running", "done", "stopped", "failed"]


class ReviewRequest(RequestModel):
    """A game to review: from the library, in progress, or given by its moves."""

    record_id: RecordId | None = None
    game_id: Annotated[str, StringConstraints(max_length=40)] | None = None
    game: GameSpec | None = None
    text: PositionText | None = None
    """Start position; defaults to the standard one."""
    moves: MoveTexts = []
    seconds: Annotated[float, Field(gt=0, le=10)] | None = None
    """Time limit of each of the up to two searches per move, in seconds; defaults to the coach's limit."""


class ReviewedPly(View):
    """A reviewed move. Values are for the first player, 0 to 1."""

    ply: int
    """Ply of the position before the move."""
    side: str
    move: str
    notation: str
    value_first: float | None
    """Value before the move, with best play; None if the reviewer has no value."""
    value_after_first: float | None
    """Value after the move."""
    win_first: float | None
    """Win probability of the first player before the move; `win_first`, `draw` and `loss_first` sum to 1."""
    draw: float | None
    loss_first: float | None
    value_loss: float
    """Value that the move lost, for the side that made it, 0 to 1."""
    mark: Mark
    best: str
    best_notation: str
    pv: list[str]
    """Principal variation from the position before the move."""
    exact: ExactView | None = None
    """Exact value before the move, for the side to move."""
    summary: str
    """What the move lost, such as "gave away a win", without naming a better move; empty for a good move."""


class SideSummary(View):
    """Summary of one side's moves."""

    accuracy: float
    """0 to 100; 100 means that no value was lost."""
    marks: dict[str, int]
    """Number of moves with each mark."""


class ReviewView(View):
    """A review and its progress."""

    id: str
    state: ReviewState
    done: int
    """Number of reviewed moves; a review starts with the last move of the game."""
    total: int
    record: RecordView
    plies: list[ReviewedPly]
    """Moves reviewed so far, in game order."""
    last_value_first: float | None = None
    """Value of the final position."""
    sides: dict[str, SideSummary]
    error: str | None = None
