"""Trees at their memory limit: recycling nodes leaves a valid tree."""

from __future__ import annotations

import pytest

import plyground
from plyground._engine import Search
from plyground.agents import Limit, agent
from stopping import LONG_S, stop_while_running

GAMES = [game.id for game in plyground.games()]
OPTIONS = [[], [("rave", "0.001")], [("transpositions", "true")], [("leaf", "heuristic")]]


def sorted_nodes(search: Search) -> list[tuple[int, str, float]]:
    """Return all nodes, independent of their memory layout."""
    return sorted((node["visits"], node["move"], node["total"]) for node in search.top_nodes(10**6))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_recycled_tree_is_valid(name: str, options: list[tuple[str, str]], threads: int) -> None:
    """Moving the root frees many nodes; `restore` checks every node against the rules."""
    position = plyground.game(name).start()
    is_graph = ("transpositions", "true") in options
    options = [*options, ("solver", "false")]
    search = Search(position, options, mebibytes=1, threads=threads)
    for _ in range(4):
        analysis = search.run(simulations=6_000 if name == "chess" else 60_000, seed=1)
        assert analysis["bytes"] <= 2**20
        restored = Search(position, options, mebibytes=4)
        restored.restore(search.dump())
        assert is_graph or sorted_nodes(restored) == sorted_nodes(search)  # a graph has too many paths to list
        assert restored.analysis()["moves"] == search.analysis()["moves"]
        assert restored.analysis()["nodes"] == search.analysis()["nodes"]
        position = position.play(analysis["moves"][analysis["best"]]["move"])
        search.move_to(position)


@pytest.mark.parametrize("options", ["", ", workers=2", ", transpositions=true"])
def test_the_same_seed_gives_the_same_full_tree(options: str) -> None:
    start = plyground.game("checkers").start()
    first, same, different = (
        agent(f"mcts(mebibytes=1{options})").analyse(start, Limit(simulations=100_000), seed=seed) for seed in (1, 1, 2)
    )
    assert first.moves == same.moves
    assert first.nodes == same.nodes
    assert first.moves != different.moves


def test_a_full_tree_still_grows_deeper() -> None:
    position = plyground.game("connect4").position("444444")
    few, many = (
        agent("mcts(mebibytes=1)").analyse(position, Limit(simulations=simulations), seed=1)
        for simulations in (20_000, 400_000)
    )
    assert many.nodes <= 2**20 / 32
    assert many.max_depth > few.max_depth


@pytest.mark.parametrize("options", ["", ", threads=2", ", transpositions=true"])
def test_a_search_with_a_full_tree_can_be_stopped(options: str) -> None:
    start = plyground.game("checkers").start()
    player = agent(f"mcts(mebibytes=4, reuse=true, leaf=heuristic{options})")
    full = player.analyse(start, Limit(simulations=400_000), seed=1)
    assert full.mebibytes > 3.9
    analysis = stop_while_running(
        lambda: player.analyse(start, Limit(seconds=LONG_S), seed=1),
        player.stop,
    )
    assert full.mebibytes <= analysis.mebibytes <= 4


def test_moving_the_root_of_a_large_tree_keeps_the_subtree() -> None:
    start = plyground.game("connect4").start()
    search = Search(start, [("solver", "false")], mebibytes=64)
    analysis = search.run(simulations=100_000, seed=1)
    visits = {move["move"]: move["visits"] for move in analysis["moves"]}
    search.move_to(start.play("4"))
    assert sum(move["visits"] for move in search.analysis()["moves"]) >= visits["4"] - 1
