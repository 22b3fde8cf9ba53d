"""The search tree of an analysis."""

from __future__ import annotations

import gc
import json
import pickle
import sys

import pytest

import plyground as pg
from plyground.agents.mcts import MctsAgent


def analysis(agent: str = "mcts", simulations: int | None = None) -> pg.Analysis:
    return pg.agent(agent).analyse(pg.game("connect4").start(), seed=1, simulations=simulations)


@pytest.mark.parametrize("agent", ["mcts", "plain-mcts", "Hard", "uct"])
def test_walk_yields_parents_before_children_and_the_most_visited_first(agent: str) -> None:
    found = analysis(agent, simulations=200)
    nodes = list(found.tree.walk())
    assert len(nodes) == len({node.path for node in nodes}) > 100
    assert (nodes[0].move, nodes[0].depth, nodes[0].visits) == ("", 0, 200)
    assert nodes[0].value == found.value
    assert [node.visits for node in nodes] == sorted((node.visits for node in nodes), reverse=True)
    for index, node in enumerate(nodes[1:], start=1):
        assert node.index == index
        parent = nodes[node.parent or 0]
        assert parent.index < index
        assert parent.path == node.path[:-1]
        assert pg.game("connect4").position(moves=node.path).turn == node.turn
    visits = {move.move: (move.visits, move.value) for move in found.moves if move.visits}
    assert {node.move: (node.visits, node.value) for node in nodes if node.depth == 1} == visits


def test_the_number_of_nodes_can_be_limited() -> None:
    assert [node.index for node in analysis(simulations=300).tree.walk(max_nodes=5)] == [0, 1, 2, 3, 4]


def test_to_dict_is_a_nested_json_tree() -> None:
    tree = analysis(simulations=300).tree
    data = json.loads(json.dumps(tree.to_dict()))

    def count(node: dict[str, object]) -> int:
        children = node["children"]
        assert isinstance(children, list)
        return 1 + sum(map(count, children))

    assert count(data) == len(list(tree.walk()))
    assert data["visits"] == 300
    assert data["children"][0]["move"] == next(node.move for node in tree.walk() if node.depth == 1)


def test_to_networkx_is_a_directed_tree() -> None:
    import networkx

    tree = analysis(simulations=300).tree
    graph = tree.to_networkx()
    assert networkx.is_arborescence(graph)
    nodes = list(tree.walk())
    assert graph.number_of_nodes() == len(nodes)
    assert graph.nodes[7]["path"] == nodes[7].path
    assert graph.nodes[7]["visits"] == nodes[7].visits


def test_a_missing_networkx_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(pg.PlygroundError, match="to_networkx requires networkx: pip install networkx"):
        analysis(simulations=10).tree.to_networkx()


@pytest.mark.parametrize("agent", ["alphabeta(depth=4)", "solver", "random", "flat", "minimax(depth=2)"])
def test_agents_without_a_search_tree_have_a_tree_of_their_variations(agent: str) -> None:
    position = pg.game("connect4").position("4444223")
    found = pg.agent(agent).analyse(position, seed=1)
    nodes = list(found.tree.walk())
    assert {node.path for node in nodes} >= {move.pv[:length] for move in found.moves for length in range(len(move.pv))}
    assert nodes[1].move == found.best.move
    assert {node.move for node in nodes if node.depth == 1} == set(position.moves)
    for move in found.moves:
        node = next(node for node in nodes if node.path == (move.move,))
        assert (node.value, node.visits, node.proven) == (move.value, move.visits, move.proven)


def test_proven_results_are_for_the_side_that_moved() -> None:
    found = pg.agent("mcts").analyse(pg.game("connect4").position("112233"), simulations=500, seed=1)
    winning = next(node for node in found.tree.walk() if node.path == ("4",))
    assert (winning.proven, winning.value) == ("win", 1.0)


def test_an_agent_that_continues_its_search_leaves_earlier_trees_unchanged() -> None:
    bot = pg.agent("mcts", reuse=True, simulations=300)
    position = pg.game("connect4").start()
    first = bot.analyse(position, seed=1)
    before = list(first.tree.walk())
    bot.analyse(position.play(4).play(4), seed=2)
    assert list(first.tree.walk()) == before


def test_trees_of_different_analyses_are_independent() -> None:
    bot = pg.agent("mcts", simulations=200)
    first = bot.analyse(pg.game("connect4").start(), seed=1)
    second = bot.analyse(pg.game("connect4").start(), seed=2)
    assert list(first.tree.walk()) != list(second.tree.walk())


def test_clearing_an_agent_frees_its_trees() -> None:
    bot = pg.agent("mcts", simulations=100)
    found = bot.analyse(pg.game("connect4").start())
    bot.clear()
    with pytest.raises(pg.PlygroundError, match="the agent has discarded this tree"):
        found.tree.walk()


def test_a_tree_does_not_outlive_its_analysis() -> None:
    bot = pg.agent("mcts", simulations=100)
    assert isinstance(bot, MctsAgent)
    found = bot.analyse(pg.game("connect4").start())
    assert bot._last_tree is not None
    assert bot._last_tree() is found.tree
    del found
    gc.collect()
    assert bot._last_tree() is None


def test_a_pickled_analysis_keeps_its_data_but_not_the_search() -> None:
    found = analysis(simulations=100)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert len(list(again.tree.walk())) < len(list(found.tree.walk()))


def test_changing_the_best_move_keeps_the_tree() -> None:
    found = analysis("Easy")
    assert next(found.tree.walk()).visits == 20
    assert len(list(found.with_best(0).tree.walk())) == len(list(found.tree.walk()))


def test_an_analysis_converts_to_json() -> None:
    found = analysis(simulations=100)
    data = json.loads(json.dumps(found.to_dict()))
    assert (data["game"], data["best"], data["simulations"]) == ("connect4", found.best.move, 100)
    assert [move["move"] for move in data["moves"]] == found.position.moves
    assert data["moves"][0]["visits"] == found.moves[0].visits
