"""What the searches of the engine think, as an Analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plyground._engine import Position
from plyground.agents.agent import Analysis, Known, MoveAnalysis, known_by

ReadMove = Callable[[int, Mapping[str, Any], Known | None, int | None], MoveAnalysis]
"""Reads one move: its index, what the engine says of it, what is certain of it and after how many plies."""


def read_thought(
    position: Position,
    thought: Mapping[str, Any],
    read_move: ReadMove,
    read_value: Callable[[Known | None], float | None],
) -> Analysis:
    """A thought of the engine; `read_value` says what the position is worth once it is known what is certain."""
    turn = position.turn
    moves = (read_move(index, move, *known_by(move["proof"], turn)) for index, move in enumerate(thought["moves"]))
    known, distance = known_by(thought["proof"], turn)
    return Analysis(
        position,
        tuple(moves),
        choice=thought["best"],
        value=read_value(known),
        known=known,
        distance=distance,
        seconds=thought["seconds"],
        simulations=thought.get("simulations", 0),
        nodes=thought["nodes"],
        mebibytes=thought["bytes"] / 2**20,
        depth=thought["depth"],
        deepest=thought["deepest"],
        results=tuple(thought.get("results", (0, 0, 0))),
        lengths=tuple(thought.get("lengths", ())),
    )
