"""Exhaustive checks of agents that play by learned values."""

from __future__ import annotations

from plyground import Position, game
from plyground.agents import Agent, Limit


def loses_no_line(agent: Agent) -> bool:
    """Whether an agent loses no game of tic-tac-toe, whatever the opponent plays and however ties are broken."""
    start = game("tictactoe").start()
    return all(never_loses(agent, start, side, {}) for side in start.game.sides)


def never_loses(agent: Agent, position: Position, side: str, known: dict[int, bool]) -> bool:
    """Whether a side, played by the agent, cannot lose from a position; `known` contains earlier answers by key."""
    if (outcome := position.outcome) is not None:
        return outcome.winner in (None, side)
    if position.key not in known:
        moves = position.moves
        if position.turn == side:
            analysis = agent.analyse(position, Limit(), seed=0)
            moves = [move.move for move in analysis.moves if move.value == analysis.value]
        known[position.key] = all(never_loses(agent, position.play(move), side, known) for move in moves)
    return known[position.key]
