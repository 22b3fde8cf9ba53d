"""One game between agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plyground._engine import Outcome, Position, split_seed
from plyground.agents import Agent, Limit, pick
from plyground.records import Record

LONGEST = 10_000
"""Plies after which a game is a draw, whatever its own rules say."""


def next_position(position: Position, agent: Agent, limit: Limit, seed: int) -> Position:
    """The position after the agent's move; move n, counted from 0, draws from ``split_seed(seed, n)``."""
    seed = split_seed(seed, position.ply)
    return position.play(pick(agent.analyse(position, limit, seed=seed), temperature=0, seed=seed))


def play_game(
    start: Position,
    players: Mapping[str, Agent],
    *,
    seed: int,
    limit: Limit | None = None,
    max_plies: int = LONGEST,
    watch: Callable[[Position], None] | None = None,
) -> Record:
    """Play from a position to the end; `players` has an agent for each side.

    `watch` is called with the start and after each move. A game that goes on after `max_plies` moves is a
    draw by "ply limit".

    >>> import plyground
    >>> from plyground.agents import agent
    >>> start = plyground.game("tictactoe").start()
    >>> play_game(start, {"x": agent("random"), "o": agent("random")}, seed=1).outcome
    Outcome("x", "line")
    """
    position = start
    if watch:
        watch(position)
    while position.outcome is None and position.ply - start.ply < max_plies:
        position = next_position(position, players[position.turn], limit or Limit(), seed)
        if watch:
            watch(position)
    specs = {side: player.spec for side, player in players.items()}
    return Record.from_position(position, specs, outcome=Outcome(None, "ply limit"), seed=seed)
