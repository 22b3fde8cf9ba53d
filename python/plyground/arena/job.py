"""A game that is to be played, as plain data: what it says is all that decides how it goes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plyground._engine import split_seed
from plyground.agents import Limit
from plyground.arena.adjudication import adjudicator
from plyground.arena.clock import parse_clock
from plyground.arena.game import LONGEST, play_game
from plyground.games import game
from plyground.levels import player
from plyground.records import Record

SECONDS = "Seconds"
"""The header in which a record of the arena says how long each side thought, the side that began first."""


@dataclass(frozen=True)
class Rules:
    """What holds for every game of a match or tournament."""

    game: str
    limit: Mapping[str, float] = field(default_factory=dict)
    """Fields of `Limit` that every agent gets; without any, each agent's own spec decides."""
    max_plies: int = LONGEST
    """Plies after the opening at which a game is a draw."""
    adjudication: str = "none"
    """A name of `plyground.arena.adjudication`."""
    clock: str | None = None
    """Seconds for a game and more for each move, as in ``60+0.5``."""

    def check(self) -> None:
        """An error that says what is wrong, if games cannot be played by these rules."""
        game(self.game)
        Limit(**self.limit)  # type: ignore[arg-type]
        adjudicator(self.adjudication)
        if self.clock is not None:
            parse_clock(self.clock)


@dataclass(frozen=True)
class GameJob:
    """One game: rules, opening, who plays whom, and the seed. It goes the same way wherever it is played."""

    key: str
    """What tells it from the other games of its schedule."""
    rules: Rules
    players: tuple[str, str]
    """The spec or the level of who begins, and of the other."""
    agents: tuple[int, int]
    """Their numbers in the schedule's list of agents."""
    opening: tuple[str, ...]
    """The first moves, which nobody chooses."""
    seed: int

    def to_payload(self) -> dict[str, Any]:
        """As JSON writes it."""
        return {
            "rules": {name: value for name, value in vars(self.rules).items() if value not in (None, {})},
            "players": list(self.players),
            "agents": list(self.agents),
            "opening": list(self.opening),
            "seed": self.seed,
        }

    @classmethod
    def from_payload(cls, key: str, payload: Mapping[str, Any]) -> GameJob:
        """The job that `to_payload` wrote."""
        first, second = payload["players"]
        a, b = payload["agents"]
        return cls(key, Rules(**payload["rules"]), (first, second), (a, b), tuple(payload["opening"]), payload["seed"])


def job_seed(seed: int, key: str) -> int:
    """The seed of the game of a key in a schedule with this seed.

    >>> job_seed(1, "0-1/0") == job_seed(1, "0-1/0") != job_seed(1, "0-1/1")
    True
    """
    return split_seed(seed, int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]))


def play_job(job: GameJob) -> Record:
    """Play a job's game with agents of its own: nothing of an earlier game is left in them."""
    rules = job.rules
    chosen = game(rules.game)
    start = chosen.position(moves=job.opening)
    agents = dict(zip(chosen.sides, (player(chosen.spec, text) for text in job.players), strict=True))
    used = dict.fromkeys(chosen.sides, 0.0)
    record = play_game(
        start,
        agents,
        seed=job.seed,
        limit=Limit(**rules.limit),  # type: ignore[arg-type]
        max_plies=rules.max_plies,
        adjudicate=adjudicator(rules.adjudication),
        clock=parse_clock(rules.clock) if rules.clock else None,
        used=used,
    )
    spent = " ".join(f"{used[side]:.3f}" for side in chosen.sides)
    return replace(record, headers={**record.headers, SECONDS: spent})


def points_of_first(sides: tuple[str, str], winner: str | None) -> float:
    """What the side that began gets: 1 for a win, 0.5 for a draw, 0 for a loss."""
    return 0.5 if winner is None else float(winner == sides[0])
