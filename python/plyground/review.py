"""Review of a game: the value that each move lost, exact where the value of the position is known.

Positions are evaluated from the last to the first. A move loses the difference between the values of the positions
before and after it, for the side that moved. If the reviewer prefers another move, it searches the positions after
both moves, so that their values are comparable, and the position before them gets the better value. A position with one
legal move has the value of the position after it and is not searched. The marks are those of chess annotation.

>>> from plyground.records import Record
>>> moves = list(review(Record("tictactoe", ("b2", "b1", "c1")), Limit(simulations=5000), seed=1))
>>> [(move.move, move.mark, move.comment) for move in reversed(moves)]
[('b2', '', ''), ('b1', '??', 'gave away a draw: a1 was better'), ('c1', '', '')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from plyground._engine import Game, Position, split_seed
from plyground.agents import Analysis, Limit
from plyground.agents.agent import Agent
from plyground.agents.analysis import RESULT_VALUE, GameResult, result_for
from plyground.agents.forced import forced_line
from plyground.agents.tables import TablesAgent
from plyground.errors import PlygroundError
from plyground.exact import Solver
from plyground.exact.tables import activate_tables
from plyground.levels import agent
from plyground.records import Record

Mark = Literal["", "?!", "?", "??"]

MARKS: tuple[tuple[float, Mark], ...] = ((0.3, "??"), (0.15, "?"), (0.05, "?!"))
"""Minimum value loss of each mark, where a win is worth 1 and a loss 0; largest first. In an even position, a
man is worth about 0.2 in checkers, and a pawn about 0.14 in chess."""
MISTAKES: tuple[Mark, ...] = ("?", "??")
"""The marks of moves that the coach warns about."""
SECONDS = 0.2
"""Default time of each search of a review."""
MAX_SEARCHES = 2
"""Maximum number of searches per reviewed move, not counting the search of the last position."""
ALPHA_BETA_OPTIONS = {"checkers": "tables=true, weights=best, ", "chess": ""}
"""Options of the alpha-beta search that reviews a game, by game id; other games are reviewed by MCTS."""
Source = Literal["solver", "tables", "rules", "search"]
ExactLookup = Callable[[Position], "ExactValue | None"]
"""Returns the exact value of an unfinished position, if it is known."""


@dataclass(frozen=True)
class ExactValue:
    """The result of a position under best play, for the side to move."""

    result: GameResult
    distance: int | None
    """Plies to the end under best play, if known."""
    source: Source
    """``search``: proven by the reviewer's search."""
    best: str | None = None
    """A best move."""


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of a position."""

    value_first: float | None
    """Expected score of the first side, from 0 to 1; None if the reviewer does not evaluate positions."""
    best: str | None
    """A best move; None if the game is over."""
    pv: tuple[str, ...] = ()
    """Principal variation, beginning with the best move."""
    exact: ExactValue | None = None
    draw_probability: float = 0.0
    """From 0 to 1."""

    def value_for(self, side: str, game: Game) -> float | None:
        """Return the expected score of a side, from 0 to 1."""
        return self.value_first if self.value_first is None or side == game.sides[0] else 1 - self.value_first

    @property
    def win_draw_loss(self) -> tuple[float, float, float] | None:
        """Probabilities of a win, a draw and a loss of the first side; win + draw / 2 is `value_first`."""
        if self.value_first is None:
            return None
        draw = min(self.draw_probability, 2 * self.value_first, 2 * (1 - self.value_first))
        return self.value_first - draw / 2, draw, 1 - self.value_first - draw / 2

    def preceded_by(self, position: Position, move: str) -> Evaluation:
        """Return the evaluation of `position` if `move`, its best or only move, leads to this evaluation."""
        exact, value = self.exact, self.value_for(position.turn, position.game)
        if exact is not None and value is not None:
            result = next(result for result in RESULT_VALUE if RESULT_VALUE[result] == value)
            distance = None if exact.distance is None else exact.distance + 1
            exact = ExactValue(result, distance, exact.source, move)
        return replace(self, best=move, pv=(move, *self.pv), exact=exact)


@dataclass(frozen=True)
class ReviewedMove:
    """A move and the value it lost."""

    ply: int
    """Number of plies played before the move."""
    side: str
    move: str
    before: Evaluation
    after: Evaluation
    value_loss: float
    """For the side that moved, from 0 to 1."""
    mark: Mark
    summary: str
    """What a marked move lost, without naming a better move: ``gave away a draw``; empty for other moves."""
    comment: str
    """The summary and the best move: ``gave away a draw: a1 was better``; empty for moves without a mark."""


def review(
    record: Record,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    exact: ExactLookup | None = None,
    reviewer: Reviewer | Agent | str | None = None,
) -> Iterator[ReviewedMove]:
    """Yield every move of a game, last move first.

    `limit` applies to each search, by default 0.2 s; a move takes up to two searches. `exact` returns exact values, by
    default those of the checkers endgame tables. `reviewer` is the agent that analyses all other positions, or its
    name or spec, by default the strongest one for the game; or a `Reviewer`, which has its own exact values. With a
    limit other than time, the same seed gives the same review.

    The recorded outcome counts only if it follows from the rules: neither a resignation nor a loss on time changes
    the value of the last position.

    >>> record = Record("connect4", ("4", "4", "3", "1", "5"))
    >>> [move.mark for move in review(record, reviewer="solver")][::-1]
    ['', '', '??', '??', '']
    """
    last = record.to_position()
    if not isinstance(reviewer, Reviewer):
        reviewer = Reviewer(last.game, exact, reviewer)
    after = reviewer.evaluate(last, limit, seed)
    for ply in reversed(range(last.ply)):
        reviewed = reviewer.review_move(last.replay(ply), last.history[ply], limit, seed, after)
        yield reviewed
        after = reviewed.before


class Reviewer:
    """Evaluates positions and moves of a game: exactly where possible, otherwise with an agent.

    >>> import plyground
    >>> position = plyground.game("checkers").position("W:WK6,K7:BK32")
    >>> reviewed = Reviewer(position.game).review_move(position, "6-1")
    >>> reviewed.mark, reviewed.before.value_first, reviewed.after.value_first
    ('', 0.0, 0.0)
    """

    def __init__(self, game: Game, exact: ExactLookup | None = None, reviewer: Agent | str | None = None) -> None:
        """`reviewer` is an agent, or the name or spec of one."""
        self.agent = reviewer if isinstance(reviewer, Agent) else agent(reviewer or reviewer_spec(game))
        self._exact = exact or tablebase_value
        if game.id == "checkers" and isinstance(self.agent, TablesAgent):
            activate_tables()  # opening them takes longer than a short search

    def evaluate(self, position: Position, limit: Limit | None = None, seed: int = 0) -> Evaluation:
        """Evaluate a position; one with a single legal move has the value of the position after it."""
        *forced, last = forced_line(position)
        evaluation = self._evaluate(last, limit or Limit(seconds=SECONDS), seed)
        for before in reversed(forced):
            evaluation = evaluation.preceded_by(before, before.moves[0])
        return evaluation

    def review_move(
        self,
        position: Position,
        move: str,
        limit: Limit | None = None,
        seed: int = 0,
        after: Evaluation | None = None,
    ) -> ReviewedMove:
        """Review a move of a position; `after` is the evaluation of the position after it, if known."""
        move = position.parse_move(move)
        if after is None:
            after = self.evaluate(position.play(move), limit, seed)
        played = after.preceded_by(position, move)
        before = played if len(position.moves) == 1 else self._evaluate_before(position, played, limit, seed)
        return _reviewed_move(position, move, before, after)

    def from_analysis(self, position: Position, analysis: Analysis, exact: ExactValue | None = None) -> Evaluation:
        """Return the evaluation that an analysis implies; an exact value takes precedence."""
        if exact is None and analysis.proven is not None:
            is_table_value = isinstance(self.agent, TablesAgent) and position.proven_value is not None
            exact = ExactValue(analysis.proven, analysis.distance, "tables" if is_table_value else "search")
        best = analysis.best.move
        if exact is not None:
            return _exact_evaluation(position, exact, best, analysis.pv)
        value = analysis.value
        if value is None:
            return Evaluation(None, best, analysis.pv)
        shares = analysis.result_shares
        draw_probability = shares[2] if shares else 2 * value * (1 - value)
        return Evaluation(_value_first(position, value), best, analysis.pv, None, draw_probability)

    def _evaluate(self, position: Position, limit: Limit, seed: int) -> Evaluation:
        outcome = position.outcome
        if outcome is not None:
            return _exact_evaluation(position, ExactValue(result_for(outcome.winner, position.turn), 0, "rules"), None)
        exact = self._exact(position)
        if exact is not None and exact.best is not None:
            return _exact_evaluation(position, exact, exact.best)
        analysis = self.agent.analyse(position, limit, seed=split_seed(seed, position.ply))
        return self.from_analysis(position, analysis, exact)

    def _evaluate_before(self, position: Position, played: Evaluation, limit: Limit | None, seed: int) -> Evaluation:
        """Evaluate a position by the better of two moves: the one played and the one that the reviewer prefers."""
        found = self.evaluate(position, limit, seed)
        if found.exact is not None or found.value_first is None or found.best is None or played.value_first is None:
            return found
        if found.best == played.best:
            return played
        best = self.evaluate(position.play(found.best), limit, seed).preceded_by(position, found.best)
        values = [one.value_for(position.turn, position.game) for one in (best, played)]
        return best if values[0] is not None and values[1] is not None and values[0] > values[1] else played


def reviewer_spec(game: Game, lines: int = 1) -> str:
    """Return the spec of the agent that reviews a game; it evaluates at least the best `lines` moves.

    >>> import plyground
    >>> reviewer_spec(plyground.game("chess")), reviewer_spec(plyground.game("connect4"), lines=4)
    ('alphabeta(reuse=always, lines=1)', 'mcts')
    """
    options = ALPHA_BETA_OPTIONS.get(game.id)
    if options is None:
        return "mcts"
    search = f"alphabeta({options}reuse=always, lines={lines})"
    return f"tables(fallback={search})" if game.id == "checkers" else search


def tablebase_value(position: Position) -> ExactValue | None:
    """Return the value of a checkers position from the endgame tables; None for other games."""
    if position.game.id != "checkers" or len(position.cells) > 8:
        return None
    activate_tables()
    value = position.proven_value
    if value is None:
        return None
    return ExactValue(result_for(value["winner"], position.turn), value["distance"], "tables")


def exact_lookup(game: Game, seconds: float) -> ExactLookup:
    """Return a function that solves positions within a time limit, or probes endgame tables if there is no solver."""
    try:
        solver = Solver(game.spec)
    except PlygroundError:  # there is no solver for the game
        return tablebase_value

    def lookup(position: Position) -> ExactValue | None:
        solution = solver.try_solve(position, all_moves=True, seconds=seconds)
        if solution is None:
            return None
        result: GameResult = "win" if solution.score > 0 else "loss" if solution.score < 0 else "draw"
        best = next(move.move for move in solution.moves if move.score == solution.score)
        return ExactValue(result, solution.distance, "solver", best)

    return lookup


def accuracy(losses: list[float]) -> float:
    """Return the accuracy of a side from 0 to 100, given the value losses of its moves; 100 means no losses.

    >>> accuracy([0, 0]), accuracy([0.1])
    (100.0, 80.0)
    """
    return 100.0 * (1 - min(1.0, 2 * sum(losses) / len(losses))) if losses else 100.0


def mark_for(value_loss: float) -> Mark:
    """Return the mark for a value loss from 0 to 1.

    >>> mark_for(0.04), mark_for(0.1), mark_for(0.2), mark_for(1)
    ('', '?!', '?', '??')
    """
    return next((mark for minimum, mark in MARKS if value_loss >= minimum), "")


def _reviewed_move(position: Position, move: str, before: Evaluation, after: Evaluation) -> ReviewedMove:
    best, reached = (one.value_for(position.turn, position.game) for one in (before, after))
    loss = 0.0
    if best is not None and reached is not None and move != before.best:
        loss = max(0.0, best - reached)
    mark = mark_for(loss)
    summary = comment = ""
    if mark and best is not None and reached is not None and before.best is not None:
        if before.exact is not None and after.exact is not None:
            summary = f"gave away a {before.exact.result}"
        else:
            summary = f"dropped from {best:.0%} to {reached:.0%}"
        comment = f"{summary}: {position.notation(before.best)} was better"
    return ReviewedMove(position.ply, position.turn, move, before, after, loss, mark, summary, comment)


def _exact_evaluation(position: Position, exact: ExactValue, best: str | None, pv: tuple[str, ...] = ()) -> Evaluation:
    value_first = _value_first(position, RESULT_VALUE[exact.result])
    return Evaluation(value_first, best, pv or ((best,) if best else ()), exact, float(exact.result == "draw"))


def _value_first(position: Position, value: float) -> float:
    """Convert a value for the side to move to a value for the first side."""
    return value if position.turn == position.game.sides[0] else 1 - value
