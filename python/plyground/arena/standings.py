"""Tournament standings: scores, ratings with intervals, and head-to-head results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from plyground._engine import Outcome
from plyground.arena.elo import online_ratings
from plyground.arena.rating import count_results, fit, parse_anchor
from plyground.arena.roster import Entrant
from plyground.arena.scheduled_game import SECONDS, points_of_first
from plyground.errors import PlygroundError
from plyground.games import game
from plyground.notebook import paragraph, percent, table

if TYPE_CHECKING:
    import pandas

PRIOR_NOTE = "A player has a perfect or zero score, so ratings use a prior and their intervals are approximate."

Count = tuple[int, int, int]
"""Wins, draws and losses."""


class PlayedGame(Protocol):
    """A finished game of a tournament, such as `plyground.store.FinishedGame`."""

    @property
    def payload(self) -> Mapping[str, Any]:
        """The scheduled game, with the indices of its players under the key `agents`."""

    @property
    def outcome(self) -> Outcome | None:
        """The result."""

    @property
    def plies(self) -> int:
        """Number of moves, including the opening."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of its record."""


@dataclass(frozen=True)
class Standing:
    """One row of the standings."""

    name: str
    spec: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: float
    """Fitted to all games at once, in Elo points."""
    low: float
    """Lower bound of the 95% interval of the rating."""
    high: float
    """Upper bound of the 95% interval of the rating."""
    elo: float
    """Online Elo rating, for comparison."""
    superiority: float | None
    """Likelihood of being stronger than the next player in the standings; None for the last one."""
    plies: float
    """Mean number of plies per game, including the opening."""
    seconds: float
    """Mean thinking time per game, in seconds."""

    @property
    def score(self) -> float:
        """Points per game, from 0 to 1; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


@dataclass(frozen=True)
class Standings:
    """The standings of a tournament, highest rating first."""

    agents: tuple[Standing, ...]
    cross: tuple[tuple[Count | None, ...], ...]
    """Head-to-head results in the order of `agents`; None on the diagonal and for pairings without games."""
    superiority: tuple[tuple[float, ...], ...]
    """Likelihood that the row player is stronger than the column player, in the order of `agents`."""
    first_move: tuple[float, float, float]
    """First-move advantage in Elo points and its 95% interval."""
    draw_rate: float
    """Fraction of drawn games, from 0 to 1."""
    prior: bool
    """Whether ratings use a prior because a player has a perfect or zero score."""

    def text_rows(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the standings as text."""
        header = ["", "Player", "Rating", "95% interval", "Score", "Games", "Wins", "Draws", "Losses", "LOS"]
        rows = [
            [
                str(rank),
                one.name,
                f"{one.rating:.0f}",
                f"{one.low:.0f} – {one.high:.0f}",
                percent(one.score),
                *map(str, (one.games, one.wins, one.draws, one.losses)),
                percent(one.superiority),
            ]
            for rank, one in enumerate(self.agents, start=1)
        ]
        return header, rows

    def _repr_html_(self) -> str:
        """Show the standings as a table."""
        return table(*self.text_rows()) + (paragraph(PRIOR_NOTE) if self.prior else "")

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each player. Requires pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise PlygroundError("to_pandas requires pandas: pip install pandas") from error
        return pd.DataFrame(self.to_data()["agents"]).set_index("name")

    def to_data(self) -> dict[str, Any]:
        """Return the standings as JSON data."""
        names = [standing.name for standing in self.agents]
        cross: dict[str, dict[str, dict[str, int]]] = {name: {} for name in names}
        for name, row in zip(names, self.cross, strict=True):
            for other, count in zip(names, row, strict=True):
                if count is not None:
                    cross[name][other] = dict(zip(("wins", "draws", "losses"), count, strict=True))
        elo, low, high = self.first_move
        return {
            "agents": [{**vars(standing), "score": standing.score} for standing in self.agents],
            "cross_table": cross,
            "superiority": {
                name: dict(zip(names, row, strict=True)) for name, row in zip(names, self.superiority, strict=True)
            },
            "first_move": {"elo": elo, "low": low, "high": high},
            "draw_rate": self.draw_rate,
            "prior": self.prior,
        }


def standings(
    entrants: Sequence[Entrant], spec: str, finished: Sequence[PlayedGame], anchor: str | None = None
) -> Standings:
    """Compute the standings from the finished games of a tournament; `spec` is its game."""
    sides = game(spec).sides
    games = [
        (*one.payload["agents"], points_of_first(sides, one.outcome.winner if one.outcome else None))
        for one in finished
    ]
    results = count_results(games)
    fitted = fit(len(entrants), results)
    ratings = fitted.ratings(*parse_anchor([entrant.name for entrant in entrants], anchor))
    order = sorted(range(len(entrants)), key=lambda agent: (-ratings[agent][0], agent))
    elo = online_ratings(len(entrants), _matches(games))
    plies, seconds = _means(len(entrants), finished)
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
                superiority=None if following is None else fitted.superiority(agent, following),
                plies=plies[agent],
                seconds=seconds[agent],
            )
        )
    return Standings(
        tuple(rows),
        tuple(tuple(_head_to_head(results, agent, other) for other in order) for agent in order),
        tuple(tuple(fitted.superiority(agent, other) for other in order) for agent in order),
        fitted.first_move(),
        sum(points == 0.5 for _, _, points in games) / len(games) if games else 0.0,
        fitted.prior,
    )


def _matches(games: Sequence[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Combine all games of each pair of agents into a match; return pairs and mean scores in order of first meeting."""
    points: dict[tuple[int, int], list[float]] = {}
    for first, second, first_points in games:
        pair = min(first, second), max(first, second)
        points.setdefault(pair, []).append(first_points if first < second else 1 - first_points)
    return [(a, b, sum(scores) / len(scores)) for (a, b), scores in points.items()]


def _head_to_head(results: Mapping[tuple[int, int], Count], agent: int, other: int) -> Count | None:
    as_first, as_second = results.get((agent, other)), results.get((other, agent))
    if as_first is None and as_second is None:
        return None
    wins, draws, losses = as_first or (0, 0, 0)
    other_wins, other_draws, other_losses = as_second or (0, 0, 0)
    return wins + other_losses, draws + other_draws, losses + other_wins


def _total(results: Mapping[tuple[int, int], Count], agent: int) -> Count:
    wins = draws = losses = 0
    for (first, second), (first_wins, drawn, first_losses) in results.items():
        if agent in (first, second):
            draws += drawn
            wins += first_wins if agent == first else first_losses
            losses += first_losses if agent == first else first_wins
    return wins, draws, losses


def _means(agents: int, finished: Sequence[PlayedGame]) -> tuple[list[float], list[float]]:
    """Return each agent's mean number of plies and mean thinking time per game."""
    games, plies, seconds = [0] * agents, [0.0] * agents, [0.0] * agents
    for one in finished:
        times = one.headers.get(SECONDS, "").split()
        for seat, agent in enumerate(one.payload["agents"]):
            games[agent] += 1
            plies[agent] += one.plies
            seconds[agent] += float(times[seat]) if len(times) == 2 else 0.0
    return (
        [total / max(1, count) for total, count in zip(plies, games, strict=True)],
        [total / max(1, count) for total, count in zip(seconds, games, strict=True)],
    )
