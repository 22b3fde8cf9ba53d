"""Agents that play a network without search."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

import pytest

import plyground
from networks.random_networks import random_network
from plyground import ParseError, UnknownNameError, WeightsError
from plyground.agents import Agent, agent
from plyground.agents.network import DqnAgent, NetworkAgent
from plyground.networks import CompactNetwork, engine_network, save
from plyground.server.search.players import check_spec
from plyground.server.settings import Settings
from plyground.spec import parse_spec
from plyground.weights.safetensors import Tensor

GAMES = ["checkers", "connect4", "tictactoe", "chess", "connect4(columns=8)", "nim"]


@pytest.fixture(autouse=True)
def _user_game() -> None:
    import plyground.examples.nim  # noqa: F401  registers the game


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("name", ["network", "dqn"])
def test_the_move_with_the_highest_logit_is_played(name: str, spec: str, tmp_path: Path) -> None:
    network = random_network(spec)
    file = tmp_path / "net.safetensors"
    save(file, network)
    player, rng = agent(f"{name}(network={file})"), plyground.Rng(3)
    position = plyground.game(spec).start()
    while position.outcome is None and position.ply < 30:
        (win, draw, _), logits = engine_network(network, position).predict(position)
        analysis = player.analyse(position, seed=1)
        assert [move.move for move in analysis.moves] == position.moves
        assert analysis.best.move == position.moves[logits.index(max(logits))]
        assert analysis.value == win + draw / 2
        assert sum(move.share for move in analysis.moves) == pytest.approx(1)
        assert analysis.best.share == max(move.share for move in analysis.moves)
        position = position.play_random(rng)


def test_the_seed_chooses_between_equal_moves() -> None:
    network = random_network("connect4")
    equal = {
        name: Tensor("F32", tensor.shape, bytes(len(tensor.data))) if name.startswith("policy") else tensor
        for name, tensor in network.tensors.items()
    }
    player = agent("network", network=dataclasses.replace(network, tensors=equal))
    position = plyground.game("connect4").start()
    assert player.play(position, seed=1) == player.play(position, seed=1)
    assert set(Counter(player.play(position, seed=seed) for seed in range(80))) == set(position.moves)
    assert [move.share for move in player.analyse(position).moves] == pytest.approx([1 / 7] * 7)


def test_one_agent_plays_several_games() -> None:
    player = agent("dqn")
    for spec in ("connect4", "tictactoe", "connect4"):
        position = plyground.game(spec).start()
        assert player.play(position) in position.moves


@pytest.mark.parametrize(("kind", "method"), [(NetworkAgent, "network"), (DqnAgent, "dqn")])
def test_a_game_without_a_shipped_network_is_a_clear_error(kind: type[Agent], method: str) -> None:
    position = plyground.game("nim").start()
    with pytest.raises(UnknownNameError, match=f"nim has no network .*: plyground train {method} nim"):
        kind().analyse(position)


def test_invalid_networks_are_rejected() -> None:
    position = plyground.game("connect4").start()
    with pytest.raises(UnknownNameError, match="unknown network 'nobody' for connect4"):
        agent("network(network=nobody)").analyse(position)
    with pytest.raises(WeightsError, match="No such file"):
        agent("dqn(network=/nowhere/net.safetensors)")
    with pytest.raises(WeightsError, match="expected a network for connect4, got a network for another game"):
        agent("dqn", network=random_network("chess")).analyse(position)
    without_policy: CompactNetwork = random_network("connect4", hidden=0)
    with pytest.raises(ParseError, match="agent network needs a network with a policy"):
        agent("network", network=without_policy).analyse(position)


def test_visitors_can_name_networks_but_not_files(tmp_path: Path) -> None:
    settings = Settings(store=str(tmp_path / "store.sqlite"))
    for text in ("dqn", "network(network=dqn)"):
        check_spec(parse_spec(text), settings)
    with pytest.raises(ParseError, match="network must be a name, not a file"):
        check_spec(parse_spec("network(network=a.safetensors)"), settings)


@pytest.mark.parametrize(
    ("spec", "expected"), [("checkers", 0.85), ("connect4", 0.85), ("tictactoe", 0.85), ("chess", 0.6)]
)
def test_the_shipped_dqn_network_beats_random_play(spec: str, expected: float) -> None:
    start = plyground.game(spec).start()
    player, points = agent("dqn"), 0.0
    for number in range(20):
        rng, side, position = plyground.Rng(number), start.game.sides[number % 2], start
        while position.outcome is None and position.ply < 300:
            is_own = position.turn == side
            position = position.play(player.play(position)) if is_own else position.play_random(rng)
        winner = None if position.outcome is None else position.outcome.winner
        points += 0.5 if winner is None else float(winner == side)
    assert points / 20 >= expected
