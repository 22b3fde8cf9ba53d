"""Schedules: pairings, openings and the order of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from plyground._engine import split_seed
from plyground.arena.openings import Opening, shuffled
from plyground.arena.scheduled_game import Rules, ScheduledGame, game_seed
from plyground.errors import ParseError

Kind = Literal["round robin", "gauntlet"]
MAX_PLAYERS = 200


def round_robin(agents: int) -> list[tuple[int, int]]:
    """Return every pair of agents once, ordered in rounds by the circle method.

    >>> round_robin(4)
    [(0, 3), (1, 2), (2, 0), (3, 1), (0, 1), (2, 3)]
    """
    circle: list[int | None] = [*range(agents)] + ([None] if agents % 2 else [])
    half, pairs = len(circle) // 2, []
    for turn in range(len(circle) - 1):
        for a, b in zip(circle[:half], reversed(circle[half:]), strict=True):
            if a is not None and b is not None:
                pairs.append((a, b) if turn % 2 == 0 or a != 0 else (b, a))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return pairs


def gauntlet(agents: int) -> list[tuple[int, int]]:
    """Return the pairs of the first agent with every other agent.

    >>> gauntlet(3)
    [(0, 1), (0, 2)]
    """
    return [(0, other) for other in range(1, agents)]


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament; equal schedules consist of the same games."""

    rules: Rules
    players: Sequence[str]
    """Levels or agent specs."""
    openings: Sequence[Opening] = ((),)
    games: int = 2
    """Games per pairing: two per opening, with sides swapped."""
    kind: Kind = "round robin"
    seed: int = 0

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= MAX_PLAYERS:
            raise ParseError(f"a tournament must have 2 to {MAX_PLAYERS} players, got {len(self.players)}")
        if not self.openings:
            raise ParseError("a tournament requires at least one opening; it may be the start position")

    def pairings(self) -> list[tuple[int, int]]:
        """Return pairs of player indices; the first player of a pair moves first in their first game."""
        return round_robin(len(self.players)) if self.kind == "round robin" else gauntlet(len(self.players))

    def scheduled_games(self) -> Iterator[ScheduledGame]:
        """Yield the games in playing order: all pairings play an opening before any plays the next one."""
        deck = shuffled(self.openings, split_seed(self.seed, 0))
        for opening in range((self.games + 1) // 2):
            for a, b in self.pairings():
                first, second = (a, b) if opening % 2 == 0 else (b, a)
                for number in range(2 * opening, min(2 * opening + 2, self.games)):
                    yield self._game(first, second, number, deck[opening % len(deck)])
                    first, second = second, first

    def _game(self, first: int, second: int, number: int, opening: Opening) -> ScheduledGame:
        key = f"{min(first, second)}-{max(first, second)}/{number}"
        players = (self.players[first], self.players[second])
        return ScheduledGame(key, self.rules, players, (first, second), opening, game_seed(self.seed, key))
