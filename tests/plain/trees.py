"""Trees of the engine and of the plain search in one shape, to be compared."""

from __future__ import annotations

from plyground import Position, Rng, split_seed
from plyground._engine import Search
from plyground.plain import Mcts, Node

Tree = dict[tuple[str, ...], tuple[int, float]]
"""Visits and sum of rewards of each node, by the moves that lead to it."""

C = 1.4


def engine_tree(position: Position, simulations: int, seed: int, plies: int, c: float = C) -> Tree:
    options = {
        "solver": "false",
        "decisive": "false",
        "playout_decisive": "false",
        "playout_estimate": "false",
        "minimax": "0",
        "c": str(c),
        "playout_plies": str(plies),
    }
    search = Search(position, list(options.items()))
    search.run(simulations=simulations, seed=seed)
    ways: list[tuple[str, ...]] = []
    tree: Tree = {}
    for node in search.top(10**6):
        ways.append(() if node["parent"] is None else (*ways[node["parent"]], node["move"]))
        tree[ways[-1]] = (node["visits"], node["total"])
    return tree


def plain_tree(position: Position, simulations: int, seed: int, plies: int, c: float = C) -> Tree:
    # The engine gives thread 0 the first stream of the seed.
    return shape(Mcts(Rng(split_seed(seed, 0)), c, plies).run(position, simulations))


def shape(root: Node) -> Tree:
    tree: Tree = {}
    left: list[tuple[tuple[str, ...], Node]] = [((), root)]
    while left:
        way, node = left.pop()
        tree[way] = (node.visits, node.total)
        left += [((*way, child.move), child) for child in node.children]
    return tree
