"""The peer OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453); all timed work runs inside its C++ core."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from typing import Any

from plyground._engine import Game, Position, Rng, split_seed
from plyground.bench.result import missing_peer
from plyground.bench.timing import Batch, Workload
from plyground.errors import UnknownNameError
from plyground.games import game

LENGTH_ERROR = 0.004
"""Maximum standard error of the mean game length, relative to the mean."""


@dataclass(frozen=True)
class Equivalent:
    """A game with the same rules in both libraries."""

    ours: str
    theirs: str


EQUIVALENTS = {
    "checkers": Equivalent("checkers(draws=openspiel)", "checkers"),
    "connect4": Equivalent("connect4", "connect_four"),
    "tictactoe": Equivalent("tictactoe", "tic_tac_toe"),
    "chess": Equivalent("chess", "chess"),
}


class OpenSpiel:
    """OpenSpiel's version of one of our games."""

    name = "openspiel"

    def __init__(self, requested: Game) -> None:
        equivalent = EQUIVALENTS.get(requested.id)
        if equivalent is None or requested.spec not in (requested.id, equivalent.ours):
            available = ", ".join(EQUIVALENTS)
            raise UnknownNameError(f"openspiel does not implement {requested.spec}; available games: {available}")
        self._spiel = _pyspiel()
        self._game = self._spiel.load_game(equivalent.theirs)
        self.rules = game(equivalent.ours)

    def playouts(self, count: int, seed: int) -> Batch:
        """Prepare random games from the start position: one simulation whose evaluator makes `count` rollouts."""
        evaluator = self._spiel.RandomRolloutEvaluator(count, _small(seed))
        # exploration 1.4, one simulation, 4096 MiB, no solver, not verbose
        bot = self._spiel.MCTSBot(self._game, evaluator, 1.4, 1, 4096, False, _small(seed), False)
        state = self._game.new_initial_state()

        def batch() -> int:
            bot.mcts_search(state)
            return count

        return batch

    def searches(self, simulations: int, c: float) -> Workload:
        """Return the workload of searches from the start position: one rollout per simulation and no solver."""
        state = self._game.new_initial_state()

        def workload(count: int, seed: int) -> Batch:
            evaluator = self._spiel.RandomRolloutEvaluator(1, _small(seed))
            # 4096 MiB, no solver, not verbose
            bot = self._spiel.MCTSBot(self._game, evaluator, c, simulations, 4096, False, _small(seed), False)

            def batch() -> int:
                for _ in range(count):
                    bot.mcts_search(state)
                return count * simulations

            return batch

        return workload

    def mean_plies(self, seed: int) -> float:
        """Return the mean number of actions in a random game, accurate to `LENGTH_ERROR`."""
        bots = [self._spiel.make_uniform_random_bot(side, _small(split_seed(seed, side))) for side in range(2)]
        games, total, squares = 0, 0, 0
        while games < 1000 or math.sqrt(_variance(games, total, squares) / games) > LENGTH_ERROR * total / games:
            state = self._game.new_initial_state()
            self._spiel.evaluate_bots(state, bots, _small(split_seed(seed, games)))
            plies = len(state.history())
            games, total, squares = games + 1, total + plies, squares + plies * plies
        return float(total / games)


def actions_per_move(start: Position, seed: int, games: int = 500) -> float:
    """Return the mean number of OpenSpiel actions per move in random games; each jump of a capture is an action."""
    actions, moves = 0, 0
    rng = Rng(seed)
    for _ in range(games):
        position = start
        while position.outcome is None:
            after = position.play_random(rng)
            actions += max(1, len(position.path(after.history[-1])) - 1)
            moves += 1
            position = after
    return actions / moves


def _variance(games: int, total: int, squares: int) -> float:
    return (squares - total * total / games) / (games - 1)


def _small(seed: int) -> int:
    """Reduce a seed to the range of OpenSpiel's 32-bit integers."""
    return seed % 2**31


def _pyspiel() -> Any:
    try:
        return importlib.import_module("pyspiel")
    except ImportError as error:
        raise missing_peer("OpenSpiel", "open_spiel") from error
