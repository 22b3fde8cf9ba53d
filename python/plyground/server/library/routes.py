"""Routes for the library, pasted text and share links."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from plyground.games import game as make_game
from plyground.records import Record
from plyground.server.dependencies import (
    Address,
    FormatQuery,
    GameId,
    QuotasService,
    RecordId,
    Visitor,
    service,
)
from plyground.server.library import parsing
from plyground.server.library.importing import Imports
from plyground.server.library.library import Library
from plyground.server.library.models import (
    AnnotationsRequest,
    DeleteRequest,
    ExportRequest,
    ImportReport,
    ImportRequest,
    LibraryExportRequest,
    LibraryPage,
    OpponentView,
    ParseRequest,
    ParseResult,
    RecordView,
    SharedView,
    TagChangeRequest,
    TagsRequest,
)
from plyground.server.library.sharing import Sharing
from plyground.server.models import GameSpec, Tag
from plyground.server.play.export import download
from plyground.server.play.models import ShareView
from plyground.server.positions.trees import check_size, line_from_data
from plyground.store import Filter

router = APIRouter(tags=["library"])
LibraryService = Annotated[Library, Depends(service("library"))]
ImportsService = Annotated[Imports, Depends(service("imports"))]
MAX_SHORT_TEXT = 20_000
"""Maximum length of text that is parsed immediately; longer text is queued."""
SharingService = Annotated[Sharing, Depends(service("sharing"))]


@router.get("/library")
def list_library(
    library: LibraryService,
    visitor: Visitor,
    game: Annotated[GameSpec | None, Query()] = None,
    agent: Annotated[str | None, Query(max_length=1000)] = None,
    result: Annotated[str | None, Query(max_length=100)] = None,
    tag: Annotated[Tag | None, Query()] = None,
    text: Annotated[str, Query(max_length=200)] = "",
    tournament: Annotated[str | None, Query(max_length=200)] = None,
    before: Annotated[str | None, Query(max_length=40)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> LibraryPage:
    """List the visitor's games, or the games of a tournament, newest first.

    `result` is the winning side, `draw` or `unfinished`. Each word of `text` must occur in a player's name, a tag, the
    game's name or the result; trailing words may be the first moves instead: `anna 1. e4`.
    """
    which = Filter(game, agent, result, tag, tournament=tournament)
    return library.page(visitor, which, text, before=before, limit=limit)


@router.get("/library/opponents")
def list_opponents(library: LibraryService, visitor: Visitor) -> list[OpponentView]:
    """List the players in the visitor's games, most games first."""
    return library.opponents(visitor)


@router.post("/library/export", response_class=Response)
def export_records(
    request: LibraryExportRequest, library: LibraryService, visitor: Visitor, address: Address, quotas: QuotasService
) -> Response:
    """Download several stored games as one file."""
    which = Filter(request.game, request.agent, request.result, request.tag)
    with quotas.address_imports.hold(address):
        return download(library.selected(visitor, which, request), request.format, "plyground-games")


@router.post("/library/tags", status_code=204)
def change_tags(request: TagChangeRequest, library: LibraryService, visitor: Visitor) -> None:
    """Add tags to games and remove tags from them; if any of the games is not found, none is changed."""
    library.change_tags(visitor, request)


@router.post("/library/import")
async def import_games(
    request: ImportRequest,
    library: LibraryService,
    visitor: Visitor,
    address: Address,
    quotas: QuotasService,
    imports: ImportsService,
    client: Request,
) -> ImportReport:
    """Import game files. A file or game with errors does not affect the others."""
    characters = sum(len(file.text) for file in request.files)
    quotas.take_created("KiB uploaded", address, amount=1 + characters // 1024)
    with quotas.address_imports.hold(address):
        if characters <= MAX_SHORT_TEXT:
            return await run_in_threadpool(library.import_files, visitor, request)
        return await imports.import_files(client, visitor, request)


@router.post("/library/delete", status_code=204)
def delete_records(request: DeleteRequest, library: LibraryService, visitor: Visitor) -> None:
    """Delete games; if any of them is not found, none is deleted."""
    library.delete(visitor, request.ids)


@router.get("/library/{record_id}")
def get_record(record_id: RecordId, library: LibraryService, visitor: Visitor) -> RecordView:
    """Return one of the visitor's games or a tournament game."""
    return library.view(visitor, record_id)


@router.put("/library/{record_id}/tags")
def set_tags(record_id: RecordId, request: TagsRequest, library: LibraryService, visitor: Visitor) -> RecordView:
    """Replace the tags of a game."""
    return library.tag(visitor, record_id, request.tags)


@router.put("/library/{record_id}/annotations")
def set_annotations(
    record_id: RecordId, request: AnnotationsRequest, library: LibraryService, visitor: Visitor
) -> RecordView:
    """Replace the comments, NAGs and variations of one of the visitor's games."""
    return library.annotate(visitor, record_id, request)


@router.get("/library/{record_id}/export", response_class=Response)
def export_record(
    record_id: RecordId,
    library: LibraryService,
    visitor: Visitor,
    format: FormatQuery = "json",  # noqa: A002
) -> Response:
    """Download a stored game."""
    return download([library.exported(visitor, record_id, format)], format, f"game-{record_id}")


@router.post("/parse")
async def parse_text(
    request: ParseRequest, address: Address, quotas: QuotasService, imports: ImportsService, client: Request
) -> ParseResult:
    """Return the games in pasted text without storing them."""
    if len(request.text) <= MAX_SHORT_TEXT:
        return await run_in_threadpool(parsing.parse_text, request)
    with quotas.address_imports.hold(address):
        return await imports.parse(client, request)


@router.post("/exports", response_class=Response)
def export_line(request: ExportRequest) -> Response:
    """Download a game, such as a pasted game or an analysis, with its comments, NAGs and variations."""
    check_size(request)
    line = line_from_data(request)
    position = make_game(request.game).position(request.text, list(line.moves))
    record = Record.from_position(
        position, request.players, headers=request.headers, notes=line.notes, variations=line.variations
    )
    record.check()
    return download([record], request.format, "game")


@router.post("/games/{game_id}/share", status_code=201)
def share_game(game_id: GameId, sharing: SharingService, visitor: Visitor) -> ShareView:
    """Create a read-only link to a game in progress."""
    return sharing.share_game(visitor, game_id)


@router.post("/library/{record_id}/share", status_code=201)
def share_record(record_id: RecordId, sharing: SharingService, visitor: Visitor) -> ShareView:
    """Create a read-only link to a stored game."""
    return sharing.share_record(visitor, record_id)


@router.get("/shared/{token}")
def get_shared(token: Annotated[str, Path(min_length=1, max_length=100)], sharing: SharingService) -> SharedView:
    """Return the game that a share link shows."""
    return sharing.open(token)
