"""The search tree of an analysis.

>>> import plyground as pg
>>> analysis = pg.agent("mcts").analyse(pg.game("connect4").start(), simulations=500, seed=1)
>>> root, first, *_ = analysis.tree.walk()
>>> root.visits, first.path == (analysis.best.move,)
(500, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from plyground._engine import Position
from plyground.agents.analysis import MoveAnalysis, ProvenResult, result_for
from plyground.errors import PlygroundError
from plyground.notebook import outline, percent

if TYPE_CHECKING:
    import networkx

MAX_NODES = 100_000
"""Default maximum number of nodes read from a search."""
HTML_NODES = 200
"""Maximum number of nodes shown in a notebook."""

Row = dict[str, Any]
"""A node as `Search.top_nodes` returns it."""
ReadRows = Callable[[int], Sequence[Row]]
"""Takes the maximum number of rows and returns the rows, parents before their children and most visited first."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A visited position of a search tree."""

    index: int
    """Position in the order of `Tree.walk`; the root is 0."""
    parent: int | None
    """Index of the parent; None for the root."""
    path: tuple[str, ...]
    """The moves from the root."""
    turn: str
    """The side to move in this position."""
    visits: int
    """Simulations that reached this position; 0 in a tree of principal variations."""
    value: float | None
    """Expected result for the side that played the last move of `path`, 0 to 1; at the root, for the side to move."""
    proven: ProvenResult | None
    """The result for the same side as `value`, if it is proven."""
    children: int
    """Number of children, visited or not."""

    @property
    def move(self) -> str:
        """The move that leads here from the parent; empty at the root."""
        return self.path[-1] if self.path else ""

    @property
    def depth(self) -> int:
        """Plies from the root."""
        return len(self.path)

    def to_dict(self) -> dict[str, Any]:
        """Return the move, statistics and side to move as JSON data."""
        return {
            "move": self.move,
            "turn": self.turn,
            "visits": self.visits,
            "value": self.value,
            "proven": self.proven,
        }


class Tree:
    """The visited nodes of a search, most visited first.

    The tree of an agent without a search tree consists of the principal variations. An agent that continues its search
    from move to move leaves the trees of earlier analyses unchanged.
    """

    def __init__(self, position: Position, value: float | None, rows: ReadRows) -> None:
        """`value` is the value of the root for the side to move."""
        self._position = position
        self._value = value
        self._read: ReadRows | None = rows
        self._frozen: tuple[TreeNode, ...] | None = None

    def walk(self, max_nodes: int = MAX_NODES) -> Iterator[TreeNode]:
        """Yield the nodes, parents before their children and the most visited first."""
        if self._frozen is not None:
            return islice(iter(self._frozen), max_nodes)
        if self._read is None:
            raise PlygroundError("the agent has discarded this tree; read it before Agent.clear is called")
        return self._nodes(self._read(max_nodes))

    def to_dict(self, max_nodes: int = MAX_NODES) -> dict[str, Any]:
        """Return the root as JSON data; each node has a list of its `children`, most visited first."""
        nodes: list[dict[str, Any]] = []
        for node in self.walk(max_nodes):
            data = {**node.to_dict(), "children": []}
            if node.parent is not None:
                nodes[node.parent]["children"].append(data)
            nodes.append(data)
        return nodes[0]

    def to_networkx(self, max_nodes: int = MAX_NODES) -> networkx.DiGraph[int]:
        """Return a directed graph of node indexes, with the fields of `TreeNode` as attributes. Requires networkx."""
        try:
            import networkx as nx
        except ImportError as error:
            raise PlygroundError("to_networkx requires networkx: pip install networkx") from error
        graph: networkx.DiGraph[int] = nx.DiGraph()
        for node in self.walk(max_nodes):
            graph.add_node(node.index, path=node.path, **node.to_dict())
            if node.parent is not None:
                graph.add_edge(node.parent, node.index)
        return graph

    def freeze(self) -> None:
        """Keep a copy of up to `MAX_NODES` nodes that later searches do not change."""
        if self._read is not None:
            self._frozen, self._read = tuple(self._nodes(self._read(MAX_NODES))), None

    def discard(self) -> None:
        """Release the search; the tree can no longer be read, unless it is frozen."""
        self._read = None

    def _nodes(self, rows: Sequence[Row]) -> Iterator[TreeNode]:
        paths: list[tuple[str, ...]] = []
        for index, row in enumerate(rows):
            parent = row["parent"]
            if parent is None:
                path: tuple[str, ...] = ()
                side, value = self._position.turn, self._value
            else:
                path = (*paths[parent], row["move"])
                side, value = rows[parent]["turn"], row["value"]
            paths.append(path)
            proven = None if row["proven"] is None else result_for(row["proven"]["winner"], side)
            yield TreeNode(index, parent, path, row["turn"], row["visits"], value, proven, row["children"])

    def _repr_html_(self) -> str:
        """Show the most visited nodes as an outline."""
        nodes = list(self.walk(HTML_NODES))
        children: list[list[str]] = [[] for _ in nodes]
        shown = ""
        for node in reversed(nodes):  # children come after their parents
            facts = [f"{node.visits:,} visits"] if node.visits else []
            facts += [f"value {percent(node.value)}"] if node.value is not None else []
            facts += [f"proven {node.proven}"] if node.proven is not None else []
            label = node.move or f"{node.turn} to move"
            below = children[node.index][::-1]
            shown = outline(f"{label}: {', '.join(facts)}" if facts else label, below, is_open=node.depth == 0)
            if node.parent is not None:
                children[node.parent].append(shown)
        return shown


def variations(position: Position, moves: Sequence[MoveAnalysis]) -> ReadRows:
    """Return a function that reads the tree formed by the principal variations of `moves`, best move first."""

    def read(max_nodes: int) -> list[Row]:
        root = _row(None, "", position, None, children=len(position.moves))
        root["visits"] = sum(move.visits for move in moves)
        rows, level = [root], [(0, position, move) for move in sorted(moves, key=lambda move: -move.share)]
        plies = 0
        while level and len(rows) < max_nodes:
            following = []
            for parent, before, move in level[: max_nodes - len(rows)]:
                pv = move.pv or (move.move,)
                after = before.play(pv[plies])
                row = _row(parent, pv[plies], after, move.value if plies == 0 else None, children=len(after.moves))
                if plies == 0:
                    row["visits"] = move.visits
                    row["proven"] = _winner(before, move.proven)
                rows.append(row)
                if len(pv) > plies + 1:
                    following.append((len(rows) - 1, after, move))
            level, plies = following, plies + 1
        return rows

    return read


def _row(parent: int | None, move: str, position: Position, value: float | None, *, children: int) -> Row:
    fields = {"parent": parent, "move": move, "turn": position.turn, "visits": 0, "value": value}
    return {**fields, "proven": None, "children": children}


def _winner(before: Position, proven: ProvenResult | None) -> dict[str, str | None] | None:
    """Return the winner after a proven move in the format of `Row`."""
    if proven is None:
        return None
    other = next(side for side in before.game.sides if side != before.turn)
    return {"winner": {"win": before.turn, "loss": other}.get(proven)}
