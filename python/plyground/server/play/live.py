"""A visitor's game in memory.

Every change happens under the game's lock, is written to disk before anybody is notified, and creates a new snapshot
with the next version. Reading needs no lock; code that reads several attributes takes the snapshot first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plyground._engine import Outcome, Position
from plyground.errors import ChangedError
from plyground.server.errors import ConflictError
from plyground.server.play.agent_moves import AgentMoves
from plyground.server.play.snapshot import Snapshot
from plyground.server.play.state import CoachMessage, Ending, GameState, now
from plyground.server.search.services import SearchServices
from plyground.store import Store, VisitorGame

Subscriber = Callable[["LiveGame", bool], None]
"""Called from any thread when the game changed (True) or its agent reported progress (False)."""
HumanMoveHook = Callable[["LiveGame", Position, str], None]
"""Called after a human's move, with the position before the move and the move."""
CLOCK_GRACE_S = 0.05
"""Delay between the expected expiry of a clock and the check that it has run out."""


class LiveGame:
    """A game that is being played or watched."""

    def __init__(self, stored: VisitorGame, store: Store, search: SearchServices, on_human_move: HumanMoveHook) -> None:
        self.id = stored.id
        self.owner = stored.owner
        self.lock = threading.RLock()
        self.snapshot = Snapshot.of(stored)
        self.agents = AgentMoves(self, search)
        self.last_used = time.monotonic()
        self._store = store
        self._timers = search.timers
        self._on_human_move = on_human_move
        self._subscribers: set[Subscriber] = set()

    @property
    def state(self) -> GameState:
        """The current state."""
        return self.snapshot.state

    @property
    def position(self) -> Position:
        """The current position."""
        return self.snapshot.position

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the game is in progress."""
        return self.snapshot.outcome

    @property
    def turn_started(self) -> float:
        """When the side to move began its turn, as a `time.monotonic` value."""
        return self.snapshot.turn_started

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.snapshot.is_over

    @property
    def is_thinking(self) -> bool:
        """Whether an agent is about to move."""
        return self.is_thinking_in(self.snapshot)

    def is_thinking_in(self, snapshot: Snapshot) -> bool:
        """Whether an agent is about to move in a snapshot of this game."""
        state = snapshot.state
        if snapshot.is_over or self.agents.error is not None or state.players[snapshot.position.turn] is None:
            return False
        return bool(state.humans) or not state.playback.paused or self.agents.step_requested

    @property
    def is_idle(self) -> bool:
        """Whether nobody is watching and no agent is searching."""
        return not self._subscribers and not self.agents.is_searching

    @property
    def has_subscribers(self) -> bool:
        """Whether anybody is watching."""
        return bool(self._subscribers)

    def subscribe(self, subscriber: Subscriber) -> None:
        """Start notifying a subscriber."""
        self._subscribers.add(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Stop notifying a subscriber."""
        self._subscribers.discard(subscriber)

    def notify(self, *, changed: bool) -> None:
        """Notify the subscribers of a change or of a progress report."""
        for subscriber in list(self._subscribers):
            subscriber(self, changed)

    def activate(self) -> None:
        """Start the clock and the agent's search in a game that was just loaded."""
        self.agents.schedule_move()
        self._watch_clock()

    def commit(self, state: GameState, position: Position | None = None) -> LiveGame:
        """Store a new state, make it current, and notify the subscribers. Call it under the lock.

        If another process has changed the game in the meantime, nothing is stored, the game is reloaded, and
        `ConflictError` is raised.
        """
        before = self.snapshot
        state = state.model_copy(update={"version": before.state.version + 1, "updated": now()})
        position = before.position if position is None else position
        outcome = position.outcome or state.outcome
        stored = stored_game(self.id, self.owner, state, is_over=outcome is not None)
        stored = replace(stored, record_id=before.record_id, public_record_id=before.public_record_id)
        record = state.record(position) if outcome is not None or before.record_id is not None else None
        try:
            saved = self._store.visitor_games.save(stored, record)
        except ChangedError as error:
            self._reload()
            raise ConflictError("the game was changed elsewhere and has been reloaded; try again") from error
        moved = position is not before.position
        turn_started = time.monotonic() if moved else before.turn_started
        self.snapshot = Snapshot(state, position, outcome, saved.record_id, saved.public_record_id, turn_started)
        if moved:
            self.agents.error = None
        if outcome is not None and not before.is_over:
            self.agents.report_result(outcome)
        self._watch_clock()
        self.notify(changed=True)
        self.agents.schedule_move()
        return self

    def _reload(self) -> None:
        """Replace the state with the stored one. Call it under the lock."""
        self.agents.cancel()
        self.snapshot = Snapshot.of(self._store.visitor_games.get(self.id))
        self.agents.error = None
        self.notify(changed=True)
        self.activate()

    def update(self, **fields: Any) -> LiveGame:
        """Commit new values of state fields other than the position. Call it under the lock."""
        return self.commit(self.state.model_copy(update=fields))

    def move(self, text: str, ply: int) -> LiveGame:
        """Play a human's move. Repeating the same move at the same ply has no effect."""
        with self.lock:
            if ply < self.position.ply and self.position.replay(ply).parse_move(text) == self.position.history[ply]:
                return self
            self.snapshot.check_ply(ply)
            self.snapshot.check_unfinished()
            if self.state.players[self.position.turn] is not None:
                raise ConflictError(f"it is {self.position.turn}'s turn, and an agent plays that side")
            before, move = self.position, self.position.parse_move(text)
            self.play(move, None)
            if self.state.coach_enabled:
                self._on_human_move(self, before, move)
            return self

    def play(self, move: str, value: float | None) -> None:
        """Play a move for the side to move, unless its time has run out. Call it under the lock."""
        position, side = self.position, self.position.turn
        after = position.play(move)
        used = time.monotonic() - self.turn_started
        state = self.state.with_move(position, move, round(used, 3), value)
        if state.clocks is not None and position.ply > 0:
            clocks = state.clocks.after_move(side, used)
            if clocks is None:
                self._lose_on_time(side)
                return
            state = state.model_copy(update={"clocks": clocks})
        self.commit(state, after)

    def undo(self, ply: int | None) -> LiveGame:
        """Undo a resignation or agreed draw; otherwise, undo moves back to and including the last one by a human."""
        with self.lock:
            self.snapshot.check_ply(ply)
            target = self.state.undo_target()
            if target is None:
                raise ConflictError("there is no move to undo")
            self.agents.cancel()
            return self.commit(self.state.back_to(target), self.position.replay(target))

    def redo(self, ply: int | None) -> LiveGame:
        """Redo the undone moves up to the next turn of a human."""
        with self.lock:
            self.snapshot.check_ply(ply)
            if not self.state.redo:
                raise ConflictError("there is no move to redo")
            self.snapshot.check_unfinished()
            self.agents.cancel()
            state, position = self.state, self.position
            while state.redo:
                move = state.redo[0]
                state, position = state.with_move(position, move, None, None), position.play(move)
                if position.turn in self.state.humans:
                    break
            return self.commit(state, position)

    def resign(self, ply: int | None) -> LiveGame:
        """Resign for the human, or for the side to move if humans play both sides."""
        with self.lock:
            self.snapshot.check_ply(ply)
            self.snapshot.check_unfinished()
            humans = self.state.humans
            if not humans:
                raise ConflictError("only humans can resign, and agents play both sides of this game")
            loser = self.position.turn if len(humans) == 2 else humans[0]
            return self.end(self.opponent(loser), "resignation")

    def end(self, winner: str | None, reason: str) -> LiveGame:
        """End the game with a result not decided by the rules. Call it under the lock."""
        self.agents.cancel()
        return self.update(ending=Ending(winner=winner, reason=reason))

    def set_coach_message(self, ply: int, text: str) -> None:
        """Show the coach's message about the move at `ply`, unless it was undone or a human has moved since."""
        with self.lock:
            sides_since = self.state.sides[ply + 1 :]
            is_current = self.position.ply > ply and not any(side in self.state.humans for side in sides_since)
            if is_current and self.state.coach_enabled:
                self.update(coach_message=CoachMessage(ply=ply, text=text))

    def move_now(self) -> LiveGame:
        """Make the thinking agent play its best move so far."""
        with self.lock:
            self.agents.stop()
        return self

    def opponent(self, side: str) -> str:
        """Return the other side."""
        first, second = self.state.make_game().sides
        return second if side == first else first

    def _lose_on_time(self, side: str) -> None:
        clocks = self.state.clocks
        if clocks is not None and not self.is_over:
            self.agents.cancel()
            ending = Ending(winner=self.opponent(side), reason="time")
            self.update(clocks=clocks.with_remaining(side, 0.0), ending=ending)

    def _watch_clock(self) -> None:
        """Schedule a check of the clock for when the side to move runs out of time."""
        clocks, key = self.state.clocks, ("clock", self.id)
        if clocks is None:
            return
        if self.is_over or self.position.ply == 0:
            self._timers.cancel(key)
            return
        remaining = clocks.remaining[self.position.turn] - (time.monotonic() - self.turn_started)
        self._timers.call_later(max(0.0, remaining) + CLOCK_GRACE_S, self._check_clock, key=key)

    def _check_clock(self) -> None:
        with self.lock:
            clocks, side = self.state.clocks, self.position.turn
            if clocks is None or self.is_over or self.position.ply == 0:
                return
            if time.monotonic() - self.turn_started >= clocks.remaining[side]:
                self._lose_on_time(side)
            else:
                self._watch_clock()


def stored_game(game_id: str, owner: str, state: GameState, *, is_over: bool) -> VisitorGame:
    """Return a state in the form that the store takes."""
    data = state.model_dump(mode="json", exclude={"version"})
    return VisitorGame(game_id, owner, state.game, data, not state.humans, is_over, version=state.version)
