"""A game looked at again: what every move gave away, exactly where that is known.

Positions are looked at from the last to the first. A move loses the difference between what its side could expect
before it and what it could expect after it; the marks are those of chess books.

>>> from plyground.records import Record
>>> found = list(review(Record("tictactoe", ("b2", "b1", "c1")), Limit(simulations=5000), seed=1))
>>> [(one.move, one.mark, one.words) for one in reversed(found)]
[('b2', '', ''), ('b1', '??', 'gave away a draw: a1 was better'), ('c1', '', '')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from plyground._engine import Game, Outcome, Position, split_seed
from plyground.agents import Analysis, Limit, agent
from plyground.agents.agent import WORTH, Agent, Known
from plyground.agents.tables import TablesAgent
from plyground.exact.tables import use
from plyground.records import Record

Mark = Literal["", "?!", "?", "??"]

MARKS: tuple[tuple[float, Mark], ...] = ((0.3, "??"), (0.15, "?"), (0.07, "?!"))
"""What a move must give away, of a whole point, for each mark; the largest first."""
REVIEWERS = {
    "checkers": "tables(otherwise=alphabeta(tables=true, weights=best))",
    "chess": "alphabeta",
}
"""Who looks at the games of an id; others are looked at by tree search."""
Source = Literal["solver", "tables", "rules", "search"]
Exact = Callable[[Position], "Certain | None"]
"""Says what is certain of an unfinished position, where it knows."""


@dataclass(frozen=True)
class Certain:
    """What is certain of a position, for the side to move."""

    known: Known
    distance: int | None
    """Plies to the end under best play, where that is known."""
    source: Source
    best: str | None = None
    """A best move."""


@dataclass(frozen=True)
class Worth:
    """What a position is worth to the side that begins the game, and to the side to move."""

    first: float
    """0 to 1."""
    best: str | None
    line: tuple[str, ...]
    certain: Certain | None
    draws: float
    """How likely a draw is held, 0 to 1."""

    @property
    def band(self) -> tuple[float, float, float]:
        """Win, draw and loss of the side that begins; together 1, and win + draw / 2 is `first`."""
        draw = min(self.draws, 2 * self.first, 2 * (1 - self.first))
        return self.first - draw / 2, draw, 1 - self.first - draw / 2


@dataclass(frozen=True)
class Judged:
    """A move and what it gave away."""

    ply: int
    """The move led from this ply to the next."""
    side: str
    move: str
    before: Worth
    after: Worth
    lost: float
    """For the side that moved, 0 to 1."""
    mark: Mark
    words: str


def review(
    record: Record,
    limit: Limit,
    *,
    seed: int,
    exact: Exact | None = None,
    reviewer: Agent | None = None,
) -> Iterator[Judged]:
    """Every move of a game, the last first; `exact` says what is certain, `reviewer` what is likely."""
    last = record.to_position()
    looks = Looker(last.game, exact, reviewer)
    after = looks.worth(last, limit, seed, record.outcome)
    for ply in reversed(range(last.ply)):
        position = last.replay(ply)
        before = looks.worth(position, limit, split_seed(seed, ply))
        yield judged(position, last.history[ply], before, after)
        after = before


class Looker:
    """Looks at positions of a game: exactly where somebody knows, else by search."""

    def __init__(self, game: Game, exact: Exact | None = None, reviewer: Agent | None = None) -> None:
        self.agent = reviewer or agent(reviewer_spec(game))
        self._exact = exact or by_rules_and_tables
        self._game = game

    def worth(self, position: Position, limit: Limit, seed: int, ending: Outcome | None = None) -> Worth:
        """What a position is worth; `ending` is how the game ended there otherwise than by the rules."""
        outcome = position.outcome or ending
        if outcome is not None:
            known = _known(outcome.winner, position.turn)
            return self._certain(position, Certain(known, 0, "rules"), None)
        certain = self._exact(position)
        if certain is not None and certain.best is not None:
            return self._certain(position, certain, certain.best)
        analysis = self.agent.analyse(position, limit, seed=seed)
        return self.read(position, analysis, certain)

    def read(self, position: Position, analysis: Analysis, certain: Certain | None = None) -> Worth:
        """What an analysis says a position is worth; what is certain goes before it."""
        if certain is None and analysis.known is not None:
            tables = isinstance(self.agent, TablesAgent) and position.exact is not None
            certain = Certain(analysis.known, analysis.distance, "tables" if tables else "search")
        best = analysis.best.move
        if certain is not None:
            return self._certain(position, certain, best, analysis.line)
        value = 0.5 if analysis.value is None else analysis.value
        playouts = sum(analysis.results)
        draws = analysis.results[2] / playouts if playouts else 2 * value * (1 - value)
        return Worth(self._first(position, value), best, analysis.line, None, draws)

    def _certain(self, position: Position, certain: Certain, best: str | None, line: tuple[str, ...] = ()) -> Worth:
        first = self._first(position, WORTH[certain.known])
        return Worth(first, best, line or ((best,) if best else ()), certain, float(certain.known == "draw"))

    def _first(self, position: Position, value: float) -> float:
        return value if position.turn == self._game.sides[0] else 1 - value


def judged(position: Position, move: str, before: Worth, after: Worth) -> Judged:
    """What a move from a position gave away, by what the positions before and after it are worth."""
    is_first = position.turn == position.game.sides[0]
    lost = before.first - after.first if is_first else after.first - before.first
    if move == before.best or len(position.moves) == 1:
        lost = 0.0
    lost = max(0.0, lost)
    mark: Mark = next((mark for least, mark in MARKS if lost >= least), "")
    return Judged(position.ply, position.turn, move, before, after, lost, mark, _words(position, before, after, mark))


def reviewer_spec(game: Game) -> str:
    """Who looks at the games of a kind."""
    return REVIEWERS.get(game.id, "mcts")


def by_rules_and_tables(position: Position) -> Certain | None:
    """What endgame tables know of a position of checkers; nothing of other games."""
    if position.game.id != "checkers" or len(position.cells) > 8:
        return None
    use()
    exact = position.exact
    if exact is None:
        return None
    return Certain(_known(exact["winner"], position.turn), exact["distance"], "tables")


def accuracy(losses: list[float]) -> float:
    """How well a side played, 0 to 100: 100 gave nothing away.

    >>> accuracy([0, 0]), accuracy([0.1])
    (100.0, 80.0)
    """
    return 100.0 * (1 - min(1.0, 2 * sum(losses) / len(losses))) if losses else 100.0


def _known(winner: str | None, side: str) -> Known:
    return "draw" if winner is None else "win" if winner == side else "loss"


def _words(position: Position, before: Worth, after: Worth, mark: Mark) -> str:
    if not mark or before.best is None:
        return ""
    better = f"{position.notation(before.best)} was better"
    if before.certain is not None and after.certain is not None:
        return f"gave away a {before.certain.known}: {better}"
    return {"??": "a blunder", "?": "a mistake", "?!": "an inaccuracy"}[mark] + f": {better}"
