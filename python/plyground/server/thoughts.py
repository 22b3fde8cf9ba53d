"""What agents think, as the page sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plyground._engine import Position, search_options
from plyground.agents import Analysis
from plyground.agents.agent import MoveAnalysis
from plyground.server.exact import Truth
from plyground.server.views.search import Formula, MoveThought, Thought, TreeView
from plyground.spec import parse_spec

LONGEST_LINE = 40
DIGITS = 4
"""After the point, of values that are sent."""


def value_first(position: Position, value: float | None) -> float | None:
    """What the side that begins may expect, from what the side to move may."""
    if value is None:
        return None
    return round(value if position.turn == position.game.sides[0] else 1 - value, DIGITS)


def move_thoughts(analysis: Analysis, truth: Truth | None = None) -> list[MoveThought]:
    """What is thought of each move."""
    exact = truth.move_views() if truth is not None else {}
    return [_move(analysis.position, move, exact) for move in analysis.moves]


def thought_view(agent: str, analysis: Analysis, truth: Truth | None = None) -> Thought:
    """A report of a search."""
    position = analysis.position
    work = analysis.simulations or analysis.nodes
    playouts = sum(analysis.results)
    shares = [round(count / playouts, DIGITS) for count in analysis.results] if playouts else [None, None, None]
    return Thought(
        game=position.game.spec,
        ply=position.ply,
        position=position.text,
        turn=position.turn,
        agent=agent,
        simulations=analysis.simulations,
        per_second=round(work / analysis.seconds, 1) if analysis.seconds > 0 else 0.0,
        seconds=round(analysis.seconds, 3),
        depth=round(analysis.depth, 2),
        deepest=analysis.deepest,
        nodes=analysis.nodes,
        mebibytes=round(analysis.mebibytes, 3),
        value_first=value_first(position, analysis.value),
        value=_rounded(analysis.value),
        win=shares[0],
        draw=shares[2],
        loss=shares[1],
        known=analysis.known,
        distance=analysis.distance,
        exact=truth.view() if truth is not None else None,
        best=analysis.best.move,
        line=list(analysis.line[:LONGEST_LINE]),
        moves=move_thoughts(analysis, truth),
        results=list(analysis.results),
        lengths=list(analysis.lengths),
    )


def _move(position: Position, move: MoveAnalysis, exact: Mapping[str, Any]) -> MoveThought:
    return MoveThought(
        move=move.move,
        notation=position.notation(move.move),
        visits=move.visits,
        share=round(move.share, DIGITS),
        value=_rounded(move.value),
        low=_rounded(move.low),
        high=_rounded(move.high),
        prior=_rounded(move.prior),
        known=move.known,
        distance=move.distance,
        exact=exact.get(move.move),
        line=list(move.line[:LONGEST_LINE]),
    )


def formula_of(spec: str, tuning: Mapping[str, str]) -> Formula:
    """How the tree search of a spec chooses, in a game with this tuning."""
    defaults = {name: default for name, default, _, _ in search_options()}
    options = {**defaults, **tuning, **parse_spec(spec).options}
    return Formula(name=options["selection"], c=float(options["c"]), minimax=float(options.get("minimax", 0)))


def tree_view(rows: list[dict[str, Any]], formula: Formula, total: int, path: list[str], most: int) -> TreeView:
    """The top of a tree from rows of `Search.top`, parents first; of many, those at and below `path` come first."""
    chosen: Sequence[int] = range(len(rows)) if len(rows) <= most else _nearest(rows, path, most)
    place = {index: row for row, index in enumerate(chosen)}
    picked = [rows[index] for index in chosen]

    def parent(row: Mapping[str, Any]) -> int:
        return -1 if row["parent"] is None else place[row["parent"]]

    return TreeView(
        formula=formula,
        parent=[parent(row) for row in picked],
        move=[row["move"] for row in picked],
        turn=[row["turn"] for row in picked],
        visits=[row["visits"] for row in picked],
        value=[round(row["value"], DIGITS) for row in picked],
        judged=[_rounded(row["minimax"]) for row in picked],
        bonus=[round(row["bonus"], DIGITS) for row in picked],
        known=_proofs(picked, [parent(row) for row in picked]),
        children=[row["children"] for row in picked],
        total_nodes=total,
    )


def _proofs(rows: list[dict[str, Any]], parents: list[int]) -> list[Any]:
    """What is proven of each row, for the side that moved to it; of the root, for the side that does not move."""
    found: list[Any] = []
    for row, parent in zip(rows, parents, strict=True):
        proof = row["proof"]
        if proof is None:
            found.append(None)
        elif proof["winner"] is None:
            found.append("draw")
        elif parent < 0:
            found.append("loss" if proof["winner"] == row["turn"] else "win")
        else:
            found.append("win" if proof["winner"] == rows[parent]["turn"] else "loss")
    return found


def _nearest(rows: list[dict[str, Any]], path: list[str], most: int) -> Sequence[int]:
    """Indexes of rows to keep: the way to the node at `path`, then what is below it, then the most visited."""
    below: list[bool] = [not path]
    way = {0}
    depth_of = [0]
    for index, row in enumerate(rows[1:], start=1):
        up = row["parent"]
        depth_of.append(depth_of[up] + 1)
        on_way = up in way and depth_of[up] < len(path) and row["move"] == path[depth_of[up]]
        if on_way:
            way.add(index)
        below.append(below[up] or (on_way and depth_of[index] == len(path)))
    ranked = sorted(
        range(len(rows)), key=lambda index: (index not in way, not below[index], -rows[index]["visits"], index)
    )
    return sorted(ranked[:most])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
