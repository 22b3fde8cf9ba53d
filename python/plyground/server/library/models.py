"""API models of the library."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from plyground.records.models import Text
from plyground.records.parsed_games import MAX_HEADERS
from plyground.server.models import Format, GameSpec, PlayerText, RecordId, RequestModel, SideName, Tag, View
from plyground.server.play.models import GameView
from plyground.server.positions.models import GameTreeRequest, OpeningView, OutcomeView, VariationData


class TournamentRef(View):
    """The tournament in which a game was played."""

    name: str
    players: dict[str, str]
    """Name of each side's player in the tournament."""


class RecordView(View):
    """A game with its moves."""

    id: str | None = None
    """ID in the library; None if the game is not stored."""
    game: str
    title: str
    start: str | None = None
    """Start position as text; None for the standard one."""
    moves: list[str]
    notations: list[str]
    opening: OpeningView | None = None
    tree: VariationData
    """The moves with their comments, NAGs and variations."""
    players: dict[str, str]
    """Players by side; empty if unknown."""
    outcome: OutcomeView | None = None
    seed: str | None = None
    started: str | None = None
    headers: dict[str, str]
    """Other headers of the imported file."""
    tags: list[str] = []
    created: str | None = None
    """When the game was stored."""
    is_owner: bool = False
    tournament: TournamentRef | None = None


class RecordBrief(View):
    """A game in a list."""

    id: str
    game: str
    title: str
    players: dict[str, str]
    outcome: OutcomeView | None = None
    plies: int
    opening: OpeningView | None = None
    tags: list[str]
    created: str
    is_owner: bool
    """Tournament games have no owner: everybody can see them and nobody can change them."""


class LibraryPage(View):
    """A page of the visitor's games, newest first."""

    games: list[RecordBrief]
    total: int
    before: str | None = None
    """Value of `before` for the next page; None on the last page."""
    tags: dict[str, int]
    """Number of the visitor's games with each tag."""
    formats: list[str]
    """Export formats that support all matching games."""


class OpponentView(View):
    """A player in the visitor's games."""

    name: str
    games: int


class ImportedFile(RequestModel):
    """A game file."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    """File name. The suffix .json, .pdn or .pgn selects the format; otherwise it is detected from the text."""
    text: str


class ImportRequest(RequestModel):
    """Files to import."""

    files: Annotated[list[ImportedFile], Field(min_length=1, max_length=200)]
    tags: Annotated[list[Tag], Field(max_length=20)] = []


class FailedGame(View):
    """A game that could not be read; no part of it is stored."""

    location: str
    """Where the error is: game, line and move."""
    reason: str
    legal_plies: int
    """Number of legal moves before the error."""
    beginning: RecordView | None = None
    """The game up to the error; only for pasted text."""


class FileReport(View):
    """Result of importing a file."""

    name: str
    added: list[str]
    """IDs of the new games."""
    duplicates: list[str]
    """IDs of the games that were already in the library."""
    failed: list[FailedGame]
    warnings: list[str]
    error: str | None = None
    """Why the file was not imported, or only in part."""


class ImportReport(View):
    """Result of an import."""

    files: list[FileReport]


class ParseRequest(RequestModel):
    """Pasted text: JSON, PDN, PGN, a position such as a FEN, or a list of moves."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=1_000_000)]
    game: GameSpec | None = None
    """Game of a position or a list of moves; if omitted, every game is tried."""


class ParseResult(View):
    """The games in pasted text."""

    records: list[RecordView]
    failed: list[FailedGame]
    warnings: list[str]


class ExportRequest(GameTreeRequest):
    """A game to export as a file."""

    players: Annotated[dict[SideName, PlayerText], Field(max_length=2)] = {}
    """Player of each side, if known."""
    headers: Annotated[dict[Text, Text], Field(max_length=MAX_HEADERS)] = {}
    """Other data from a game file, such as the event."""
    format: Format = "json"


class AnnotationsRequest(VariationData):
    """The moves of a stored game, which must not change, and its new annotations, which replace the old ones."""


class TagsRequest(RequestModel):
    """The new tags of a game, replacing the old ones."""

    tags: Annotated[list[Tag], Field(max_length=20)]


class TagChangeRequest(RequestModel):
    """Tags to add to games and to remove from them."""

    ids: Annotated[list[RecordId], Field(min_length=1, max_length=1000)]
    add: Annotated[list[Tag], Field(max_length=20)] = []
    remove: Annotated[list[Tag], Field(max_length=20)] = []


class LibraryExportRequest(RequestModel):
    """Games to export as one file: those with the given IDs or, without IDs, all that match the filter."""

    ids: Annotated[list[RecordId], Field(min_length=1, max_length=1000)] | None = None
    game: GameSpec | None = None
    agent: Annotated[str, StringConstraints(max_length=1000)] | None = None
    result: Annotated[str, StringConstraints(max_length=100)] | None = None
    tag: Tag | None = None
    text: Annotated[str, StringConstraints(max_length=200)] = ""
    format: Format = "json"


class DeleteRequest(RequestModel):
    """Games to delete."""

    ids: Annotated[list[RecordId], Field(min_length=1, max_length=1000)]


class SharedView(View):
    """Content of a share link: a game in progress or a stored game."""

    game: GameView | None = None
    record: RecordView | None = None
