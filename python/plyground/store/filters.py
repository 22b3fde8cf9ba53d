"""Which records a filter lets through, as conditions of a query."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, or_, select, true

from plyground.errors import ParseError
from plyground.store.data import sha256
from plyground.store.entries import Filter
from plyground.store.models import AgentRow, JobRow, RecordRow, SeatRow, TagRow, TournamentRow

LONGEST_TEXT = 500
MOST_WORDS = 20


def where(query: Select[Any], which: Filter) -> Select[Any]:
    """A query of records, and of those only what the filter lets through."""
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
        jobs = select(JobRow.record_id).join(TournamentRow).where(TournamentRow.name == which.tournament)
        conditions.append(RecordRow.id.in_(jobs))
    if which.texts:
        conditions.append(or_(*(_mentions(text) for text in which.texts)))
    return query.where(*conditions)


def _mentions(text: str) -> ColumnElement[bool]:
    """Whether every word of a text is found in a game, or those before the last ones, which are its first moves."""
    words = text.split()
    if len(text) > LONGEST_TEXT or len(words) > MOST_WORDS or not all(word.isprintable() for word in words):
        raise ParseError(
            f"text {text[:80]!r}: accepted are up to {MOST_WORDS} printable words, {LONGEST_TEXT} characters in all"
        )
    rest: ColumnElement[bool] = true()
    for place in reversed(range(len(words))):
        opening = "\n".join([*words[place:], ""])
        begins = (RecordRow.moves + "\n").istartswith(opening, autoescape=True)
        rest = or_(and_(_is_in(words[place]), rest), begins)
    return rest


def _is_in(word: str) -> ColumnElement[bool]:
    """Whether a word is part of a player's name, of a tag, of the game's name, or of how it ended, in any case."""

    def part_of(column: Any) -> Any:
        return column.icontains(word, autoescape=True)

    return or_(
        RecordRow.seats.any(SeatRow.agent.has(part_of(AgentRow.spec))),
        RecordRow.tags.any(part_of(TagRow.tag)),
        *(part_of(column) for column in (RecordRow.game, RecordRow.winner, RecordRow.reason)),
    )
