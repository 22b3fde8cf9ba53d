"""The networks shipped with the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import plyground
from plyground import Position, Rng
from plyground._engine import Network
from plyground.agents import agent
from plyground.networks import BEST, engine_network, load
from plyground.networks.network import FOLDER

GAMES = sorted(folder.name for folder in FOLDER.iterdir() if (folder / f"{BEST}.safetensors").exists())
MODEL_CARDS = (Path(__file__).parents[2] / "docs" / "learning.md").read_text("utf-8")
MAX_BYTES = 6_000_000
"""Maximum size of the networks of all games together."""


@cache
def shipped(game: str) -> Network:
    """Return the network of a game for the engine."""
    return engine_network(BEST, plyground.game(game).start())


def positions(game: str, count: int) -> list[Position]:
    """Return positions of random games that have at least two moves."""
    rng, found = Rng(7), list[Position]()
    while len(found) < count:
        position = plyground.game(game).start()
        while position.outcome is None and position.ply < 100:
            if len(position.moves) > 1 and rng.below(3) == 0:
                found.append(position)
            position = position.play_random(rng)
    return found[:count]


def test_the_networks_are_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.glob("*/*.safetensors")) <= MAX_BYTES


@pytest.mark.parametrize("game", GAMES)
def test_a_network_and_its_model_card_are_complete(game: str) -> None:
    network = load(BEST, game)
    assert network.game == plyground.game(game).spec
    assert network.method and network.games and network.settings and network.description and network.date
    assert {"elo", "low", "high", "games"} <= network.rating.keys()
    (card,) = (line for line in MODEL_CARDS.splitlines() if line.startswith(f"| {game} |") and "seed" in line)
    settings = network.settings
    for expected in (f"{network.games:,} games", f"seed {network.seed}", str(settings["teacher"]).split(":")[-1]):
        assert expected in card, expected


@pytest.mark.parametrize("game", GAMES)
def test_rounding_to_integers_rarely_changes_the_move(game: str) -> None:
    network, same, chosen = shipped(game), 0, positions(game, 400)
    for position in chosen:
        _, logits = network.predict(position)
        _, exact = network.predict(position, exact=True)
        same += exact[logits.index(max(logits))] > max(exact) - 0.01
    assert same >= 0.99 * len(chosen)


def test_the_network_loses_no_game_of_tic_tac_toe_without_search() -> None:
    start = plyground.game("tictactoe").start()
    for side in start.game.sides:
        assert _lost_games(shipped("tictactoe"), start, side) == []


def _lost_games(network: Network, position: Position, side: str) -> list[str]:
    """Return the games that a side loses by playing the most likely moves, against any possible play."""
    if (outcome := position.outcome) is not None:
        return [" ".join(position.history)] if outcome.winner not in (None, side) else []
    moves = position.moves
    if position.turn == side:
        _, logits = network.predict(position)
        moves = [moves[logits.index(max(logits))]]
    return [lost for move in moves for lost in _lost_games(network, position.play(move), side)]


@pytest.mark.parametrize("game", GAMES)
def test_searches_use_the_network(game: str) -> None:
    start = plyground.game(game).start()
    for name in ("alphabeta(network=best, depth=3)", "mcts(network=best, simulations=30)"):
        assert agent(name).play(start) in start.moves
