"""What judges in a tree search: the best weights there are, others, or the game's rule of thumb."""

from __future__ import annotations

import pytest

from plyground import UnknownNameError, game
from plyground.agents import Limit, agent
from plyground.errors import WeightsError
from plyground.weights.sets import FOLDER


def visits(spec: str) -> list[int]:
    analysis = agent(spec).analyse(game("checkers").start(), Limit(simulations=300), seed=1)
    return [move.visits for move in analysis.moves]


def test_the_tree_search_judges_by_the_best_weights_there_are() -> None:
    assert visits("mcts") == visits("mcts(weights=best)") != visits("mcts(weights=none)")
    assert visits("mcts(weights=default)") not in (visits("mcts"), visits("mcts(weights=none)"))


def test_playouts_are_guided_by_the_weights_too() -> None:
    assert visits("mcts(guide=1, minimax=0)") != visits("mcts(guide=1, minimax=0, weights=none)")


def test_a_tree_search_refuses_weights_of_another_game() -> None:
    start = game("connect4").start()
    with pytest.raises(UnknownNameError, match="no weights of connect4 are called 'best'; there are: default"):
        agent("mcts(weights=best)").analyse(start, Limit(simulations=10), seed=1)
    with pytest.raises(WeightsError, match="are of checkers"):
        agent(f"mcts(weights={FOLDER / 'checkers' / 'best.safetensors'})").analyse(start, Limit(simulations=10), seed=1)
    with pytest.raises(WeightsError):
        agent("mcts(weights=missing.safetensors)")
