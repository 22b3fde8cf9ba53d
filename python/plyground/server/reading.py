"""Pasted texts: a file of games, a position, or a list of moves."""

from __future__ import annotations

import contextlib
import re

from plyground.errors import ParseError, PlygroundError
from plyground.games import game, games
from plyground.records import Record
from plyground.records.formats import FORMATS, Format
from plyground.records.reading import Reading
from plyground.server.record_views import record_view
from plyground.server.views.library import BrokenGame, ReadingView, ReadingWanted

MOST_SHOWN = 200
"""Games of a pasted text that are shown."""
LONGEST_LINE = 20_000
"""Characters of a text that may be a position or a list of moves, and of a file that are looked at to know it."""
_TAG = re.compile(r"^[ \t]*\[\w+[ \t]+\"", re.MULTILINE)
_NUMBER = re.compile(r"\b\d+\.(?:\.\.)?(?=\s|\S)")


def guess_format(text: str) -> Format | None:
    """The format of a file, by what is in it."""
    text = text[:LONGEST_LINE]
    begin = text.lstrip()[:1]
    if begin == "{":
        return FORMATS["json"]
    if not _TAG.search(text):
        return None
    chess = re.search(r"\b(?:[KQRBN][a-h1-8x]|[a-h]x?[a-h]?[1-8]|O-O)", re.sub(r"\[[^\]]*\]|\{[^}]*\}", "", text))
    return FORMATS["pgn" if chess and not re.search(r'\[GameType\s+"2[0-9]', text) else "pdn"]


def read_pasted(wanted: ReadingWanted) -> ReadingView:
    """The games of a text; what is none is an error that says what is accepted."""
    chosen = guess_format(wanted.text)
    reading = chosen.read(wanted.text) if chosen is not None else Reading((_line(wanted),))
    return ReadingView(
        records=[record_view(record) for record in reading.records[:MOST_SHOWN]],
        broken=[BrokenGame(where=one.where, reason=one.reason) for one in reading.broken[:MOST_SHOWN]],
        notes=list(reading.notes),
    )


def spellings(text: str, spec: str | None) -> tuple[str, ...]:
    """A text that is looked for, and with its last words as the store writes moves, for each game that knows them so.

    >>> spellings("anna 1. e4 e5", "chess")
    ('anna 1. e4 e5', 'anna e2e4 e7e5')
    """
    found, words = {text: True}, _moves(text)
    for one in games():
        if spec is not None and one.id != spec.partition("(")[0]:
            continue
        for place in range(len(words)):
            with contextlib.suppress(PlygroundError):
                found[" ".join([*words[:place], *one.position(None, words[place:]).history])] = True
                break
    return tuple(found)


def _moves(text: str) -> list[str]:
    """The words of a list of moves, without their numbers and the result."""
    results = ("1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1")
    return [word for word in _NUMBER.sub(" ", text).split() if word not in results]


def _line(wanted: ReadingWanted) -> Record:
    """A position or a list of moves, of the game that is named or of any."""
    text = " ".join(wanted.text.split())
    if len(text) > LONGEST_LINE:
        raise ParseError("it is neither a file of games nor a position nor a list of moves")
    tried = [game(wanted.game)] if wanted.game is not None else games()
    for one in tried:
        try:
            position = one.position(text)
        except PlygroundError:
            continue
        return Record.from_position(position, {})
    moves = _moves(text)
    reasons = []
    for one in tried:
        try:
            return Record.from_position(one.position(None, moves), {})
        except PlygroundError as error:
            reasons.append(f"{one.id}: {error}")
    raise ParseError(
        "it is no game: accepted are JSON, PDN, PGN, a position such as a FEN, or a list of moves"
        + (f" ({reasons[0]})" if len(reasons) == 1 else "")
    )
