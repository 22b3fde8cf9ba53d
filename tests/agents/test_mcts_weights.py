"""Evaluation in tree search: the best weights, other weights, or the game's heuristic."""

from __future__ import annotations

import pytest

from plyground import UnknownNameError, game
from plyground.agents import Limit, agent
from plyground.errors import WeightsError
from plyground.weights.sets import FOLDER


def visits(spec: str) -> list[int]:
    analysis = agent(spec).analyse(game("checkers").start(), Limit(simulations=300), seed=1)
    return [move.visits for move in analysis.moves]


def test_uses_the_best_weights_by_default() -> None:
    assert visits("mcts") == visits("mcts(weights=best)") != visits("mcts(weights=none)")
    assert visits("mcts(weights=default)") not in (visits("mcts"), visits("mcts(weights=none)"))


def test_weights_also_guide_playouts() -> None:
    assert visits("mcts(guide=1, minimax=0)") != visits("mcts(guide=1, minimax=0, weights=none)")


def test_weights_for_another_game_are_rejected() -> None:
    start = game("connect4").start()
    with pytest.raises(UnknownNameError, match="unknown weights 'best' for connect4; available: default"):
        agent("mcts(weights=best)").analyse(start, Limit(simulations=10), seed=1)
    with pytest.raises(WeightsError, match="expected weights for connect4, got weights for checkers"):
        agent(f"mcts(weights={FOLDER / 'checkers' / 'best.safetensors'})").analyse(start, Limit(simulations=10), seed=1)
    with pytest.raises(WeightsError):
        agent("mcts(weights=missing.safetensors)")
