"""Tag pairs, ``[Event "Match"]``: what PGN and PDN say of a game besides its moves.

Who played, when, how it ended, the seed and the first position become fields of the record; what is left stays in its
`headers`, so that it is written again.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from plyground._engine import Outcome
from plyground.errors import ParseError
from plyground.records.reading import LONGEST_TEXT, MOST_HEADERS
from plyground.records.record import Record

RECORDED = "recorded"
"""The reason of an outcome of which a file says only who won."""

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The seven tags that every game has, in their order."""

_OWN = ("White", "Black", "Result", "SetUp", "FEN", "Termination", "Seed", "Rules", "GameType")
_UNKNOWN = ("", "?", "-", "????.??.??")


@dataclass(frozen=True)
class Tags:
    """The tags of one game, taken apart."""

    players: dict[str, str]
    started: str | None
    seed: int | None
    start: str | None
    rules: str | None
    """The spec of the game, where a record of ours says it."""
    result: str | None
    """As the file writes it: ``1-0``; None where it says nothing."""
    reason: str
    headers: dict[str, str]


def take_apart(tags: Mapping[str, str]) -> Tags:
    """What the tags of a game mean; the sides are white and black."""
    if len(tags) > MOST_HEADERS:
        raise ParseError(f"{len(tags)} tags; accepted are at most {MOST_HEADERS}")
    clean = {name: _clean(name, value) for name, value in tags.items()}
    known = {name: value for name, value in clean.items() if value not in _UNKNOWN}
    headers = {name: value for name, value in known.items() if name not in _OWN}
    reason = known.get("Termination", "")
    return Tags(
        players={side: known[side.capitalize()] for side in ("black", "white") if side.capitalize() in known},
        started=_take_started(headers),
        seed=_seed(known.get("Seed")),
        start=known.get("FEN"),
        rules=known.get("Rules"),
        result=known.get("Result"),
        reason=RECORDED if reason.lower() in ("", "normal") else reason,
        headers=headers,
    )


def put_together(record: Record, result: str, more: Mapping[str, str]) -> dict[str, str]:
    """The tags of a record, the roster first; `more` are those of the format."""
    started = _started_tags(record.started)
    told = {
        **record.headers,
        **{name: value for name, value in started.items() if name not in record.headers},
        **{side.capitalize(): name for side, name in record.players.items()},
        "Result": result,
    }
    tags = {name: told.pop(name, "????.??.??" if name == "Date" else "?") for name in ROSTER}
    tags |= more
    if record.seed is not None:
        tags["Seed"] = str(record.seed)
    if record.start is not None:
        tags |= {"SetUp": "1", "FEN": record.start}
    ending = record.outcome
    if ending is not None and ending.reason != RECORDED and record.to_position().outcome is None:
        tags["Termination"] = ending.reason
    return {**tags, **told}


def write_game(tags: Mapping[str, str], words: Iterable[str]) -> str:
    """A game in text: its tags, a blank line, its moves in lines of at most 80 characters."""
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    moves = textwrap.fill(" ".join(words), 80, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", moves, ""])


def numbered(moves: Iterable[str], first_begins: bool, number: int = 1) -> list[str]:
    """The moves with their numbers, ``1. e4 e5 2. Nf3``; a game that the second side begins, ``1... e5 2. Nf3``."""
    words: list[str] = []
    first = first_begins
    for move in moves:
        if first:
            words.append(f"{number}.")
        elif not words:
            words.append(f"{number}...")
        words.append(move)
        number += not first
        first = not first
    return words


def unescape(value: str) -> str:
    """A tag's value as it is meant: a backslash stands before a quote or another backslash."""
    return value.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")


def decided(by_rules: Outcome | None, winner: str | None, result: str | None, reason: str) -> Outcome | None:
    """How a game ended: the rules decide where they do, else the file."""
    if by_rules is not None or result in (None, "*"):
        return by_rules
    return Outcome(winner, reason)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _clean(name: str, value: str) -> str:
    if len(name) > LONGEST_TEXT or len(value) > LONGEST_TEXT:
        raise ParseError(f"the tag {name[:40]} is longer than {LONGEST_TEXT} characters")
    return "".join(letter for letter in " ".join(value.split()) if letter.isprintable())


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 20 or int(text) >= 2**64:
        raise ParseError(f"Seed {text[:80]!r}: accepted is a whole number from 0 to 2**64 - 1")
    return int(text)


def _take_started(headers: dict[str, str]) -> str | None:
    """When the game began, its tags taken out of the headers; what makes no date stays there."""
    utc = _moment(headers.get("UTCDate"), headers.get("UTCTime"))
    local = _moment(headers.get("Date"), headers.get("Time"))
    date = _moment(headers.get("Date"), "00:00:00")
    if utc is not None:
        del headers["UTCDate"], headers["UTCTime"]
        if date is not None and date.date() == utc.date():
            del headers["Date"]
        return utc.replace(tzinfo=UTC).isoformat(timespec="seconds")
    if local is not None:
        del headers["Date"], headers["Time"]
        return local.isoformat(timespec="seconds")
    if date is not None:
        del headers["Date"]
        return date.date().isoformat()
    return None


def _moment(date: str | None, time: str | None) -> datetime | None:
    try:
        return datetime.strptime(f"{date} {time}", "%Y.%m.%d %H:%M:%S")
    except ValueError:
        return None


def _started_tags(started: str | None) -> dict[str, str]:
    if started is None:
        return {}
    moment = datetime.fromisoformat(started)
    if moment.tzinfo is not None:
        try:
            moment = moment.astimezone(UTC)
        except OverflowError:  # a few hours before the first year or after the last
            return {}
    date, time = moment.date().isoformat().replace("-", "."), moment.time().isoformat(timespec="seconds")
    if moment.tzinfo is not None:
        return {"Date": date, "UTCDate": date, "UTCTime": time}
    return {"Date": date} if len(started) == len("2026-01-31") else {"Date": date, "Time": time}
