"""Who plays whom, when: every pairing gets its first two games before any gets its third."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from plyground._engine import split_seed
from plyground.arena.job import GameJob, Rules, job_seed
from plyground.arena.openings import Opening, shuffled
from plyground.errors import ParseError

Kind = Literal["round robin", "gauntlet"]
MOST_AGENTS = 200


def round_robin(agents: int) -> list[tuple[int, int]]:
    """Every two agents once, everybody as evenly busy as can be (the circle method).

    >>> round_robin(4)
    [(0, 3), (1, 2), (2, 0), (3, 1), (0, 1), (2, 3)]
    """
    circle: list[int | None] = [*range(agents)] + ([None] if agents % 2 else [])
    half, pairs = len(circle) // 2, []
    for turn in range(len(circle) - 1):
        for one, other in zip(circle[:half], reversed(circle[half:]), strict=True):
            if one is not None and other is not None:
                pairs.append((one, other) if turn % 2 == 0 or one != 0 else (other, one))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return pairs


def gauntlet(agents: int) -> list[tuple[int, int]]:
    """The first agent against each of the others.

    >>> gauntlet(3)
    [(0, 1), (0, 2)]
    """
    return [(0, other) for other in range(1, agents)]


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament: the same schedule is the same games."""

    rules: Rules
    players: Sequence[str]
    """Specs or levels."""
    openings: Sequence[Opening] = ((),)
    games: int = 2
    """Games of each pairing: two from each opening, sides swapped."""
    kind: Kind = "round robin"
    seed: int = 0

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= MOST_AGENTS:
            raise ParseError(f"a tournament of {len(self.players)} players: accepted are 2 to {MOST_AGENTS}")
        if not self.openings:
            raise ParseError("a tournament needs an opening; the one without moves will do")

    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, as numbers of players; the first named begins the first game of an opening."""
        return round_robin(len(self.players)) if self.kind == "round robin" else gauntlet(len(self.players))

    def jobs(self) -> Iterator[GameJob]:
        """The games in the order in which they should be played: an opening goes round before the next is taken."""
        deck = shuffled(self.openings, split_seed(self.seed, 0))
        for opening in range((self.games + 1) // 2):
            for a, b in self.pairings():
                one, other = (a, b) if opening % 2 == 0 else (b, a)
                for number in range(2 * opening, min(2 * opening + 2, self.games)):
                    yield self._job(one, other, number, deck[opening % len(deck)])
                    one, other = other, one

    def _job(self, first: int, second: int, number: int, opening: Opening) -> GameJob:
        key = f"{min(first, second)}-{max(first, second)}/{number}"
        players = (self.players[first], self.players[second])
        return GameJob(key, self.rules, players, (first, second), opening, job_seed(self.seed, key))
