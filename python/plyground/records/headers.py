"""Tag pairs of PGN and PDN files, such as ``[Event "Match"]``.

Players, date, outcome, seed and start position become fields of the record; other tags are kept in its `headers` and
written back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from plyground._engine import Outcome
from plyground.errors import ParseError
from plyground.records.movetext import wrap
from plyground.records.parsed_games import MAX_HEADERS, MAX_TEXT
from plyground.records.record import Record

RECORDED = "recorded"
"""Reason given for an outcome if the file states only the result."""

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The seven tag roster of PGN, in order."""

_FIELDS = ("White", "Black", "Result", "SetUp", "FEN", "Termination", "Seed", "Rules", "GameType")
"""Tags that become fields of a record."""
_UNKNOWN = ("", "?", "-", "????.??.??")
"""Values that mark a tag as unknown."""


@dataclass(frozen=True)
class Tags:
    """The parsed tags of one game."""

    players: dict[str, str]
    started: str | None
    seed: int | None
    start: str | None
    rules: str | None
    """The spec of the game, if Plyground wrote the file."""
    result: str | None
    """As in the file, for example ``1-0``; None if unknown."""
    reason: str
    headers: dict[str, str]


def parse_tags(tags: Mapping[str, str]) -> Tags:
    """Parse the tags of a game between white and black."""
    if len(tags) > MAX_HEADERS:
        raise ParseError(f"a game must have at most {MAX_HEADERS} tags, got {len(tags)}")
    cleaned = {name: _clean(name, value) for name, value in tags.items()}
    known = {name: value for name, value in cleaned.items() if value not in _UNKNOWN}
    headers = {name: value for name, value in known.items() if name not in _FIELDS}
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


def make_tags(record: Record, result: str, extra: Mapping[str, str]) -> dict[str, str]:
    """Return the tags of a record, the seven tag roster first; `extra` contains tags specific to the format."""
    started = _started_tags(record.started)
    values = {
        **record.headers,
        **{name: value for name, value in started.items() if name not in record.headers},
        **{side.capitalize(): name for side, name in record.players.items()},
        "Result": result,
    }
    tags = {name: values.pop(name, "????.??.??" if name == "Date" else "?") for name in ROSTER}
    tags |= extra
    if record.seed is not None:
        tags["Seed"] = str(record.seed)
    if record.start is not None:
        tags |= {"SetUp": "1", "FEN": record.start}
    outcome = record.outcome
    if outcome is not None and outcome.reason != RECORDED and record.to_position().outcome is None:
        tags["Termination"] = outcome.reason
    return {**tags, **values}


def format_game(tags: Mapping[str, str], tokens: Iterable[str]) -> str:
    """Return the text of a game: tags, a blank line, and the movetext in lines of at most 80 characters."""
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", wrap(tokens), ""])


def unescape(value: str) -> str:
    """Remove the backslashes that escape quotes and backslashes in a tag's value."""
    return value.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")


def final_outcome(by_rules: Outcome | None, winner: str | None, result: str | None, reason: str) -> Outcome | None:
    """Return the outcome of a game: by the rules, or else as stated in the file."""
    if by_rules is not None or result in (None, "*"):
        return by_rules
    return Outcome(winner, reason)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _clean(name: str, value: str) -> str:
    if len(name) > MAX_TEXT or len(value) > MAX_TEXT:
        raise ParseError(f"the name and value of tag {name[:40]} must have at most {MAX_TEXT} characters each")
    return "".join(letter for letter in " ".join(value.split()) if letter.isprintable())


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 20 or int(text) >= 2**64:
        raise ParseError(f"Seed must be an integer between 0 and 2**64 - 1, got {text[:80]!r}")
    return int(text)


def _take_started(headers: dict[str, str]) -> str | None:
    """Return the start time of the game and remove its tags from the headers; tags with invalid dates are kept."""
    utc = _parse_datetime(headers.get("UTCDate"), headers.get("UTCTime"))
    local = _parse_datetime(headers.get("Date"), headers.get("Time"))
    date = _parse_datetime(headers.get("Date"), "00:00:00")
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


def _parse_datetime(date: str | None, time: str | None) -> datetime | None:
    try:
        return datetime.strptime(f"{date} {time}", "%Y.%m.%d %H:%M:%S")
    except ValueError:
        return None


def _started_tags(started: str | None) -> dict[str, str]:
    if started is None:
        return {}
    start = datetime.fromisoformat(started)
    if start.tzinfo is not None:
        try:
            start = start.astimezone(UTC)
        except OverflowError:  # the UTC year would be 0 or 10000
            return {}
    date, time = start.date().isoformat().replace("-", "."), start.time().isoformat(timespec="seconds")
    if start.tzinfo is not None:
        return {"Date": date, "UTCDate": date, "UTCTime": time}
    return {"Date": date} if len(started) == len("2026-01-31") else {"Date": date, "Time": time}
