"""Conversion of the engine's search results to an `Analysis`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plyground._engine import Position
from plyground.agents.analysis import Analysis, MoveAnalysis, ProvenResult, proven_result

ReadMove = Callable[[int, Mapping[str, Any], ProvenResult | None, int | None], MoveAnalysis]
"""Converts one move: its index, the engine's data, its proven result and the distance in plies."""


def read_analysis(
    position: Position,
    data: Mapping[str, Any],
    read_move: ReadMove,
    read_value: Callable[[ProvenResult | None], float | None],
) -> Analysis:
    """Convert a search result of the engine; `read_value` takes the proven result, if any, and returns the value."""
    turn = position.turn
    moves = (read_move(index, move, *proven_result(move["proven"], turn)) for index, move in enumerate(data["moves"]))
    proven, distance = proven_result(data["proven"], turn)
    return Analysis(
        position,
        tuple(moves),
        best_index=data["best"],
        value=read_value(proven),
        proven=proven,
        distance=distance,
        seconds=data["seconds"],
        simulations=data.get("simulations", 0),
        nodes=data["nodes"],
        mebibytes=data["bytes"] / 2**20,
        table_used=data.get("table_used"),
        mean_depth=data["mean_depth"] if "mean_depth" in data else data["depth"],
        max_depth=data["max_depth"],
        playout_results=tuple(data.get("playout_results", (0, 0, 0, 0))),
        playout_lengths=tuple(data.get("playout_lengths", ())),
        mean_playout_length=data.get("mean_playout_length", 0.0),
        mean_playout_score=data.get("mean_playout_score"),
    )
