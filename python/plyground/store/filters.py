"""Translation of a `Filter` into query conditions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, or_, select, true

from plyground.errors import ParseError
from plyground.store.data import sha256
from plyground.store.entries import Filter
from plyground.store.models import AgentRow, RecordRow, ScheduledGameRow, SeatRow, TagRow, TournamentRow

MAX_TEXT = 500
"""Maximum length of a search string, in characters."""
MAX_WORDS = 20
"""Maximum number of words in a search string."""


def apply_filter(query: Select[Any], which: Filter) -> Select[Any]:
    """Restrict a query of records to those that satisfy a filter."""
    conditions: list[ColumnElement[bool]] = []
    if which.game is not None:
        by_spec = "(" in which.game
        conditions.append(RecordRow.game == which.game if by_spec else RecordRow.game_id == which.game)
    if which.agent is not None:
        seats = select(SeatRow.record_id).join(AgentRow).where(AgentRow.digest == sha256(which.agent))
        conditions.append(RecordRow.id.in_(seats))
    if which.result == "unfinished":
        conditions.append(RecordRow.reason.is_(None))
    elif which.result == "draw":
        conditions += [RecordRow.reason.is_not(None), RecordRow.winner.is_(None)]
    elif which.result is not None:
        conditions.append(RecordRow.winner == which.result)
    if which.tag is not None:
        conditions.append(RecordRow.id.in_(select(TagRow.record_id).where(TagRow.tag == which.tag)))
    if which.since is not None:
        conditions.append(RecordRow.created >= which.since)
    if which.until is not None:
        conditions.append(RecordRow.created < which.until)
    if which.owner is not None:
        conditions.append(RecordRow.owner == which.owner)
    if which.tournament is not None:
        games = select(ScheduledGameRow.record_id).join(TournamentRow).where(TournamentRow.name == which.tournament)
        conditions.append(RecordRow.id.in_(games))
    if which.texts:
        conditions.append(or_(*(_matches_text(text) for text in which.texts)))
    return query.where(*conditions)


def _matches_text(text: str) -> ColumnElement[bool]:
    """Return the condition that every word matches a record; trailing words may instead be its first moves."""
    words = text.split()
    if len(text) > MAX_TEXT or len(words) > MAX_WORDS or not all(word.isprintable() for word in words):
        raise ParseError(
            f"search text must have at most {MAX_WORDS} printable words and {MAX_TEXT} characters, got {text[:80]!r}"
        )
    rest: ColumnElement[bool] = true()
    for index in reversed(range(len(words))):
        opening = "\n".join([*words[index:], ""])
        starts_with_moves = (RecordRow.moves + "\n").istartswith(opening, autoescape=True)
        rest = or_(and_(_matches_word(words[index]), rest), starts_with_moves)
    return rest


def _matches_word(word: str) -> ColumnElement[bool]:
    """Return the condition that a player, a tag, the game or the outcome contains a word, ignoring case."""

    def contains(column: Any) -> Any:
        return column.icontains(word, autoescape=True)

    return or_(
        RecordRow.seats.any(SeatRow.agent.has(contains(AgentRow.spec))),
        RecordRow.tags.any(contains(TagRow.tag)),
        *(contains(column) for column in (RecordRow.game, RecordRow.winner, RecordRow.reason)),
    )
