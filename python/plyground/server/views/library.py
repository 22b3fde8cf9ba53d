"""Kept games, reading and reviewing them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from plyground.server.views.common import (
    Format,
    GameSpec,
    MoveTexts,
    Number,
    PlayerText,
    PositionText,
    SideName,
    Tag,
    View,
    Wish,
)
from plyground.server.views.games import GameView
from plyground.server.views.positions import ExactView, LineWanted, OutcomeView

Mark = Literal["", "?!", "?", "??"]


class RecordView(View):
    """A played game."""

    id: int | None = None
    """Its number in the library; None where it is not kept."""
    game: str
    title: str
    start: str | None = None
    moves: list[str]
    notations: list[str]
    players: dict[str, str]
    """By side; empty where it is not known."""
    outcome: OutcomeView | None = None
    seed: str | None = None
    started: str | None = None
    headers: dict[str, str]
    tags: list[str] = []
    created: str | None = None
    yours: bool = False


class RecordBrief(View):
    """A played game in a list."""

    id: int
    game: str
    title: str
    players: dict[str, str]
    outcome: OutcomeView | None = None
    plies: int
    tags: list[str]
    created: str
    yours: bool
    """Games of tournaments are everybody's to see and nobody's to change."""


class LibraryPage(View):
    """Some of the visitor's games, the newest first."""

    games: list[RecordBrief]
    total: int
    before: int | None = None
    """What to ask the next page with; None at the end."""
    tags: dict[str, int]
    """The visitor's tags, and on how many games each is."""


class ImportedFile(Wish):
    """A file of games as text."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    """Its suffix says the format: .json, .pdn, .pgn; others are recognised by what is in them."""
    text: str


class ImportWanted(Wish):
    """Files to take into the library."""

    files: Annotated[list[ImportedFile], Field(min_length=1, max_length=200)]
    tags: Annotated[list[Tag], Field(max_length=20)] = []


class BrokenGame(View):
    """A game that could not be read."""

    where: str
    reason: str


class FileReport(View):
    """What became of a file."""

    name: str
    added: list[int]
    """The numbers of new games."""
    already: list[int]
    """Those that were there before."""
    broken: list[BrokenGame]
    notes: list[str]
    error: str | None = None
    """Why nothing of the file could be read."""


class ImportReport(View):
    """What became of each file."""

    files: list[FileReport]


class ReadingWanted(Wish):
    """A pasted text: JSON, PDN, PGN, a FEN or another position, or a list of moves."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=1_000_000)]
    game: GameSpec | None = None
    """Tried for positions and lists of moves; without it, every game is."""


class ReadingView(View):
    """The games of a text."""

    records: list[RecordView]
    broken: list[BrokenGame]
    notes: list[str]


class ExportWanted(LineWanted):
    """Any line as a file."""

    players: Annotated[dict[SideName, PlayerText], Field(max_length=2)] = {}
    """Who played each side, where that is known."""
    format: Format = "json"


class TagsWanted(Wish):
    """All tags a game is to have."""

    tags: Annotated[list[Tag], Field(max_length=20)]


class DeleteWanted(Wish):
    """Games to forget."""

    ids: Annotated[list[Number], Field(min_length=1, max_length=1000)]


class ReviewWanted(Wish):
    """A game to review: one of the library, one being played, or any moves."""

    record: Number | None = None
    game_id: Annotated[str, StringConstraints(max_length=40)] | None = None
    game: GameSpec | None = None
    text: PositionText | None = None
    moves: MoveTexts = []
    seconds: Annotated[float, Field(gt=0, le=10)] = 0.2
    """For each position."""


class ReviewedPly(View):
    """A move and what it gave away. Values are for the side that begins, 0 to 1."""

    ply: int
    """The move led from this ply to the next."""
    side: str
    move: str
    notation: str
    value_first: float
    """Before the move, under best play."""
    value_after: float
    """After the move."""
    win: float
    """Of the side that begins, before the move; win, draw and loss make 1."""
    draw: float
    loss: float
    lost: float
    """What the move gave away for who made it, 0 to 1."""
    mark: Mark
    best: str
    best_notation: str
    line: list[str]
    """Best play instead."""
    exact: ExactView | None = None
    """What is certain before the move, for the side to move."""
    words: str
    """Such as "gave away a win: 4 was better"; empty for a good move."""


class SideSummary(View):
    """How a side played."""

    accuracy: float
    """0 to 100: 100 gave nothing away."""
    marks: dict[str, int]


class ReviewView(View):
    """A review, finished or under way."""

    id: str
    state: Literal["waiting", "running", "done", "stopped", "failed"]
    done: int
    """Positions looked at, from the end."""
    total: int
    record: RecordView
    plies: list[ReviewedPly]
    """Those that are known so far, in the order of the game."""
    last_value_first: float | None = None
    """The value of the last position."""
    sides: dict[str, SideSummary]
    error: str | None = None


class SharedView(View):
    """What a share link shows: a game as it stands, or a kept one."""

    game: GameView | None = None
    record: RecordView | None = None
