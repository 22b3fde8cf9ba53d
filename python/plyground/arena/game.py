"""One game between agents."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from plyground._engine import Outcome, Position, split_seed
from plyground.agents import Agent, Limit, pick
from plyground.arena.adjudication import Adjudicator, never
from plyground.arena.clock import Clock
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
    adjudicate: Adjudicator = never,
    clock: Clock | None = None,
    used: dict[str, float] | None = None,
) -> Record:
    """Play from a position to the end; `players` has an agent for each side.

    `watch` is called with the start and after each move. A game that goes on after `max_plies` moves is a
    draw by "ply limit"; one whose outcome `adjudicate` knows ends there. With a clock each side has one, and
    loses by "time" when it is over. To `used` the seconds that each side thought are added.

    >>> import plyground
    >>> from plyground.agents import agent
    >>> start = plyground.game("tictactoe").start()
    >>> play_game(start, {"x": agent("random"), "o": agent("random")}, seed=1).outcome
    Outcome("x", "line")
    """
    position = start
    own = limit or Limit()
    left: dict[str, Clock | None] = dict.fromkeys(players, clock)
    seconds = dict.fromkeys(players, 0.0) if used is None else used
    ending = None
    if watch:
        watch(position)
    while position.outcome is None and (ending := adjudicate(position)) is None:
        if position.ply - start.ply >= max_plies:
            ending = Outcome(None, "ply limit")
            break
        side, running = position.turn, left[position.turn]
        began = time.monotonic()
        moved = next_position(position, players[side], running.limit(own) if running else own, seed)
        taken = time.monotonic() - began
        seconds[side] = seconds.get(side, 0.0) + taken
        if running:
            left[side] = running.after(taken)
            if left[side] is None:
                ending = Outcome(next(other for other in start.game.sides if other != side), "time")
                break
        position = moved
        if watch:
            watch(position)
    specs = {side: player.spec for side, player in players.items()}
    return Record.from_position(position, specs, outcome=ending, seed=seed)
