"""One game between two agents."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from plyground._engine import Outcome, Position, split_seed
from plyground.agents import Agent, Budget, Limit, pick
from plyground.agents.analysis import result_for
from plyground.arena.adjudication import Adjudicator, never
from plyground.arena.clock import Clock
from plyground.records import Record

MAX_PLIES = 10_000
"""Default number of plies after which a game is declared a draw."""


def next_position(
    position: Position, agent: Agent, limit: Limit | Budget, seed: int, *, max_move_seconds: float | None = None
) -> Position:
    """Return the position after the agent's move; ply n, counted from 0, uses ``split_seed(seed, n)``.

    After `max_move_seconds` the agent plays its best move so far, even if its limit allows more time.
    """
    seed = split_seed(seed, position.ply)
    with Budget(Limit(seconds=max_move_seconds)):
        analysis = agent.analyse(position, limit, seed=seed)
    return position.play(pick(analysis, temperature=0, seed=seed))


def play_game(
    start: Position,
    players: Mapping[str, Agent],
    *,
    seed: int,
    limit: Limit | None = None,
    max_plies: int = MAX_PLIES,
    watch: Callable[[Position], None] | None = None,
    adjudicate: Adjudicator = never,
    clock: Clock | None = None,
    used: dict[str, float] | None = None,
    max_move_seconds: float | None = None,
) -> Record:
    """Play a game from a position; `players` maps each side to its agent.

    `watch` is called with the start position and after each move. After `max_plies` moves the game is a draw with
    the reason "ply limit". The game ends early if `adjudicate` returns an outcome. With a `clock`, each side has its
    own and loses with the reason "time" when it runs out. The thinking time of each side, in seconds, is added to
    `used`. `max_move_seconds` also bounds the search for each move. The result is reported to each agent.

    >>> import plyground
    >>> from plyground.agents import agent
    >>> start = plyground.game("tictactoe").start()
    >>> play_game(start, {"x": agent("random"), "o": agent("random")}, seed=1).outcome
    Outcome("x", "line")
    """
    position = start
    base_limit = limit or Limit()
    clocks: dict[str, Clock | None] = dict.fromkeys(players, clock)
    seconds = dict.fromkeys(players, 0.0) if used is None else used
    outcome = None
    if watch:
        watch(position)
    while position.outcome is None and (outcome := adjudicate(position)) is None:
        if position.ply - start.ply >= max_plies:
            outcome = Outcome(None, "ply limit")
            break
        side, side_clock = position.turn, clocks[position.turn]
        began = time.monotonic()
        move_limit = side_clock.limit(base_limit) if side_clock else base_limit
        following = next_position(position, players[side], move_limit, seed, max_move_seconds=max_move_seconds)
        elapsed = time.monotonic() - began
        seconds[side] = seconds.get(side, 0.0) + elapsed
        if side_clock:
            clocks[side] = side_clock.after(elapsed)
            if clocks[side] is None:
                outcome = Outcome(next(other for other in start.game.sides if other != side), "time")
                break
        position = following
        if watch:
            watch(position)
    specs = {side: player.spec for side, player in players.items()}
    record = Record.from_position(position, specs, outcome=outcome, seed=seed)
    if record.outcome is not None:
        for side, player in players.items():
            player.report_result(result_for(record.outcome.winner, side))
    return record
