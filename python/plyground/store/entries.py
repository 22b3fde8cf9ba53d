"""Values that the store accepts and returns. They are independent of the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from plyground._engine import Outcome
from plyground.records import Record


@dataclass(frozen=True)
class AddResult:
    """The ids of an added record, and whether it is new."""

    id: int
    public_id: str = field(repr=False)
    """As in `StoredRecord`."""
    is_new: bool
    """False if the same owner had already stored the same game."""


@dataclass(frozen=True)
class StoredRecord:
    """A record in the store."""

    id: int
    record: Record
    tags: tuple[str, ...]
    """Sorted."""
    created: datetime
    """When it was stored, in UTC."""
    owner: str | None = None
    """The hashed token of the visitor who owns it."""
    public_id: str = ""
    """The id shown to visitors of a server; random, so that nobody can guess the ids of other games."""


@dataclass(frozen=True)
class Filter:
    """Conditions on records; a record must satisfy all conditions that are given."""

    game: str | None = None
    """A game id, which matches all variants of that game, or a complete spec."""
    agent: str | None = None
    """The player of either side."""
    result: str | None = None
    """The winning side, ``draw`` or ``unfinished``."""
    tag: str | None = None
    since: datetime | None = None
    """Stored at or after this time; naive times are UTC."""
    until: datetime | None = None
    """Stored before this time."""
    owner: str | None = None
    tournament: str | None = None
    """The name of the tournament in which the game was played."""
    texts: tuple[str, ...] = ()
    """Alternative search strings. Each word of a string must occur in a player's name, a tag, the game's name or the
    outcome, ignoring case; the last words may instead be the first moves of the game."""


@dataclass(frozen=True)
class ScheduledGame:
    """A game of a tournament's schedule."""

    key: str
    """Unique within the tournament; at most 200 characters."""
    payload: Mapping[str, Any] = field(default_factory=dict)
    """Everything needed to play it; must be representable in JSON."""


@dataclass(frozen=True)
class Tournament:
    """A tournament and its progress."""

    name: str
    game: str
    settings: Mapping[str, Any]
    created: datetime
    games: int
    """Number of scheduled games."""
    finished: int
    """Number of finished games."""


@dataclass(frozen=True)
class FinishedGame:
    """Summary of a finished tournament game, sufficient for standings and cross-tables."""

    key: str
    payload: Mapping[str, Any]
    record_id: int
    """The complete game is ``store.records.get(record_id)``."""
    public_id: str
    """The public id of the record."""
    players: Mapping[str, str]
    """The agent spec of each side."""
    outcome: Outcome | None
    plies: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of the record."""


@dataclass(frozen=True)
class Rating:
    """An agent's rating within a pool, in Elo points."""

    agent: str
    rating: float
    low: float
    """Lower bound of the 95% interval."""
    high: float
    """Upper bound of the 95% interval."""
    games: int


@dataclass(frozen=True)
class Run:
    """A training run."""

    id: int
    method: str
    game: str
    settings: Mapping[str, Any]
    seed: int
    created: datetime
    finished: datetime | None = None
    """When it finished; None if it is in progress or was interrupted."""


@dataclass(frozen=True)
class Metric:
    """A value reported by a training run."""

    step: int
    name: str
    value: float


@dataclass(frozen=True)
class Checkpoint:
    """State of a training run at a step, either in a file (`path`) or in the store (`data`)."""

    step: int
    header: Mapping[str, Any]
    path: str | None = None
    data: bytes | None = None


@dataclass(frozen=True)
class VisitorGame:
    """A visitor's game in the web UI, in progress or finished."""

    id: str
    owner: str
    """The hashed token of the visitor."""
    game: str
    """The spec of the game."""
    state: Mapping[str, Any]
    """The complete state; must be representable in JSON."""
    is_watched: bool = False
    """Whether agents play both sides."""
    is_over: bool = False
    record_id: int | None = None
    """The id of its record, once the game is over."""
    public_record_id: str | None = None
    """The public id of its record."""
    version: int = 1
    """Version number of the state, starting at 1. A state can replace only the previous version."""
    updated: datetime | None = None


@dataclass(frozen=True)
class Review:
    """A review of a record, requested by a visitor."""

    id: str
    record_id: int
    owner: str
    """The hashed token of the visitor."""
    seconds: float
    """Search time per position, in seconds."""
    plies: Sequence[Mapping[str, Any]]
    """The reviewed moves in game order; must be representable in JSON."""


@dataclass(frozen=True)
class Job:
    """A tournament or training run started on a server."""

    kind: str
    key: str
    """The name of the tournament or the id of the run."""
    owner: str | None
    state: str
    """The server resumes jobs that are ``queued`` or ``running`` when it starts."""
    error: str | None = None
