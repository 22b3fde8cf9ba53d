"""Compact networks: files, validation, and use by agents."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import plyground
from networks.random_networks import random_network
from plyground import ParseError, UnknownNameError, WeightsError
from plyground.agents import agent
from plyground.networks import engine_network, load, load_file, save
from plyground.networks.network import from_bytes, to_bytes
from plyground.weights.safetensors import Tensor, read, write

GAMES = ["checkers", "connect4", "tictactoe", "chess", "connect4(columns=8)", "nim"]


@pytest.fixture(autouse=True)
def _user_game() -> None:
    import plyground.examples.nim  # noqa: F401  registers the game


@pytest.mark.parametrize("spec", GAMES)
def test_a_saved_network_predicts_the_same(spec: str, tmp_path: Path) -> None:
    network = random_network(spec)
    save(tmp_path / "net.safetensors", network)
    loaded = load_file(tmp_path / "net.safetensors")
    assert to_bytes(loaded) == to_bytes(network)
    start = plyground.game(spec).start()
    predicted = engine_network(network, start).predict(start)
    assert engine_network(loaded, start).predict(start) == predicted
    results, logits = predicted
    assert sum(results) == pytest.approx(1)
    assert len(logits) == len(start.moves)


@pytest.mark.parametrize("spec", GAMES)
def test_integers_agree_with_floats_along_random_games(spec: str) -> None:
    game, rng = plyground.game(spec), plyground.Rng(5)
    start = game.start()
    network = engine_network(random_network(spec), start)
    for _ in range(3):
        position = start
        while position.outcome is None and position.ply < 60:
            (rounded, logits), (exact, exact_logits) = network.predict(position), network.predict(position, exact=True)
            assert rounded == pytest.approx(exact, abs=0.01)
            assert logits == pytest.approx(exact_logits, abs=0.02)
            position = position.play_random(rng)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize(
    "name",
    ["alphabeta(depth=3)", "mcts(simulations=50)", "mcts(simulations=50, root=gumbel)",
     "mcts(simulations=20, guide=0.7, playout_plies=20)", "alphabeta(depth=2, threads=2)"],
)  # fmt: skip
def test_agents_use_a_network(name: str, spec: str) -> None:
    position = plyground.game(spec).start()
    chosen = agent(name, network=random_network(spec))
    analysis = chosen.analyse(position, seed=1)
    assert analysis.best.move in position.moves
    assert chosen.analyse(position, seed=1).best.move == analysis.best.move or "threads" in name
    assert "network=random-0" in chosen.spec


def test_a_network_without_a_policy_predicts_no_moves() -> None:
    network = random_network("tictactoe", hidden=0)
    position = plyground.game("tictactoe").position("xx./oo./...")
    assert engine_network(network, position).predict(position)[1] == []
    assert agent("mcts(simulations=20, decisive=false)", network=network).analyse(position).best.move in position.moves


def test_the_search_uses_the_priors_and_values_of_the_network() -> None:
    position = plyground.game("connect4").start()
    network = random_network("connect4")
    _, logits = engine_network(network, position).predict(position)
    analysis = agent("mcts(simulations=1)", network=network).analyse(position, seed=1)
    favourite = max(range(7), key=lambda index: logits[index])
    priors = [move.prior or 0 for move in analysis.moves]
    assert max(range(7), key=lambda index: priors[index]) == favourite
    uniform = agent("mcts(simulations=1, prior_temperature=100)", network=network).analyse(position, seed=1)
    assert max(move.prior or 0 for move in uniform.moves) < max(priors)


def test_a_network_of_another_game_or_board_is_rejected() -> None:
    network = random_network("connect4")
    for spec in ("tictactoe", "connect4(columns=8)"):
        for name in ("alphabeta(depth=1)", "mcts"):
            with pytest.raises(WeightsError, match=r"expected a network for (tictactoe|connect4\(columns=8\))"):
                agent(name, network=network).analyse(plyground.game(spec).start(), simulations=5)


def test_conflicting_options_and_unknown_names_are_rejected() -> None:
    with pytest.raises(ParseError, match="options weights and network cannot be combined"):
        agent("alphabeta(weights=best, network=best)")
    with pytest.raises(ParseError, match="options evaluator and network cannot be combined"):
        agent("mcts(evaluator=random, network=best)")
    with pytest.raises(UnknownNameError, match="unknown network 'nobody' for checkers; available: "):
        load("nobody", "checkers")
    with pytest.raises(UnknownNameError, match="unknown network 'nobody'"):
        agent("mcts(network=nobody)").analyse(plyground.game("chess").start())
    with pytest.raises(WeightsError, match="No such file"):
        agent("mcts(network=/nowhere/net.safetensors)")


Damage = Callable[[dict[str, Tensor], dict[str, str]], object]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda tensors, header: header.update(format="other"), "not a network file: the format must be"),  # noqa: ARG005
        (lambda tensors, header: header.update(game="go"), "unknown game 'go'"),  # noqa: ARG005
        (lambda tensors, header: header.update(game="tictactoe"), "array features.weight must have the shape"),  # noqa: ARG005
        (lambda tensors, header: header.update(bucket_pieces="0"), "bucket_pieces must be between 1 and 1024, got '0'"),  # noqa: ARG005
        (lambda tensors, header: header.update(made="[]"), "the header field 'made' is invalid"),  # noqa: ARG005
        (lambda tensors, header: tensors.pop("value.bias"), "the number of buckets must be between 1 and 32, got 0"),  # noqa: ARG005
        (lambda tensors, header: tensors.pop("policy.bias"), "array policy.bias is missing"),  # noqa: ARG005
        (
            lambda tensors, header: tensors.update(extra=Tensor("F32", (1,), bytes(4))),  # noqa: ARG005
            "unknown array extra",
        ),
        (
            lambda tensors, header: tensors.update({"features.bias": Tensor("F32", (32,), b"\0\0\xc0\x7f" * 32)}),  # noqa: ARG005
            "array features.bias contains a value that is not finite",
        ),
        (
            lambda tensors, header: tensors.update({"features.bias": Tensor("I16", (32,), bytes(64))}),  # noqa: ARG005
            "the type of array 'features.bias' must be F32, got I16",
        ),
        (
            lambda tensors, header: tensors.update({"features.bias": Tensor("F32", (17,), bytes(68))}),  # noqa: ARG005
            "the width must be a multiple of 16, got 17",
        ),
    ],
)
def test_invalid_files_are_rejected(damage: Damage, message: str) -> None:
    tensors, header = read(to_bytes(random_network("connect4")))
    damage(tensors, header)
    with pytest.raises(WeightsError, match=message.replace("(", r"\(")):
        from_bytes(write(tensors, header))


def test_truncated_files_are_rejected(tmp_path: Path) -> None:
    data = to_bytes(random_network("tictactoe", width=16))
    for length in (0, 7, 8, 100, len(data) // 2, len(data) - 1):
        file = tmp_path / "net.safetensors"
        file.write_bytes(data[:length])
        with pytest.raises(WeightsError, match=str(file)):
            load_file(file)


def test_the_header_keeps_the_training_metadata() -> None:
    network = replace(random_network("chess"), rating={"elo": 12.5}, settings={"games": 3}, date="2026-11-15")
    loaded = from_bytes(to_bytes(network))
    assert (loaded.rating, loaded.settings, loaded.date) == ({"elo": 12.5}, {"games": 3}, "2026-11-15")
    assert json.loads(read(to_bytes(network))[1]["made"])["method"] == "random"
    assert loaded.parameters == 768 * 32 + 32 + 2 * 3 * 65 + 16 * 65 + plyground.game("chess").actions * 17
