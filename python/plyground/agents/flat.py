"""Flat Monte Carlo, with playouts run by the engine: every legal move is sampled, and no tree is built.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("connect4").position("1122")
>>> analysis = agent("flat(playouts=200)").analyse(position, Limit(), seed=1)
>>> analysis.best.move, analysis.best.visits, analysis.simulations
('3', 200, 1400)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any

from plyground._engine import Position, split_seed
from plyground.agents.agent import Agent
from plyground.agents.analysis import (
    RESULT_VALUE,
    Analysis,
    Limit,
    MoveAnalysis,
    ProvenResult,
    interval,
    result_for,
)
from plyground.agents.budget import Budget
from plyground.agents.options import MAX_INTEGER, Option
from plyground.errors import Interrupted
from plyground.plain.flat import PLAYOUTS, Score

PLAYOUTS_OPTION = Option("playouts", "integer", "playouts per move", str(PLAYOUTS), 1, MAX_INTEGER)

BATCH_PLAYOUTS = 10
"""Playouts of a move between checks of the deadline; they take a few milliseconds in the built-in games."""


class FlatAgent(Agent):
    """Runs playouts of every legal move and prefers moves that win most; moves that end the game need no playouts."""

    name = "flat"
    description = "flat Monte Carlo: random playouts of every move, without a tree"
    options = (PLAYOUTS_OPTION,)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        self._playouts = options.get("playouts", PLAYOUTS)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Run playouts of the moves in turn until the limit; `limit.simulations` is the total for all moves."""
        samplers = [MoveSampler(position, move) for move in position.moves]
        rounds = 0

        def current_analysis() -> Analysis:
            proven = {sampler.score.move: sampler.proven for sampler in samplers if sampler.proven is not None}
            plies = sum(sampler.plies for sampler in samplers)
            return read_scores(position, [sampler.score for sampler in samplers], proven, budget.elapsed, plies)

        with suppress(Interrupted), budget:
            for sampler in samplers:
                sampler.play_move()
            divide_playouts(budget.limit, self._playouts, [one for one in samplers if one.proven is None])
            while any(sampler.remaining for sampler in samplers) and not budget.expired:
                for index, sampler in enumerate(samplers):
                    if sampler.remaining and not budget.expired:
                        sampler.run_batch(split_seed(split_seed(seed, index), rounds))
                        budget.report_if_due(current_analysis)
                rounds += 1
        return current_analysis()


class MoveSampler:
    """Runs playouts after one legal move."""

    def __init__(self, position: Position, move: str) -> None:
        self.score = Score(move)
        self.remaining: float = 0
        """Playouts still to be run; may be infinite."""
        self.plies = 0
        """Total length of the playouts."""
        self.proven: ProvenResult | None = None
        """The result for the side that makes the move, if the move ends the game."""
        self._mover = position.turn
        self._first = position.game.sides[0]
        self._after = position

    def play_move(self) -> None:
        """Play the move. Call this before the first playout."""
        self._after = self._after.play(self.score.move)
        if (outcome := self._after.outcome) is not None:
            self.proven = result_for(outcome.winner, self._mover)

    def run_batch(self, seed: int) -> None:
        """Run up to `BATCH_PLAYOUTS` of the remaining playouts."""
        count = int(min(BATCH_PLAYOUTS, self.remaining))
        self.remaining -= count
        results = self._after.playouts(count, seed)
        wins, losses = results.first_wins, results.second_wins
        if self._mover != self._first:
            wins, losses = losses, wins
        self.score.wins += wins
        self.score.draws += results.draws
        self.score.losses += losses
        self.plies += results.plies


def divide_playouts(limit: Limit, playouts: int, samplers: Sequence[MoveSampler]) -> None:
    """Divide the simulation limit evenly; without simulation and time limits, each move gets `playouts`."""
    for index, sampler in enumerate(samplers):
        if limit.simulations is not None:
            sampler.remaining = limit.simulations // len(samplers) + (index < limit.simulations % len(samplers))
        else:
            sampler.remaining = playouts if limit.seconds is None else inf


def read_scores(
    position: Position, scores: Sequence[Score], proven: Mapping[str, ProvenResult], seconds: float, plies: int = 0
) -> Analysis:
    """Convert the scores of all legal moves to an Analysis; `proven` contains the moves that end the game.

    `plies` is the total length of the playouts, 0 if unknown.

    The share of a move depends only on its wins, as `Score.sum` does (1 for a win, -1 for a draw or a loss).
    """
    rates = [win_rate(score, proven.get(score.move)) for score in scores]
    moves = tuple(
        move_analysis(score, proven.get(score.move), rate / sum(rates) if any(rates) else 1 / len(rates))
        for score, rate in zip(scores, rates, strict=True)
    )
    choice = max(range(len(moves)), key=lambda index: (moves[index].share, moves[index].value or 0.0))
    best = moves[choice]
    is_proven = best.proven == "win" or len(proven) == len(moves)
    wins, losses = sum(score.wins for score in scores), sum(score.losses for score in scores)
    draws = sum(score.draws for score in scores)
    playouts = wins + draws + losses
    first_wins, second_wins = (wins, losses) if position.turn == position.game.sides[0] else (losses, wins)
    return Analysis(
        position,
        moves,
        best_index=choice,
        value=best.value,
        proven=best.proven if is_proven else None,
        distance=1 if is_proven else None,
        seconds=seconds,
        simulations=playouts,
        mean_depth=1.0,
        max_depth=1,
        playout_results=(first_wins, second_wins, draws, 0),
        mean_playout_length=plies / max(playouts, 1),
        mean_playout_score=(first_wins + draws / 2) / playouts if playouts else None,
    )


def win_rate(score: Score, proven: ProvenResult | None) -> float:
    """Return the fraction of won playouts of a move, or 0 or 1 for a move that ends the game.

    >>> win_rate(Score("4", wins=3, losses=1), None), win_rate(Score("4"), "draw")
    (0.75, 0.0)
    """
    return float(proven == "win") if proven is not None else score.wins / max(score.playouts, 1)


def move_analysis(score: Score, proven: ProvenResult | None, share: float) -> MoveAnalysis:
    """Convert the score of one move."""
    if proven is not None:
        value = RESULT_VALUE[proven]
        return MoveAnalysis(score.move, share, value, value, value, proven=proven, distance=1)
    low, high = interval(score.mean, score.playouts)
    return MoveAnalysis(score.move, share, score.mean if score.playouts else None, low, high, score.playouts)
