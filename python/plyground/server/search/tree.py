"""The top nodes of a search tree as an API model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plyground._engine import Position
from plyground.agents import Agent
from plyground.agents.analysis import ProvenResult
from plyground.errors import PlygroundError
from plyground.server.search.models import Formula, TreeView
from plyground.server.search.views import DIGITS, rounded
from plyground.server.workers.agents import tree_top

PATH_FACTOR, MAX_CANDIDATES = 8, 20_000
"""With a path, this many times as many nodes are read, up to the maximum, to include nodes below the path."""


def agent_tree(agent: Agent, position: Position, max_nodes: int, path: list[str]) -> TreeView | None:
    """Return the top of an agent's tree of a position, or None if it has none. The search may still be running."""
    top = tree_top(agent, min(MAX_CANDIDATES, max_nodes * PATH_FACTOR) if path else max_nodes)
    if top is None:
        return None
    return tree_view(position, top.rows, selection_formula(top.options), top.nodes, path, max_nodes)


def selection_formula(options: Mapping[str, str]) -> Formula:
    """Return the selection formula of a search with these options."""
    name = "graph" if options["transpositions"] == "true" else options["selection"]
    return Formula(name=name, c=float(options["c"]), minimax_weight=float(options["minimax"]))


def tree_view(
    position: Position, rows: list[dict[str, Any]], formula: Formula, total: int, path: list[str], max_nodes: int
) -> TreeView:
    """Convert rows of `Search.top_nodes`; if there are too many, prefer nodes at and below `path`."""
    chosen: Sequence[int] = range(len(rows)) if len(rows) <= max_nodes else _nearest(rows, path, max_nodes)
    new_index = {old: new for new, old in enumerate(chosen)}
    picked = [rows[index] for index in chosen]
    parents = [-1 if row["parent"] is None else new_index[row["parent"]] for row in picked]
    return TreeView(
        formula=formula,
        parent=parents,
        move=[row["move"] for row in picked],
        notation=_notations(position, picked, parents),
        turn=[row["turn"] for row in picked],
        visits=[row["visits"] for row in picked],
        value=[round(row["value"], DIGITS) for row in picked],
        minimax=[rounded(row["minimax"]) for row in picked],
        exploration=[round(row["exploration"], DIGITS) for row in picked],
        score=[round(row["score"], DIGITS) for row in picked],
        proven=_proven_results(picked, parents),
        children=[row["children"] for row in picked],
        total_nodes=total,
    )


def _notations(position: Position, rows: list[dict[str, Any]], parents: list[int]) -> list[str]:
    """Return the move of each node in standard notation, which differs from its text only in chess."""
    moves: list[str] = [row["move"] for row in rows]
    if position.game.id != "chess":
        return moves
    inner, positions = set(parents), {0: position}
    try:
        for index in range(1, len(rows)):
            before, move = positions[parents[index]], rows[index]["move"]
            moves[index] = before.notation(move)
            if index in inner:
                positions[index] = before.play(move)
    except PlygroundError:  # the agent has moved its tree to another position in the meantime
        return [row["move"] for row in rows]
    return moves


def _proven_results(rows: list[dict[str, Any]], parents: list[int]) -> list[ProvenResult | None]:
    """Return the proven result of each node for the side that moved to it; for the root, for the side not to move."""
    results: list[ProvenResult | None] = []
    for row, parent in zip(rows, parents, strict=True):
        proven = row["proven"]
        if proven is None:
            results.append(None)
        elif proven["winner"] is None:
            results.append("draw")
        elif parent < 0:
            results.append("loss" if proven["winner"] == row["turn"] else "win")
        else:
            results.append("win" if proven["winner"] == rows[parent]["turn"] else "loss")
    return results


def _nearest(rows: list[dict[str, Any]], path: list[str], max_nodes: int) -> Sequence[int]:
    """Return the indexes of the rows to keep: nodes on `path`, then nodes below it, then the most visited."""
    is_below: list[bool] = [not path]
    on_path = {0}
    depths = [0]
    for index, row in enumerate(rows[1:], start=1):
        parent = row["parent"]
        depths.append(depths[parent] + 1)
        follows = parent in on_path and depths[parent] < len(path) and row["move"] == path[depths[parent]]
        if follows:
            on_path.add(index)
        is_below.append(is_below[parent] or (follows and depths[index] == len(path)))
    ranked = sorted(
        range(len(rows)), key=lambda index: (index not in on_path, not is_below[index], -rows[index]["visits"], index)
    )
    return sorted(ranked[:max_nodes])
