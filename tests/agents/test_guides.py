"""Guided playouts: the first agent of a list that can play the game chooses most playout moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from networks.random_networks import random_network
from plyground import Game, ParseError, Position, game
from plyground._engine import Network
from plyground.agents import Agent, Analysis, Budget, Limit, MoveAnalysis, agent
from plyground.agents.registry import AGENTS
from plyground.learn.methods import make_learner
from plyground.networks import engine_network
from plyground.networks import save as save_network
from plyground.weights import WeightSet
from plyground.weights import save as save_weights

NETWORK = random_network("connect4")


class LastMove(Agent):
    """A move chooser with a file for connect4 only."""

    name = "last-move"
    description = "plays the last legal move"
    is_learned = True
    calls = 0

    def can_play(self, game: Game) -> bool:
        return game.id == "connect4"

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        type(self).calls += 1
        moves = position.moves
        return Analysis(position, tuple(MoveAnalysis(move, float(move == moves[-1])) for move in moves))


class Networked(LastMove):
    """A move chooser that plays the best move of a network."""

    name = "networked"

    def engine_policy(self, position: Position) -> Network:
        return engine_network(NETWORK, position)


@pytest.fixture(autouse=True)
def _agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "last-move", LastMove)
    monkeypatch.setitem(AGENTS, "networked", Networked)
    LastMove.calls = Networked.calls = 0


def visits(spec: str, position: str = "44", **options: object) -> list[tuple[int, float | None]]:
    analysis = agent(spec, **options).analyse(game("connect4").position(position), Limit(simulations=60), seed=3)
    return [(move.visits, move.value) for move in analysis.moves]


def test_the_first_agent_that_can_play_guides_the_playouts() -> None:
    expected = visits("mcts(evaluator=last-move, guide=0.7)")
    LastMove.calls = 0
    assert visits("mcts(guides=solver+last-move)") != expected  # the solver can play connect4
    assert LastMove.calls == 0
    assert visits("mcts(guides=tables+last-move+networked)") == expected
    assert LastMove.calls > 0


def test_a_guide_with_a_network_runs_at_native_speed() -> None:
    assert visits("mcts(guides=networked)") == visits("mcts(guide=0.7)", network=NETWORK)
    assert Networked.calls == 0


def test_without_a_guide_for_the_game_all_playout_moves_are_random() -> None:
    spec = "mcts(guides=last-move+networked, simulations=60)"
    position = game("checkers").start()
    guided, unguided = (agent(one).analyse(position, seed=3) for one in (spec, "mcts(leaf=playout, simulations=60)"))
    assert [(move.visits, move.value) for move in guided.moves] == [
        (move.visits, move.value) for move in unguided.moves
    ]
    assert LastMove.calls == 0


def test_the_probability_can_be_changed() -> None:
    assert visits("mcts(guides=last-move, guide=0)") == visits("mcts(leaf=playout)")


@pytest.mark.parametrize("name", ["qlearning", "network"])
def test_learned_agents_guide_playouts_at_native_speed_with_the_same_result(name: str, tmp_path: Path) -> None:
    file = tmp_path / "learned.safetensors"
    if name == "network":
        save_network(file, NETWORK)
    else:
        learner = make_learner("qlearning", "connect4", {"games": 100, "table_bits": 12}, seed=1)
        while learner.games_played < learner.total_games:
            learner.play()
        weights = learner.weight_set()
        assert isinstance(weights, WeightSet)
        save_weights(file, weights)
    spec = f"{name}({'network' if name == 'network' else 'weights'}={file})"
    assert agent(spec).engine_policy(game("connect4").start()) is not None
    assert visits(f"mcts(guides={spec})") == visits(f"mcts(guide=0.7, evaluator={spec})")


def test_guides_cannot_be_combined_with_another_evaluator() -> None:
    with pytest.raises(ParseError, match="options evaluator and guides cannot be combined; set one of them"):
        agent("mcts(guides=flat, evaluator=flat)")
