"""The moves of a game's agents: scheduling their searches and playing the results."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Protocol

from plyground._engine import Outcome, Position, split_seed
from plyground.agents import Agent, Analysis, Limit
from plyground.agents.analysis import result_for
from plyground.arena.clock import Clock
from plyground.errors import PlygroundError, describe
from plyground.levels import LevelAgent
from plyground.server.errors import BusyError, ConflictError
from plyground.server.play.state import GameState
from plyground.server.search.pool import Priority, SearchTask
from plyground.server.search.services import SearchServices
from plyground.server.search.views import value_first

BUSY_RETRY_S = 0.5
"""Seconds to wait before retrying a move that was rejected because the server was busy."""
PRESENCE_CHECK_S = 0.5
"""Interval at which to check whether anybody is waiting for a move."""


class AgentGame(Protocol):
    """The part of a live game that `AgentMoves` uses."""

    id: str
    owner: str
    lock: threading.RLock

    @property
    def state(self) -> GameState:
        """The current state."""
        ...

    @property
    def position(self) -> Position:
        """The current position."""
        ...

    @property
    def turn_started(self) -> float:
        """When the side to move began its turn, as a `time.monotonic` value."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the game is in progress."""
        ...

    @property
    def is_thinking(self) -> bool:
        """Whether an agent is about to move."""
        ...

    @property
    def has_subscribers(self) -> bool:
        """Whether anybody is watching the game."""
        ...

    def play(self, move: str, value: float | None) -> None:
        """Play a move for the side to move."""
        ...

    def notify(self, *, changed: bool) -> None:
        """Notify the subscribers."""
        ...


class AgentMoves:
    """Runs the searches of the agents of one game."""

    def __init__(self, game: AgentGame, search: SearchServices) -> None:
        self._game = game
        self._search = search
        self._players: dict[str, Agent] = {}
        self._is_reported = game.outcome is not None
        """Whether the result was reported to the agents, which happens only once even if moves are undone."""
        self._task: SearchTask | None = None
        self.player: Agent | None = None
        """The agent that is searching or searched most recently."""
        self.analysis: tuple[str, Analysis] | None = None
        """The spec of the agent and its latest analysis."""
        self.is_final = True
        """Whether `analysis` is the final one of its search."""
        self.error: str | None = None
        """Why the agent could not move."""
        self.step_requested = False
        """Whether a paused game should play one move."""

    @property
    def is_searching(self) -> bool:
        """Whether a search is queued or running."""
        return self._task is not None

    def schedule_move(self) -> None:
        """Start the search of the agent to move, unless it has started. Games without humans wait for a subscriber."""
        game = self._game
        with game.lock:
            if self._task is not None or not game.is_thinking:
                return
            if not game.state.humans:
                if not game.has_subscribers:
                    return
                delay = game.state.playback.move_delay - (time.monotonic() - game.turn_started)
                if delay > 0.005 and not self.step_requested and game.position.ply > 0:
                    self._search.timers.call_later(delay, self.schedule_move, key=("playback", game.id))
                    return
            text = game.state.players[game.position.turn]
            if text is not None:
                self._submit(game.position.turn, text)

    def _submit(self, side: str, text: str) -> None:
        try:
            player = self._player(side, text)
            seconds, client = self._search.settings.move_seconds, self._search.presence.address(self._game.owner)
            task = SearchTask(self._run, Priority.MOVE, seconds=seconds, client=client)
            self.player, self._task, self.is_final = player, task, False
            self._search.pool_for(player).submit(task)
            self._check_presence_later()
        except BusyError:
            self._task = None
            self._search.timers.call_later(BUSY_RETRY_S, self.schedule_move, key=("busy", self._game.id))
        except PlygroundError as error:
            self._task, self.error = None, str(error)
            self._game.notify(changed=True)

    def _check_presence_later(self) -> None:
        key = ("presence", self._game.id)
        self._search.timers.call_later(PRESENCE_CHECK_S, self._stop_if_abandoned, key=key)

    def _stop_if_abandoned(self) -> None:
        """End the running search if nobody is watching and the owner is absent."""
        game = self._game
        with game.lock:
            if self._task is None:
                return
            if game.has_subscribers or self._search.presence.is_present(game.owner):
                self._check_presence_later()
            else:
                self._task.stop()

    def cancel(self) -> None:
        """Cancel the running search. Call it under the game's lock."""
        if self._task is not None:
            self._task.cancel()
            self._task, self.is_final = None, True

    def stop(self) -> None:
        """End the running search now and play its best move so far. Call it under the game's lock."""
        if self._task is not None:
            self._task.stop()

    def _player(self, side: str, text: str) -> Agent:
        """Return the agent of a side, which is kept between moves so that it can reuse its tree."""
        if side not in self._players or self._players[side].spec != text:
            if side in self._players:
                self._search.memory.free(self._players[side])
            game = self._game.state.game
            player = self._search.players.make(game, text)
            for result in self._search.results.get(self._game.owner, game, text):
                player.report_result(result)
            self._players[side] = player
        return self._players[side]

    def free_memory(self) -> None:
        """Free the memory of the agents when the game no longer needs them."""
        for player in self._players.values():
            self._search.memory.free(player)

    def report_result(self, outcome: Outcome) -> None:
        """Tell the agents the result of the game. Call it under the game's lock."""
        if self._is_reported:
            return
        self._is_reported = True
        state = self._game.state
        for side, text in state.players.items():
            if text is None:
                continue
            result = result_for(outcome.winner, side)
            self._search.results.add(self._game.owner, state.game, text, result)
            player = self._players.get(side)
            if player is not None and player.spec == text:
                player.report_result(result)

    def _run(self, task: SearchTask) -> None:
        """Search in a thread of the pool, then play the best move unless the game has changed since."""
        game = self._game
        with game.lock:
            player, position, state = self.player, game.position, game.state
            if player is None or self._task is not task:
                return

        def report(analysis: Analysis) -> None:
            self.analysis = player.spec, analysis
            game.notify(changed=False)

        try:
            seed = split_seed(state.seed, position.ply)
            limit = self._limit(player, state, position)
            analysis = self._search.analyse(task, player, position, limit, seed=seed, report=report)
        except Exception as error:  # noqa: BLE001  agents and user games may raise anything; shown to the visitor
            self._fail(task, f"{player.spec} cannot move: {describe(error)}")
            return
        with game.lock:
            if self._task is not task or task.is_cancelled:
                return
            self._task, self.step_requested, self.is_final = None, False, True
            self.analysis = player.spec, analysis
            game.notify(changed=False)
            try:
                game.play(analysis.best.move, value_first(position, analysis.value))
            except ConflictError:
                pass  # another process changed the game, so it was reloaded
            except PlygroundError as error:  # the store failed, so the move was not played
                self.error = str(error)
                game.notify(changed=True)

    def _fail(self, task: SearchTask, message: str) -> None:
        with self._game.lock:
            if self._task is task:
                self._task, self.error, self.is_final = None, message, True
                self._game.notify(changed=True)

    def _limit(self, player: Agent, state: GameState, position: Position) -> Limit:
        """Return the limit that the clock imposes; without a clock, only the agent's own limit applies."""
        if state.clocks is None:
            return Limit()
        own = player.default_limit if isinstance(player, LevelAgent) else Limit()
        clock = Clock(max(0.01, state.clocks.remaining[position.turn]), state.clocks.increment)
        timed = clock.limit(own)
        return replace(timed, seconds=min(timed.seconds or 1.0, own.seconds or 3600.0), mebibytes=None)
