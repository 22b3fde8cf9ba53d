"""Search graphs, in which transpositions share their statistics."""

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
    """Return every node with its path."""
    paths: list[tuple[str, ...]] = []
    found = []
    for node in search.top_nodes(10**6):
        paths.append(() if node["parent"] is None else (*paths[node["parent"]], node["move"]))
        found.append((paths[-1], node))
    return found


def test_transpositions_share_their_statistics() -> None:
    start = plyground.game("connect4").position("44")
    search = Search(start, [*ON, ("solver", "false")])
    search.run(simulations=20_000, seed=1)
    below = {path: node for path, node in nodes(search) if len(path) <= 4}
    shared = 0
    for path, node in below.items():
        if len(path) != 4:
            continue
        twin = below.get((path[2], path[1], path[0], path[3]))
        if twin is not None and len({*path[:3]}) == 3 and node["children"] and twin["children"]:
            shared += 1
            # Both paths lead to the same edge of the same shared position.
            assert (node["visits"], node["total"]) == (twin["visits"], twin["total"])
    assert shared > 50


def test_the_root_value_is_the_mean_over_its_moves() -> None:
    search = Search(plyground.game("tictactoe").start(), [*ON, ("solver", "false")])
    search.run(simulations=5000, seed=1)
    found = nodes(search)
    children: dict[tuple[str, ...], list[dict[str, object]]] = {}
    for path, node in found[1:]:
        children.setdefault(path[:-1], []).append(node)
    root = found[0][1]
    moves = children[()]
    mean = sum(float(str(node["total"])) for node in moves) / sum(int(str(node["visits"])) for node in moves)
    # The root value is from the point of view of the side that is not to move.
    assert float(str(root["value"])) == pytest.approx(1 - mean, abs=1e-4)


@pytest.mark.parametrize("name", GAMES)
def test_a_repeatedly_cleared_graph_equals_a_new_one(name: str) -> None:
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
def test_proven_values_equal_plain_negamax(spec: str) -> None:
    position = plyground.game(spec).start()
    analysis = agent("mcts(transpositions=true)").analyse(position, Limit(simulations=200_000), seed=1)
    assert analysis.proven == {1: "win", 0: "draw", -1: "loss"}[value(position)]
    for move in analysis.moves:
        if move.proven is not None:
            assert move.proven == {1: "win", 0: "draw", -1: "loss"}[-value(position.play(move.move))]


def test_repetitions_neither_loop_nor_prove_values() -> None:
    """Kings can shuffle forever; a draw by repetition belongs to a line, not to a position."""
    position = plyground.game("checkers").position("B:WK5,K29:BK28,K32")
    analysis = agent("mcts(transpositions=true)").analyse(position, Limit(simulations=50_000), seed=1)
    assert analysis.simulations == 50_000
    rook = plyground.game("chess").position("8/8/8/8/8/2k5/8/K6R w - - 0 1")
    assert agent("mcts(transpositions=true)").analyse(rook, Limit(simulations=3000), seed=1).proven is None


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", ["", ", rave=0.001", ", threads=2", ", leaf=heuristic"])
def test_a_graph_respects_its_limits_while_recycling_and_reusing_nodes(name: str, options: str) -> None:
    position = plyground.game(name).start()
    player = agent(f"mcts(transpositions=true, mebibytes=1, reuse=true{options})")
    simulations = 1000 if name == "chess" else 20_000
    for _ in range(4):
        analysis = player.analyse(position, Limit(simulations=simulations), seed=1)
        assert analysis.mebibytes <= 1
        assert analysis.proven or len(position.moves) == 1 or analysis.simulations == simulations
        position = position.play(analysis.best.move)


def test_a_graph_needs_fewer_simulations_for_a_proof() -> None:
    position = plyground.game("tictactoe").start()
    used = [
        agent(f"mcts(transpositions={on}, c=1)").analyse(position, Limit(simulations=200_000), seed=1).simulations
        for on in ("false", "true")
    ]
    assert used[1] < used[0]
