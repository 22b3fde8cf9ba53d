"""A scheduled game: plain data that completely determines the game."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plyground._engine import Position, split_seed
from plyground.agents import Agent, Limit
from plyground.arena.adjudication import adjudicator
from plyground.arena.clock import parse_clock
from plyground.arena.game import MAX_PLIES, play_game
from plyground.games import game
from plyground.levels import player
from plyground.records import Record

SECONDS = "Seconds"
"""Header of arena records that contains the thinking time of each side, in seconds."""


@dataclass(frozen=True)
class Rules:
    """Conditions shared by all games of a match or tournament."""

    game: str
    limit: Mapping[str, float] = field(default_factory=dict)
    """Fields of `Limit` for every agent; if empty, the spec of each agent determines its limit."""
    max_plies: int = MAX_PLIES
    """Number of plies after the opening at which a game is a draw."""
    adjudication: str = "none"
    """A name in `plyground.arena.adjudication.ADJUDICATORS`."""
    clock: str | None = None
    """Seconds per game and increment per move, for example ``60+0.5``."""

    def check(self) -> None:
        """Raise an error if a field is invalid."""
        game(self.game)
        Limit(**self.limit)  # type: ignore[arg-type]
        adjudicator(self.adjudication)
        if self.clock is not None:
            parse_clock(self.clock)


@dataclass(frozen=True)
class ScheduledGame:
    """A game to be played. Unless it has time limits or a clock, it is played identically on every machine."""

    key: str
    """Unique within the schedule."""
    rules: Rules
    players: tuple[str, str]
    """The levels or agent specs of the first and the second player."""
    agents: tuple[int, int]
    """The indices of the two players in the list of entrants."""
    opening: tuple[str, ...]
    """The moves played before the agents take over."""
    seed: int

    def to_payload(self) -> dict[str, Any]:
        """Return everything except the key as JSON data."""
        return {
            "rules": {name: value for name, value in vars(self.rules).items() if value not in (None, {})},
            "players": list(self.players),
            "agents": list(self.agents),
            "opening": list(self.opening),
            "seed": self.seed,
        }

    @classmethod
    def from_payload(cls, key: str, payload: Mapping[str, Any]) -> ScheduledGame:
        """Return the game that `to_payload` encoded."""
        first, second = payload["players"]
        a, b = payload["agents"]
        return cls(key, Rules(**payload["rules"]), (first, second), (a, b), tuple(payload["opening"]), payload["seed"])


def game_seed(seed: int, key: str) -> int:
    """Return the seed of a game, given the seed of its schedule and its key.

    >>> game_seed(1, "0-1/0") == game_seed(1, "0-1/0") != game_seed(1, "0-1/1")
    True
    """
    return split_seed(seed, int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]))


def play_scheduled_game(
    scheduled: ScheduledGame,
    agents: Mapping[int, Agent] | None = None,
    *,
    max_move_seconds: float | None = None,
    watch: Callable[[Position], None] | None = None,
) -> Record:
    """Play a game with the given agents, keyed by player index, and new agents for the other players.

    The other parameters are as in `play_game`.
    """
    rules = scheduled.rules
    chosen = game(rules.game)
    start = chosen.position(moves=scheduled.opening)
    given = agents or {}
    seated = [
        given[index] if index in given else player(chosen.spec, text)
        for index, text in zip(scheduled.agents, scheduled.players, strict=True)
    ]
    used = dict.fromkeys(chosen.sides, 0.0)
    record = play_game(
        start,
        dict(zip(chosen.sides, seated, strict=True)),
        seed=scheduled.seed,
        limit=Limit(**rules.limit),  # type: ignore[arg-type]
        max_plies=rules.max_plies,
        adjudicate=adjudicator(rules.adjudication),
        clock=parse_clock(rules.clock) if rules.clock else None,
        used=used,
        max_move_seconds=max_move_seconds,
        watch=watch,
    )
    seconds = " ".join(f"{used[side]:.3f}" for side in chosen.sides)
    return replace(record, headers={**record.headers, SECONDS: seconds})


def points_of_first(sides: tuple[str, str], winner: str | None) -> float:
    """Return the points of the side that moves first: 1 for a win, 0.5 for a draw, 0 for a loss."""
    return 0.5 if winner is None else float(winner == sides[0])
