"""The table of a tournament: points, ratings with their intervals, and who beat whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plyground.arena.elo import online
from plyground.arena.job import SECONDS, points_of_first
from plyground.arena.rating import anchor_of, counted, fit
from plyground.arena.roster import Entrant
from plyground.games import game

if TYPE_CHECKING:
    from plyground.store import Played

Count = tuple[int, int, int]
"""Games won, drawn and lost."""


@dataclass(frozen=True)
class Standing:
    """How an agent stands."""

    name: str
    spec: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: float
    """By all games at once, in Elo points."""
    low: float
    """The lower end of its 95 % interval."""
    high: float
    elo: float
    """Online, match after match; for comparison."""
    superiority: float | None
    """How likely it is stronger than the next in the table; None for the last."""
    plies: float
    """Moves of its games, openings included, on average."""
    seconds: float
    """It thought in a game, on average."""

    @property
    def score(self) -> float:
        """Points a game, 0 to 1; 0.5 before the first."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


@dataclass(frozen=True)
class Standings:
    """The whole table, the best first."""

    agents: tuple[Standing, ...]
    cross: tuple[tuple[Count | None, ...], ...]
    """What each agent got against each, in the order of `agents`; None with itself and where they did not meet."""
    superiority: tuple[tuple[float, ...], ...]
    """How likely each is stronger than each, in the same order."""
    first_move: tuple[float, float, float]
    """What the first move is worth in Elo points, with its 95 % interval."""
    draw_rate: float
    """Draws among all games, 0 to 1."""
    prior: bool
    """Whether ratings were drawn to the middle, because somebody won or lost everything."""

    def to_data(self) -> dict[str, Any]:
        """As JSON writes it."""
        names = [one.name for one in self.agents]
        met = (
            (name, other, count)
            for name, row in zip(names, self.cross, strict=True)
            for other, count in zip(names, row, strict=True)
            if count is not None
        )
        cross: dict[str, dict[str, dict[str, int]]] = {name: {} for name in names}
        for name, other, (wins, draws, losses) in met:
            cross[name][other] = {"wins": wins, "draws": draws, "losses": losses}
        rate, low, high = self.first_move
        return {
            "agents": [{**vars(one), "score": one.score} for one in self.agents],
            "cross_table": cross,
            "superiority": {
                name: dict(zip(names, row, strict=True)) for name, row in zip(names, self.superiority, strict=True)
            },
            "first_move": {"elo": rate, "low": low, "high": high},
            "draw_rate": self.draw_rate,
            "prior": self.prior,
        }


def standings(entrants: Sequence[Entrant], spec: str, played: Sequence[Played], anchor: str | None = None) -> Standings:
    """The table after these games of a tournament in the game of a spec."""
    sides = game(spec).sides
    games = [
        (*one.payload["agents"], points_of_first(sides, one.outcome.winner if one.outcome else None)) for one in played
    ]
    results = counted(games)
    found = fit(len(entrants), results)
    place, value = anchor_of([one.name for one in entrants], anchor)
    ratings = found.ratings(place, value)
    order = sorted(range(len(entrants)), key=lambda agent: (-ratings[agent][0], agent))
    elo = online(len(entrants), _matches(games))
    plies, seconds = _averages(len(entrants), played)
    rows = []
    for rank, agent in enumerate(order):
        wins, draws, losses = _total(results, agent)
        following = order[rank + 1] if rank + 1 < len(order) else None
        rows.append(
            Standing(
                name=entrants[agent].name,
                spec=entrants[agent].spec,
                games=wins + draws + losses,
                wins=wins,
                draws=draws,
                losses=losses,
                rating=ratings[agent][0],
                low=ratings[agent][1],
                high=ratings[agent][2],
                elo=elo[agent],
                superiority=None if following is None else found.superiority(agent, following),
                plies=plies[agent],
                seconds=seconds[agent],
            )
        )
    return Standings(
        tuple(rows),
        tuple(tuple(_against(results, agent, other) for other in order) for agent in order),
        tuple(tuple(found.superiority(agent, other) for other in order) for agent in order),
        found.first_move(),
        sum(points == 0.5 for _, _, points in games) / len(games) if games else 0.0,
        found.prior,
    )


def _matches(games: Sequence[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """The share of the points in each match, that is, in all games of two agents, in the order in which they met."""
    points: dict[tuple[int, int], list[float]] = {}
    for first, second, got in games:
        pair = min(first, second), max(first, second)
        points.setdefault(pair, []).append(got if first < second else 1 - got)
    return [(a, b, sum(got) / len(got)) for (a, b), got in points.items()]


def _against(results: Mapping[tuple[int, int], Count], agent: int, other: int) -> Count | None:
    begun, come = results.get((agent, other)), results.get((other, agent))
    if begun is None and come is None:
        return None
    wins, draws, losses = begun or (0, 0, 0)
    lost, drawn, won = come or (0, 0, 0)
    return wins + won, draws + drawn, losses + lost


def _total(results: Mapping[tuple[int, int], Count], agent: int) -> Count:
    wins = draws = losses = 0
    for (first, second), (won, drawn, lost) in results.items():
        if agent in (first, second):
            draws += drawn
            wins += won if agent == first else lost
            losses += lost if agent == first else won
    return wins, draws, losses


def _averages(agents: int, played: Sequence[Played]) -> tuple[list[float], list[float]]:
    """Plies and own seconds of each agent's games, on average."""
    games, plies, seconds = [0] * agents, [0.0] * agents, [0.0] * agents
    for one in played:
        spent = one.headers.get(SECONDS, "").split()
        for seat, agent in enumerate(one.payload["agents"]):
            games[agent] += 1
            plies[agent] += one.plies
            seconds[agent] += float(spent[seat]) if len(spent) == 2 else 0.0
    return (
        [total / max(1, count) for total, count in zip(plies, games, strict=True)],
        [total / max(1, count) for total, count in zip(seconds, games, strict=True)],
    )
