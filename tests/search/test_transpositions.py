"""A graph in which positions reached in different ways share what is known of them."""

from __future__ import annotations

import functools

import pytest

import plyground
from plyground import Position
from plyground._engine import Search
from plyground.agents import Limit, agent

GAMES = [game.id for game in plyground.games()]
ON = [("transpositions", "true")]


def nodes(search: Search) -> list[tuple[tuple[str, ...], dict[str, object]]]:
    """Every node with the moves that lead to it."""
    ways: list[tuple[str, ...]] = []
    found = []
    for node in search.top(10**6):
        ways.append(() if node["parent"] is None else (*ways[node["parent"]], node["move"]))
        found.append((ways[-1], node))
    return found


def test_what_is_found_on_one_way_is_known_on_the_other() -> None:
    start = plyground.game("connect4").position("44")
    search = Search(start, [*ON, ("solver", "false")])
    search.run(simulations=20_000, seed=1)
    below = {way: node for way, node in nodes(search) if len(way) <= 4}
    shared = 0
    for way, node in below.items():
        if len(way) != 4:
            continue
        twin = below.get((way[2], way[1], way[0], way[3]))
        if twin is not None and len({*way[:3]}) == 3 and node["children"] and twin["children"]:
            shared += 1
            # The same edge of the same shared position: one node, seen twice.
            assert (node["visits"], node["total"]) == (twin["visits"], twin["total"])
    assert shared > 50


def test_a_move_is_worth_what_the_moves_behind_it_are() -> None:
    search = Search(plyground.game("tictactoe").start(), [*ON, ("solver", "false")])
    search.run(simulations=5000, seed=1)
    found = nodes(search)
    children: dict[tuple[str, ...], list[dict[str, object]]] = {}
    for way, node in found[1:]:
        children.setdefault(way[:-1], []).append(node)
    root = found[0][1]
    moves = children[()]
    mean = sum(float(str(node["total"])) for node in moves) / sum(int(str(node["visits"])) for node in moves)
    # The root is seen by the side that did not move there.
    assert float(str(root["value"])) == pytest.approx(1 - mean, abs=1e-4)


@pytest.mark.parametrize("name", GAMES)
def test_a_graph_that_was_forgotten_is_as_new_however_often(name: str) -> None:
    start = plyground.game(name).start()
    search, fresh = Search(start, ON), Search(start, ON)
    fresh.run(simulations=2_000, seed=2)
    for times in (1, 1, 2**16):
        search.run(simulations=3_000, seed=1)
        for _ in range(times):
            search.clear()
        search.run(simulations=2_000, seed=2)
        assert nodes(search) == nodes(fresh)
        search.clear()


@functools.cache
def value(position: Position) -> int:
    if position.outcome is not None:
        winner = position.outcome.winner
        return 0 if winner is None else 1 if winner == position.turn else -1
    return max(-value(position.play(move)) for move in position.moves)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4(columns=4, rows=3, line=3)"])
def test_proven_values_of_a_graph_equal_a_plain_solver(spec: str) -> None:
    position = plyground.game(spec).start()
    analysis = agent("mcts(transpositions=true)").analyse(position, Limit(simulations=200_000), seed=1)
    assert analysis.known == {1: "win", 0: "draw", -1: "loss"}[value(position)]
    for move in analysis.moves:
        if move.known is not None:
            assert move.known == {1: "win", 0: "draw", -1: "loss"}[-value(position.play(move.move))]


def test_a_graph_of_kings_has_no_circles_and_knows_repetition() -> None:
    """Kings that can shuffle for ever: the search ends, and draws by repetition do not stick to positions."""
    position = plyground.game("checkers").position("B:WK5,K29:BK28,K32")
    analysis = agent("mcts(transpositions=true)").analyse(position, Limit(simulations=50_000), seed=1)
    assert analysis.simulations == 50_000
    rook = plyground.game("chess").position("8/8/8/8/8/2k5/8/K6R w - - 0 1")
    assert agent("mcts(transpositions=true)").analyse(rook, Limit(simulations=3000), seed=1).known is None


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", ["", ", rave=0.001", ", threads=2", ", leaf=estimate"])
def test_a_graph_keeps_its_budget_through_pruning_and_reuse(name: str, options: str) -> None:
    position = plyground.game(name).start()
    keeper = agent(f"mcts(transpositions=true, mebibytes=1, reuse=true{options})")
    simulations = 1000 if name == "chess" else 20_000
    for _ in range(4):
        analysis = keeper.analyse(position, Limit(simulations=simulations), seed=1)
        assert analysis.mebibytes <= 1
        assert analysis.known or len(position.moves) == 1 or analysis.simulations == simulations
        position = position.play(analysis.best.move)


def test_a_graph_needs_fewer_simulations_for_the_truth() -> None:
    position = plyground.game("tictactoe").start()
    used = [
        agent(f"mcts(transpositions={on}, c=1)").analyse(position, Limit(simulations=200_000), seed=1).simulations
        for on in ("false", "true")
    ]
    assert used[1] < used[0]
