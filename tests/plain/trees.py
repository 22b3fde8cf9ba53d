"""Trees of the engine and the plain search, converted to a common form for comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from plyground import Position, Rng, split_seed
from plyground._engine import Search, Weights
from plyground.plain import Mcts, Node, plain_search
from plyground.plain.enhancements import ImplicitMinimax

Path = tuple[str, ...]
Tree = dict[Path, tuple[int, float]]
"""Visits and sum of rewards of each node, by path."""

C = 1.4

HEURISTIC = {"cutoff": "heuristic"}
OFF = {
    "solver": "false",
    "decisive": "false",
    "playout_decisive": "false",
    "minimax": "0",
    "leaf": "playout",
    "cutoff": "draw",
}
"""Options of plain UCT."""


def engine_tree(
    position: Position, simulations: int, seed: int, plies: int, c: float = C, cutoff: str = "draw"
) -> Tree:
    options = {**OFF, "c": str(c), "playout_plies": str(plies), **({} if cutoff == "draw" else {"cutoff": cutoff})}
    [grown] = grow_engine([position], options, simulations, seed)
    return {path: (node.visits, node.total) for path, node in grown.nodes.items()}


def plain_tree(
    position: Position, simulations: int, seed: int, plies: int, c: float = C, search: type[Mcts] = Mcts
) -> Tree:
    # Thread 0 of the engine uses the first stream of the seed.
    return shape(search(Rng(split_seed(seed, 0)), c, plies).run(position, simulations))


def shape(root: Node) -> Tree:
    return {path: (node.visits, node.total) for path, node in visited(root)}


def visited(root: Node) -> list[tuple[Path, Node]]:
    """Return the visited nodes and their paths. Nodes of a graph are listed once for each path."""
    found: list[tuple[Path, Node]] = [((), root)]
    for path, node in found:
        found += [((*path, child.move), child) for child in node.children if child.visits]
    return found


Proof = tuple[str | None, int]
"""Winner and distance."""


class Statistics(NamedTuple):
    """The compared properties of a node."""

    visits: int
    total: float
    children: int
    proven: Proof | None
    minimax: float | None


class Grown(NamedTuple):
    """A tree and the chosen move."""

    best: str
    moves: Mapping[str, tuple[int, Proof | None]]
    """Visits and proven value of each legal move."""
    nodes: dict[Path, Statistics]


def grow_engine(
    positions: Sequence[Position],
    options: Mapping[str, str],
    simulations: int,
    seed: int,
    weights: Weights | None = None,
) -> list[Grown]:
    """Search positions with the engine, reusing the tree from one to the next."""
    search = Search(positions[0], list(options.items()), weights=weights)
    grown = []
    for index, position in enumerate(positions):
        if index:
            search.move_to(position)
        analysis = search.run(simulations=simulations, seed=seed + index)
        moves = {move["move"]: (move["visits"], proof(move["proven"])) for move in analysis["moves"]}
        paths: list[Path] = []
        nodes: dict[Path, Statistics] = {}
        for node in search.top_nodes(10**6):
            paths.append(() if node["parent"] is None else (*paths[node["parent"]], node["move"]))
            nodes[paths[-1]] = Statistics(
                node["visits"], node["total"], node["children"], proof(node["proven"]), node["minimax"]
            )
        grown.append(Grown(analysis["moves"][analysis["best"]]["move"], moves, nodes))
    return grown


def proof(proven: dict[str, Any] | None) -> Proof | None:
    return None if proven is None else (proven["winner"], proven["distance"])


def grow_plain(
    positions: Sequence[Position],
    options: Mapping[str, str],
    simulations: int,
    seed: int,
    weights: Weights | None = None,
) -> list[Grown]:
    """Search positions with the plain search, reusing the tree from one to the next."""
    search = plain_search(positions[0].game, options, Rng(0), weights=weights, reuse=True)
    grown = []
    for index, position in enumerate(positions):
        search.rng = Rng(split_seed(seed + index, 0))
        root = search.run(position, simulations)
        minimax = search.minimax if isinstance(search, ImplicitMinimax) else None
        nodes = {
            path: Statistics(
                node.visits, node.total, len(node.children), node.proven, minimax[node] if minimax and path else None
            )
            for path, node in visited(root)
        }
        moves = {child.move: (child.visits, child.proven) for child in search.moves(root)}
        grown.append(Grown(search.best(root).move, moves, nodes))
    return grown


def assert_same(
    positions: Sequence[Position],
    options: Mapping[str, str],
    simulations: int,
    seed: int = 1,
    weights: Weights | None = None,
) -> None:
    """Check that both searches grow the same trees and choose the same moves; report the first differing nodes."""
    pairs = zip(
        grow_engine(positions, options, simulations, seed, weights),
        grow_plain(positions, options, simulations, seed, weights),
        strict=True,
    )
    for engine, plain in pairs:
        paths = sorted(engine.nodes.keys() | plain.nodes.keys(), key=lambda path: (len(path), path))
        different = [path for path in paths if engine.nodes.get(path) != plain.nodes.get(path)]
        report = [f"{path}: engine {engine.nodes.get(path)}, plain {plain.nodes.get(path)}" for path in different[:5]]
        summary = f"{len(different)} of {len(paths)} nodes differ from {positions[0]!r} with {dict(options)}"
        assert not different, "\n".join([summary, *report])
        assert plain.moves == engine.moves
        assert plain.best == engine.best
