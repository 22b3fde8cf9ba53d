"""The peer OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453), its work done inside its C++."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from typing import Any

from plyground._engine import Game, Position, Rng, split_seed
from plyground.bench.clock import Batch, Work
from plyground.errors import PlygroundError, UnknownNameError
from plyground.games import game

LENGTH_ERROR = 0.004
"""Standard error of the peer's mean length that is accepted, as a part of the length."""


@dataclass(frozen=True)
class Twin:
    """The same rules under two names."""

    ours: str
    theirs: str


TWINS = {
    "checkers": Twin("checkers(draws=openspiel)", "checkers"),
    "connect4": Twin("connect4", "connect_four"),
    "tictactoe": Twin("tictactoe", "tic_tac_toe"),
    "chess": Twin("chess", "chess"),
}


class OpenSpiel:
    """OpenSpiel's version of one of our games."""

    name = "openspiel"

    def __init__(self, asked: Game) -> None:
        twin = TWINS.get(asked.id)
        if twin is None or asked.spec not in (asked.id, twin.ours):
            raise UnknownNameError(f"openspiel has no game with the rules of {asked.spec}; it has: {', '.join(TWINS)}")
        self._spiel = _pyspiel()
        self._game = self._spiel.load_game(twin.theirs)
        self.rules = game(twin.ours)

    def playouts(self, count: int, seed: int) -> Batch:
        """Random games from the start.

        A bot is asked for one simulation, and its evaluator makes `count` rollouts from the root.
        """
        evaluator = self._spiel.RandomRolloutEvaluator(count, _small(seed))
        # exploration 1.4, one simulation, 4096 MiB, no solver, not verbose
        bot = self._spiel.MCTSBot(self._game, evaluator, 1.4, 1, 4096, False, _small(seed), False)
        state = self._game.new_initial_state()

        def batch() -> int:
            bot.mcts_search(state)
            return count

        return batch

    def searches(self, simulations: int, c: float) -> Work:
        """Tree searches from the start, one rollout a simulation, without its solver."""
        state = self._game.new_initial_state()

        def work(count: int, seed: int) -> Batch:
            evaluator = self._spiel.RandomRolloutEvaluator(1, _small(seed))
            # 4096 MiB, no solver, not verbose
            bot = self._spiel.MCTSBot(self._game, evaluator, c, simulations, 4096, False, _small(seed), False)

            def batch() -> int:
                for _ in range(count):
                    bot.mcts_search(state)
                return count * simulations

            return batch

        return work

    def mean_plies(self, seed: int) -> float:
        """The mean number of actions in a random game, known to `LENGTH_ERROR`."""
        bots = [self._spiel.make_uniform_random_bot(side, _small(split_seed(seed, side))) for side in range(2)]
        games, total, squares = 0, 0, 0
        while games < 1000 or math.sqrt(_variance(games, total, squares) / games) > LENGTH_ERROR * total / games:
            state = self._game.new_initial_state()
            self._spiel.evaluate_bots(state, bots, _small(split_seed(seed, games)))
            plies = len(state.history())
            games, total, squares = games + 1, total + plies, squares + plies * plies
        return float(total / games)


def actions_per_move(start: Position, seed: int, games: int = 500) -> float:
    """How many of OpenSpiel's actions one of our moves is, in random games: there each jump is an action."""
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
    """A seed that fits OpenSpiel's 32-bit integers."""
    return seed % 2**31


def _pyspiel() -> Any:
    try:
        return importlib.import_module("pyspiel")
    except ImportError as error:
        raise PlygroundError("OpenSpiel is not installed; it comes with: pip install open_spiel") from error
