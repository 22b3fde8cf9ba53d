"""What the store gives out: plain values that know nothing of the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from plyground._engine import Outcome
from plyground.records import Record


@dataclass(frozen=True)
class Added:
    """What became of a record that was given to the store."""

    id: int
    is_new: bool
    """False where the same game of the same owner was there already."""


@dataclass(frozen=True)
class Kept:
    """A record in the store."""

    id: int
    record: Record
    tags: tuple[str, ...]
    """Sorted."""
    created: datetime
    """When it was stored, in UTC."""
    owner: str | None = None
    """The hashed token of the visitor whose game it is."""


@dataclass(frozen=True)
class Filter:
    """Which records: those for which everything that is given holds."""

    game: str | None = None
    """An id, for every board of that game, or a whole spec."""
    agent: str | None = None
    """Who played, on either side."""
    result: str | None = None
    """The side that won, ``draw`` or ``unfinished``."""
    tag: str | None = None
    since: datetime | None = None
    """Stored at this moment or later; a moment without a zone is in UTC."""
    until: datetime | None = None
    """Stored before this moment."""
    owner: str | None = None
    tournament: str | None = None
    """A tournament's name: the games behind its results."""
    texts: tuple[str, ...] = ()
    """Texts one of which fits: each of its words is part of a player's name, of a tag, of the game's name or of how it
    ended, in any case of letters; its last words may be the first moves of the game instead."""


@dataclass(frozen=True)
class Job:
    """A game of a tournament that is to be played."""

    key: str
    """What tells it from the other games of its tournament, at most 200 characters."""
    payload: Mapping[str, Any] = field(default_factory=dict)
    """Everything that whoever plays it needs, as JSON writes it."""


@dataclass(frozen=True)
class Tournament:
    """A tournament and how far it is."""

    name: str
    game: str
    settings: Mapping[str, Any]
    created: datetime
    jobs: int
    """Games in all."""
    finished: int
    """Games played."""


@dataclass(frozen=True)
class Played:
    """A finished game of a tournament, short: enough for a leaderboard and a cross-table."""

    key: str
    payload: Mapping[str, Any]
    record_id: int
    """The whole game is ``store.records.get(record_id)``."""
    players: Mapping[str, str]
    """The spec of the agent of each side."""
    outcome: Outcome | None
    plies: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """What the record says besides."""


@dataclass(frozen=True)
class Rating:
    """What an agent is worth in a pool, in Elo points."""

    agent: str
    rating: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
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
    """When it ended; None while it goes on, or where it was broken off."""


@dataclass(frozen=True)
class Metric:
    """A number that a training run reported."""

    step: int
    name: str
    value: float


@dataclass(frozen=True)
class Checkpoint:
    """Learned parameters of a training run at a step: in a file, or in the store itself."""

    step: int
    header: Mapping[str, Any]
    path: str | None = None
    data: bytes | None = None


@dataclass(frozen=True)
class Play:
    """A game that a visitor of the page plays, or has played."""

    id: str
    owner: str
    """The hashed token of the visitor whose game it is."""
    game: str
    """The spec."""
    state: Mapping[str, Any]
    """Everything else about it, as JSON writes it."""
    is_watched: bool = False
    """Whether agents play both sides."""
    is_over: bool = False
    record_id: int | None = None
    """Its number among the records, once it ended."""
    updated: datetime | None = None


@dataclass(frozen=True)
class Review:
    """What every move of a record gave away, as a visitor had it looked at."""

    id: str
    record_id: int
    owner: str
    """The hashed token of the visitor who asked."""
    seconds: float
    """For each position."""
    plies: Sequence[Mapping[str, Any]]
    """The moves in the order of the game, as JSON writes them."""


@dataclass(frozen=True)
class Work:
    """A tournament or a training run that a server works on, or did."""

    kind: str
    key: str
    """The tournament's name or the run's number."""
    owner: str | None
    state: str
    """``running`` is gone on with when a server starts."""
    error: str | None = None
