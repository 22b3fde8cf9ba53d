"""Recorded games as a source of training data."""

from __future__ import annotations

from pathlib import Path

from plyground._engine import Game
from plyground.errors import ParseError
from plyground.records import Record
from plyground.records.formats import FORMATS, read_games

PAGE = 1000
"""Records read from a store at a time."""


def recorded_games(source: str, game: Game, limit: int) -> list[Record]:
    """Return the first finished games of a game file or a store that start from the standard position.

    `source` is a file whose extension names its format, or the location of a store. Invalid games in a file are
    skipped.
    """
    if Path(source).suffix.lower().removeprefix(".") in FORMATS:
        records = read_games(source, strict=False)
    else:
        records = _stored(source, game)
    usable = [
        record
        for record in records
        if record.game == game.spec and record.start is None and record.moves
        and (record.outcome or record.to_position().outcome) is not None
    ]  # fmt: skip
    if not usable:
        raise ParseError(f"{source[:200]} contains no finished games of {game.spec} from the start position")
    return usable[:limit]


def _stored(source: str, game: Game) -> list[Record]:
    """Return the games of a store, oldest first, so that later games do not change the first ones."""
    from plyground.store import Filter, Store

    if "://" not in source and not Path(source).exists():
        raise ParseError(f"{source[:200]}: expected a game file (.json, .pdn or .pgn) or an existing store")
    with Store(source) as store:
        which, found, before = Filter(game=game.spec), list[Record](), None
        while page := store.records.find(which, limit=PAGE, before=before):
            found += [stored.record for stored in page]
            before = page[-1].id
    return found[::-1]
