"""The settings of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.arena.openings import openings
from plyground.arena.rating import parse_anchor
from plyground.arena.roster import Entrant
from plyground.arena.schedule import Kind, Schedule
from plyground.arena.scheduled_game import Rules
from plyground.games import game


@dataclass(frozen=True)
class Plan:
    """The settings of a new tournament. They cannot be changed after `Tournament.create`."""

    rules: Rules
    entrants: Sequence[Entrant]
    games: int = 2
    """Games per pairing."""
    kind: Kind = "round robin"
    openings: str | None = None
    """The `name` argument of `plyground.arena.openings.openings`."""
    seed: int = 0
    anchor: str | None = None
    """``NAME`` or ``NAME=RATING``; without it, the average rating is 1500."""

    def schedule(self) -> Schedule:
        """Return the schedule; raise an error if a setting is invalid."""
        self.rules.check()
        parse_anchor([entrant.name for entrant in self.entrants], self.anchor)
        deck = openings(game(self.rules.game), self.openings)
        specs = [entrant.spec for entrant in self.entrants]
        return Schedule(self.rules, specs, deck, self.games, self.kind, self.seed)
