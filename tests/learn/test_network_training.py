"""Training compact networks with PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import plyground
from plyground import WeightsError
from plyground._engine import Network, Position, SelfPlay
from plyground.learn.methods import make_learner
from plyground.learn.network import checkpoint_network, training_games
from plyground.learn.network_model import CompactModel, Samples
from plyground.networks import CompactNetwork, engine_network
from plyground.networks.network import to_bytes

TINY = {"games": 6, "generation": 3, "depth": 1, "epochs": 1, "width": 16, "hidden": 8, "batch": 64}


@pytest.mark.parametrize("spec", ["checkers", "connect4", "tictactoe", "chess"])
def test_the_engine_agrees_with_pytorch(spec: str) -> None:
    torch.manual_seed(3)
    start = plyground.game(spec).start()
    self_play = training_games(start, depth=1, opening_plies=0, epsilon=0, seed=1)
    positions = append_random_games(self_play, start, 20)
    samples = Samples(self_play.samples(20), start)
    assert len(samples) == len(positions)
    model = CompactModel(start.game.features, start.game.actions, 64, 4, 16)
    assert model.policy is not None
    torch.nn.init.normal_(model.policy.output.weight, std=0.5)
    network = engine_network(CompactNetwork(start.game.spec, model.tensors(), 8), start)
    batch = samples.batch(np.arange(len(samples)), 8, 4)
    with torch.no_grad():
        activations = model.activations(batch["own"], batch["other"])
        results = model.value_logits(activations, batch["bucket"]).softmax(1)
        policy = model.policy(activations, batch["legal"])
    for position, expected, logits in zip(positions, results.tolist(), policy.tolist(), strict=True):
        found, found_logits = network.predict(position, exact=True)
        assert found == pytest.approx(expected, abs=1e-3)
        assert found_logits == pytest.approx(logits[: len(found_logits)], abs=1e-3)
        _, rounded = network.predict(position)
        # Rounding may change which of several moves with almost equal logits is the most likely one.
        assert found_logits[rounded.index(max(rounded))] > max(found_logits) - 0.05


def append_random_games(self_play: SelfPlay, start: Position, games: int) -> list[Position]:
    """Append random games to self-play games and return their positions."""
    rng, positions = plyground.Rng(2), []
    for _ in range(games):
        position = start
        while position.outcome is None and position.ply < 80:
            positions.append(position)
            position = position.play_random(rng)
        self_play.append(position.history, [0] * position.ply, 0)
    return positions


def test_the_same_seed_trains_the_same_network_and_a_resumed_run_too() -> None:
    def trained(stop: int) -> bytes:
        learner = make_learner("network", "connect4", TINY, seed=5)
        for _ in range(stop):
            learner.play()
        checkpoints = [learner.checkpoint()]
        resumed = make_learner("network", "connect4", TINY, seed=5)
        resumed.restore(checkpoints)
        while resumed.games_played < resumed.total_games:
            resumed.play()
        network = resumed.weight_set()
        assert isinstance(network, CompactNetwork)
        return to_bytes(network)

    assert trained(2) == trained(4) == trained(6)


def test_a_checkpoint_contains_the_network_only_if_it_was_fitted_since_the_last_one() -> None:
    learner = make_learner("network", "connect4", TINY, seed=5)
    found = []
    for _ in range(6):
        learner.play()
        found.append(learner.checkpoint())
    for data, has_network in zip(found, [False, False, True, False, False, True], strict=True):
        if has_network:
            assert checkpoint_network(data, "connect4", TINY, 5).game == "connect4"
        else:
            with pytest.raises(WeightsError, match="this checkpoint has no network"):
                checkpoint_network(data, "connect4", TINY, 5)
    last = learner.weight_set()
    assert isinstance(last, CompactNetwork)
    assert to_bytes(checkpoint_network(found[-1], "connect4", TINY, 5)) == to_bytes(last)


def test_a_trained_network_predicts_results_better_than_chance() -> None:
    run = plyground.train("network", "checkers", games=120, depth=2, epochs=4, width=32, hidden=16, batch=256, seed=1)
    assert isinstance(run.weights, CompactNetwork)
    assert run.curve[120]["loss"] < 0.69 + 0.25 * 1.1
    start = plyground.game("checkers").start()
    network = engine_network(run.weights, start)

    def expected(text: str) -> float:
        (win, draw, _), _ = network.predict(start.game.position(text))
        return win + draw / 2

    assert expected("B:W21,22,23,24:B1,2,3,4,5,6,7") > expected("B:W21,22,23,24,25,26,27:B1,2,3,4")


def test_a_network_learns_tic_tac_toe() -> None:
    """Without search, the network loses no game, whatever the opponent plays."""
    run = plyground.train(
        "network", "tictactoe", games=3000, depth=9, opening_plies=1, epsilon=0.5, width=64, hidden=32, epochs=30,
        batch=256, learning_rate=0.005, search_weight=1.0, seed=1,
    )  # fmt: skip
    assert isinstance(run.weights, CompactNetwork)
    start = plyground.game("tictactoe").start()
    network = engine_network(run.weights, start)
    assert lost_games(network, start, "x") + lost_games(network, start, "o") == []


def lost_games(network: Network, position: Position, side: str) -> list[str]:
    """Return the games that a side loses by playing the most likely moves, against any possible play."""
    if (outcome := position.outcome) is not None:
        return [" ".join(position.history)] if outcome.winner not in (None, side) else []
    moves = position.moves
    if position.turn == side:
        _, logits = network.predict(position)
        moves = [moves[logits.index(max(logits))]]
    return [lost for move in moves for lost in lost_games(network, position.play(move), side)]
