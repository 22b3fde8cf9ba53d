"""Kept games: finding, reading, tagging, sharing, reviewing."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from plyground.games import game as make_game
from plyground.records import Record
from plyground.server.picture import draw_svg
from plyground.server.reading import read_pasted
from plyground.server.routes.asking import AsFormat, AtHouse, Key, Visitor
from plyground.server.sharing import exported
from plyground.server.views.common import GameSpec, PositionText, Tag
from plyground.server.views.games import ShareView
from plyground.server.views.library import (
    DeleteWanted,
    ExportWanted,
    ImportReport,
    ImportWanted,
    LibraryPage,
    ReadingView,
    ReadingWanted,
    RecordView,
    ReviewView,
    ReviewWanted,
    SharedView,
    TagsWanted,
)
from plyground.store import Filter

router = APIRouter(tags=["library"])
ReviewId = Annotated[str, Path(min_length=1, max_length=40)]


@router.get("/library")
def list_library(
    house: AtHouse,
    visitor: Visitor,
    game: Annotated[GameSpec | None, Query()] = None,
    agent: Annotated[str | None, Query(max_length=1000)] = None,
    result: Annotated[str | None, Query(max_length=100)] = None,
    tag: Annotated[Tag | None, Query()] = None,
    text: Annotated[str, Query(max_length=200)] = "",
    tournament: Annotated[str | None, Query(max_length=200)] = None,
    before: Annotated[int | None, Query(ge=1, lt=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> LibraryPage:
    """The visitor's games, or those of a tournament, the newest first.

    `result` is the side that won, `draw` or `unfinished`. Of `text` every word must be part of a player's name, of a
    tag, of the game's name or of how it ended; its last words may be first moves instead: `anna 1. e4`.
    """
    which = Filter(game, agent, result, tag, tournament=tournament)
    return house.library.page(visitor, which, text, before=before, limit=limit)


@router.post("/library/import")
def import_games(wanted: ImportWanted, house: AtHouse, visitor: Visitor) -> ImportReport:
    """Take files of games into the library; each is told of by itself, and a broken game leaves the others alone."""
    return house.library.take(visitor, wanted)


@router.post("/library/delete", status_code=204)
def delete_records(wanted: DeleteWanted, house: AtHouse, visitor: Visitor) -> None:
    """Forget games, all or none."""
    house.library.delete(visitor, wanted.ids)


@router.get("/library/{record_id}")
def get_record(record_id: Key, house: AtHouse, visitor: Visitor) -> RecordView:
    """A kept game: the visitor's own, or one of a tournament."""
    return house.library.view(visitor, record_id)


@router.get("/library/{record_id}/review")
def get_record_review(record_id: Key, house: AtHouse, visitor: Visitor) -> ReviewView | None:
    """The review that the visitor had made of a kept game, or null."""
    return house.reviews.of_record(visitor, record_id)


@router.put("/library/{record_id}/tags")
def set_tags(record_id: Key, wanted: TagsWanted, house: AtHouse, visitor: Visitor) -> RecordView:
    """Put these tags on a game in the place of those it had."""
    return house.library.tag(visitor, record_id, wanted.tags)


@router.post("/library/{record_id}/share", status_code=201)
def share_record(record_id: Key, house: AtHouse, visitor: Visitor) -> ShareView:
    """Make an address under which anybody can see a kept game."""
    return house.sharing.share_record(visitor, record_id)


@router.get("/library/{record_id}/export", response_class=Response)
def export_record(
    record_id: Key,
    house: AtHouse,
    visitor: Visitor,
    format: AsFormat = "json",  # noqa: A002
) -> Response:
    """A kept game as a file."""
    return exported([house.library.get(visitor, record_id).record], format, f"game-{record_id}")


@router.post("/readings")
def read_text(wanted: ReadingWanted) -> ReadingView:
    """The games of a pasted text, without keeping them: JSON, PDN, PGN, a position, or a list of moves."""
    return read_pasted(wanted)


@router.post("/exports", response_class=Response)
def export_line(wanted: ExportWanted) -> Response:
    """Any line as a file: a pasted game, a branch of an analysis."""
    position = make_game(wanted.game).position(wanted.text, wanted.moves)
    record = Record.from_position(position, wanted.players)
    record.check()
    return exported([record], wanted.format, "game")


@router.get("/picture.svg", response_class=Response)
def draw_position(
    game: Annotated[GameSpec, Query()],
    text: Annotated[PositionText | None, Query()] = None,
    flip: Annotated[bool, Query()] = False,
) -> Response:
    """A picture of any position."""
    return Response(draw_svg(make_game(game).position(text), flip), media_type="image/svg+xml")


@router.get("/shared/{token}")
def get_shared(token: Annotated[str, Path(min_length=1, max_length=100)], house: AtHouse) -> SharedView:
    """What a share link shows."""
    return house.sharing.open(token)


@router.post("/reviews", status_code=201)
def make_review(wanted: ReviewWanted, house: AtHouse, visitor: Visitor) -> ReviewView:
    """Look at every position of a game, from the end, and mark the moves that gave something away."""
    return house.reviews.begin(visitor, wanted)


@router.get("/reviews/{review_id}")
def get_review(review_id: ReviewId, house: AtHouse, visitor: Visitor) -> ReviewView:
    """A review as far as it is."""
    return house.reviews.view(visitor, review_id)


@router.post("/reviews/{review_id}/stop")
def stop_review(review_id: ReviewId, house: AtHouse, visitor: Visitor) -> ReviewView:
    """End a review; what it found stays."""
    return house.reviews.stop(visitor, review_id)
