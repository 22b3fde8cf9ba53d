"""A game of a visitor while somebody plays it or looks on: what may be done to it, and the agents that answer.

Every change is made under the game's lock, is on disk before anybody hears of it, and is a new state with the next
version. Who only reads needs no lock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plyground._engine import Outcome, Position, split_seed
from plyground.agents import Analysis, Limit
from plyground.arena.clock import Clock
from plyground.errors import GameOverError, PlygroundError
from plyground.records import Record
from plyground.server.errors import BusyError, ConflictError
from plyground.server.players import Player
from plyground.server.pool import Job, Urgency
from plyground.server.state import CoachWord, Ending, GameState, now
from plyground.server.thoughts import value_first
from plyground.store import Play

if TYPE_CHECKING:
    from plyground.server.house import House

Follower = Callable[["LiveGame", bool], None]
"""Told of a game's change (True) or of a new report of its agent (False), in any thread."""
AGAIN = 0.5
"""Seconds until a move for which there was no room is tried again."""


class LiveGame:
    """One game in memory."""

    def __init__(self, house: House, play: Play) -> None:
        self.house = house
        self.id = play.id
        self.owner = play.owner
        self.lock = threading.RLock()
        self.state = GameState.model_validate(play.state)
        self.position: Position = self.state.position()
        self.record_id = play.record_id
        self.trouble: str | None = None
        """Why the agent could not move."""
        self.job: Job | None = None
        self.thought: tuple[str, Analysis] | None = None
        """Who thought last, and what."""
        self.thinker: Player | None = None
        self._kept: dict[str, Player] = {}
        self.is_thought_final = True
        self.since = time.monotonic()
        """When the turn began."""
        self.used = time.monotonic()
        """When the game was last asked for."""
        self.followers: set[Follower] = set()
        self.one = False
        """Whether a paused game is to play one move."""
        self.cache: dict[Any, Any] = {}
        """What was found out of the position; empty after each change."""

    @property
    def is_over(self) -> bool:
        """Whether it ended."""
        return self.state.ending is not None or self.position.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.position.outcome or self.state.outcome

    @property
    def is_thinking(self) -> bool:
        """Whether an agent is about to move."""
        if self.is_over or self.trouble is not None or self.state.players[self.position.turn] is None:
            return False
        return bool(self.state.people) or not self.state.pace.paused or self.one

    def record(self) -> Record:
        """The game as it stands."""
        return self.state.record(self.position)

    def commit(self, state: GameState, position: Position | None = None) -> LiveGame:
        """Make a new state the game's: first on disk, then everywhere. Call it under the lock."""
        state = state.model_copy(update={"version": self.state.version + 1, "updated": now()})
        place = self.position if position is None else position
        over = state.ending is not None or place.outcome is not None
        told = state.model_dump(mode="json")
        play = Play(self.id, self.owner, state.game, told, not state.people, over, self.record_id)
        keep = over or self.record_id is not None
        self.record_id = self.house.store.plays.save(play, state.record(place) if keep else None)
        moved = place is not self.position
        self.state, self.position, self.cache = state, place, {}
        if moved:
            self.since = time.monotonic()
            self.trouble = None
        self.house.timers.watch_clock(self)
        self.tell(changed=True)
        self.go_on()
        return self

    def tell(self, *, changed: bool) -> None:
        """Let followers know."""
        for follower in list(self.followers):
            follower(self, changed)

    # What a visitor may do.

    def move(self, text: str, ply: int) -> LiveGame:
        """A person's move; the same one at the same ply again changes nothing."""
        with self.lock:
            if ply < self.position.ply:
                before = self.position.replay(ply)
                if before.name(text) == self.position.history[ply]:
                    return self
            self.check_ply(ply)
            self.check_unfinished()
            if self.state.players[self.position.turn] is not None:
                raise ConflictError(f"it is {self.position.turn}'s turn, which an agent plays")
            before, move = self.position, self.position.name(text)
            self.play(move, None)
            if self.state.coaching:
                self.house.coach.look(self, before, move)
            return self

    def play(self, move: str, value: float | None) -> None:
        """Play a move of whoever's turn it is, unless their time is over. Call it under the lock."""
        position, side = self.position, self.position.turn
        after = position.play(move)
        used = time.monotonic() - self.since
        state = self.state.with_move(position, move, round(used, 3), value)
        if state.clocks is not None and position.ply > 0:
            clocks = state.clocks.after(side, used)
            if clocks is None:
                self.lose_on_time(side)
                return
            state = state.model_copy(update={"clocks": clocks})
        self.commit(state, after)

    def undo(self, ply: int | None) -> LiveGame:
        """Take back: an ending that was agreed or given up, else to the visitor's own turn."""
        with self.lock:
            self.check_ply(ply)
            target = self.undo_target()
            if target is None:
                raise ConflictError("there is no move to take back")
            self.drop_job()
            return self.commit(self.state.back_to(target), self.position.replay(target))

    def undo_target(self) -> int | None:
        """The ply that taking back leads to; None where there is nothing to take back."""
        state, people = self.state, self.state.people
        if state.ending is not None and state.ending.reason != "time":
            return len(state.moves)
        return next(
            (ply for ply in reversed(range(len(state.moves))) if not people or state.sides[ply] in people), None
        )

    def redo(self, ply: int | None) -> LiveGame:
        """Play again what was taken back, to the visitor's own turn."""
        with self.lock:
            self.check_ply(ply)
            if not self.state.redo:
                raise ConflictError("there is no move to play again")
            self.check_unfinished()
            self.drop_job()
            state, position = self.state, self.position
            while state.redo:
                move = state.redo[0]
                state, position = state.with_move(position, move, None, None), position.play(move)
                if position.turn in self.state.people:
                    break
            return self.commit(state, position)

    def resign(self, ply: int | None) -> LiveGame:
        """The visitor gives up; of two people, the side to move."""
        with self.lock:
            self.check_ply(ply)
            self.check_unfinished()
            people = self.state.people
            if not people:
                raise ConflictError("nobody at this board can resign: agents play both sides")
            loser = self.position.turn if len(people) == 2 else people[0]
            return self.end(self.other(loser), "resignation")

    def end(self, winner: str | None, reason: str) -> LiveGame:
        """End the game otherwise than by the rules. Call it under the lock."""
        self.drop_job()
        return self.commit(self.state.model_copy(update={"ending": Ending(winner=winner, reason=reason)}))

    def lose_on_time(self, side: str) -> None:
        """The time of a side is over. Call it under the lock."""
        clocks = self.state.clocks
        if clocks is not None and not self.is_over:
            state = self.state.model_copy(
                update={"clocks": clocks.model_copy(update={"left": {**clocks.left, side: 0.0}})}
            )
            self.state = state
            self.end(self.other(side), "time")

    def say_coach(self, ply: int, text: str) -> None:
        """The coach's word on the move made at a ply, unless a person has taken it back or moved again since."""
        with self.lock:
            since = self.state.sides[ply + 1 :]
            latest = self.position.ply > ply and not any(side in self.state.people for side in since)
            if latest and self.state.coaching:
                self.commit(self.state.model_copy(update={"coach": CoachWord(ply=ply, text=text)}))

    def move_now(self) -> LiveGame:
        """Make the agent that thinks play its best move so far."""
        with self.lock:
            if self.job is not None:
                self.job.stop()
        return self

    # What agents do.

    def go_on(self) -> None:
        """If an agent is to move and does not think yet, let it think."""
        with self.lock:
            if self.job is not None or not self.is_thinking:
                return
            if not self.state.people:
                if not self.followers:  # nobody looks on: the game waits for them
                    return
                wait = self.state.pace.seconds - (time.monotonic() - self.since)
                if wait > 0.005 and not self.one and self.position.ply > 0:
                    self.house.timers.later(wait, self.go_on, key=("pace", self.id))
                    return
            side = self.position.turn
            text = self.state.players[side]
            if text is None:
                return
            try:
                player = self._player(side, text)
                job = Job(self._think, Urgency.MOVE, stop=player.stop)
                self.thinker, self.job, self.is_thought_final = player, job, False
                self.house.pool.submit(job)
            except BusyError:
                self.job = None
                self.house.timers.later(AGAIN, self.go_on, key=("busy", self.id))
            except PlygroundError as error:
                self.job, self.trouble = None, str(error)
                self.tell(changed=True)

    def _player(self, side: str, text: str) -> Player:
        """The player of a side; kept while the game is in memory, so that it may keep its tree."""
        if side not in self._kept or self._kept[side].text != text:
            self._kept[side] = self.house.players.player(self.state.game, text)
        return self._kept[side]

    def _think(self, job: Job) -> None:
        """In a worker: think, then play what was thought, unless the game has changed meanwhile."""
        with self.lock:
            player, position, state = self.thinker, self.position, self.state
            if player is None or self.job is not job:
                return
        stop_at = self.house.timers.later(self.house.settings.move_seconds, job.stop)

        def report(analysis: Analysis) -> None:
            if job.is_wanted_to_end:
                job.hurry()
            self.thought = player.text, analysis
            self.tell(changed=False)

        try:
            limit = self._limit(player, state, position)
            analysis = player.think(position, limit, split_seed(state.seed, position.ply), report)
        except Exception as error:  # noqa: BLE001  an agent, or rules of the user's own, that fail: the visitor hears of it
            with self.lock:
                if self.job is job:
                    self.job, self.trouble = None, f"{player.text} cannot move: {error}"
                    self.is_thought_final = True
                    self.tell(changed=True)
            return
        finally:
            stop_at.cancel()
        with self.lock:
            if self.job is not job or job.is_unwanted:
                return
            self.job, self.one, self.is_thought_final = None, False, True
            self.thought = player.text, analysis
            self.tell(changed=False)
            try:
                self.play(analysis.best.move, value_first(position, analysis.value))
            except PlygroundError as error:  # a store that fails: the move is not made
                self.trouble = str(error)
                self.tell(changed=True)

    def _limit(self, player: Player, state: GameState, position: Position) -> Limit:
        """The player's own limit, within the clock and the server's bounds."""
        memory = Limit(mebibytes=self.house.settings.mebibytes)
        if state.clocks is None:
            return memory
        clock = Clock(max(0.01, state.clocks.left[position.turn]), state.clocks.increment)
        timed = clock.limit(player.limit)
        own = player.limit.seconds
        return replace(timed, seconds=min(timed.seconds or 1.0, own or 3600.0), mebibytes=memory.mebibytes)

    def drop_job(self) -> None:
        """Nobody waits for the agent's move any more. Call it under the lock."""
        if self.job is not None:
            self.job.drop()
            self.job, self.is_thought_final = None, True

    # Small questions.

    def other(self, side: str) -> str:
        """The side opposite."""
        first, second = self.state.chosen.sides
        return second if side == first else first

    def check_ply(self, ply: int | None) -> None:
        """An error if the game stands elsewhere than the visitor thought."""
        if ply is not None and ply != self.position.ply:
            raise ConflictError(f"the game has moved on: it stands at ply {self.position.ply}, not {ply}")

    def check_unfinished(self) -> None:
        """An error if the game has ended."""
        if self.is_over:
            raise GameOverError(f"the game is over, {self.outcome}")
