"""Flat Monte Carlo, its playouts in the engine: every legal move is tried by random games, and no tree is kept.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("connect4").position("1122")
>>> analysis = agent("flat(playouts=200)").analyse(position, Limit(), seed=1)
>>> analysis.best.move, analysis.best.visits, analysis.simulations
('3', 200, 1400)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from plyground._engine import Position, split_seed
from plyground.agents.agent import WORTH, Analysis, Known, Limit, MoveAnalysis, Report, check_unfinished, interval
from plyground.agents.options import whole
from plyground.agents.pace import Paced
from plyground.plain.flat import PLAYOUTS, Score
from plyground.spec import Spec

AT_ONCE = 10
"""Playouts of a move between two looks at the clock: a few milliseconds in every game."""


class FlatAgent(Paced):
    """Makes playouts of every legal move and trusts those that win most; a move that ends the game needs none."""

    def __init__(self, **options: str) -> None:
        self.spec = str(Spec("flat", options))
        self._playouts = whole(options, "playouts") or PLAYOUTS

    def analyse(self, position: Position, limit: Limit, *, seed: int, report: Report = None) -> Analysis:
        """Playouts in rounds over the moves until the limit; its `simulations` are those of all moves together."""
        check_unfinished(position)
        pace = self.start(limit.seconds, report)
        trials = [Trial(position, move) for move in position.moves]
        share_out(limit, self._playouts, [trial for trial in trials if trial.known is None])
        rounds = 0

        def thought() -> Analysis:
            known = {trial.score.move: trial.known for trial in trials if trial.known is not None}
            return analysis_of(position, [trial.score for trial in trials], known, pace.elapsed)

        while any(trial.left for trial in trials) and not pace.is_over:
            for index, trial in enumerate(trials):
                if trial.left and not pace.is_over:
                    trial.play_out(split_seed(split_seed(seed, index), rounds))
                    pace.tell(thought)
            rounds += 1
        return thought()


class Trial:
    """A legal move being tried."""

    def __init__(self, position: Position, move: str) -> None:
        self.score = Score(move)
        self.left: float = 0
        """Playouts still to be made."""
        self._mover = position.turn
        self._first = position.game.sides[0]
        self._after = position.play(move)

    @property
    def known(self) -> Known | None:
        """What the move leads to at once for the side that makes it, where it ends the game."""
        if (outcome := self._after.outcome) is None:
            return None
        return "draw" if outcome.winner is None else "win" if outcome.winner == self._mover else "loss"

    def play_out(self, seed: int) -> None:
        """Makes a few of the playouts that are left."""
        count = int(min(AT_ONCE, self.left))
        self.left -= count
        tally = self._after.playouts(count, seed)
        wins, losses = (tally.first, tally.second) if self._mover == self._first else (tally.second, tally.first)
        self.score.wins += wins
        self.score.draws += tally.draws
        self.score.losses += losses


def share_out(limit: Limit, playouts: int, trials: Sequence[Trial]) -> None:
    """Gives each move its part of the limit, evenly; `playouts` each where neither simulations nor seconds are set."""
    for index, trial in enumerate(trials):
        if limit.simulations is not None:
            trial.left = limit.simulations // len(trials) + (index < limit.simulations % len(trials))
        else:
            trial.left = playouts if limit.seconds is None else inf


def analysis_of(position: Position, scores: Sequence[Score], known: Mapping[str, Known], seconds: float) -> Analysis:
    """Scores of all legal moves as an Analysis; `known` has the moves that end the game.

    The share of a move goes by its wins alone, as its sum does (1 for a win, -1 for a draw or a loss).
    """
    rates = [win_rate(score, known.get(score.move)) for score in scores]
    moves = tuple(
        move_analysis(score, known.get(score.move), rate / sum(rates) if any(rates) else 1 / len(rates))
        for score, rate in zip(scores, rates, strict=True)
    )
    choice = max(range(len(moves)), key=lambda index: (moves[index].share, moves[index].value or 0.0))
    best = moves[choice]
    is_known = best.known == "win" or len(known) == len(moves)
    wins, losses = sum(score.wins for score in scores), sum(score.losses for score in scores)
    is_first = position.turn == position.game.sides[0]
    draws = sum(score.draws for score in scores)
    return Analysis(
        position,
        moves,
        choice=choice,
        value=best.value,
        known=best.known if is_known else None,
        distance=1 if is_known else None,
        seconds=seconds,
        simulations=wins + draws + losses,
        depth=1.0,
        deepest=1,
        results=(wins, losses, draws) if is_first else (losses, wins, draws),
    )


def win_rate(score: Score, known: Known | None) -> float:
    """The part of its playouts that a move won; of a move that ends the game, whether it wins.

    >>> win_rate(Score("4", wins=3, losses=1), None), win_rate(Score("4"), "draw")
    (0.75, 0.0)
    """
    return float(known == "win") if known is not None else score.wins / max(score.playouts, 1)


def move_analysis(score: Score, known: Known | None, share: float) -> MoveAnalysis:
    """What is thought of one move."""
    if known is not None:
        value = WORTH[known]
        return MoveAnalysis(score.move, share, value, value, value, known=known, distance=1)
    low, high = interval(score.mean, score.playouts)
    return MoveAnalysis(score.move, share, score.mean if score.playouts else None, low, high, score.playouts)
