"""The current state of a live game, read by other threads without a lock."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from plyground._engine import Outcome, Position
from plyground.errors import GameOverError
from plyground.records import Record
from plyground.server.errors import ConflictError
from plyground.server.play.state import GameState
from plyground.store import VisitorGame


@dataclass(frozen=True)
class Snapshot:
    """One state of a game with everything derived from it. Every change replaces the whole snapshot."""

    state: GameState
    position: Position
    outcome: Outcome | None
    """The result; None while the game is in progress."""
    record_id: int | None = None
    """The ID of the game's record in the store, once the game is over."""
    public_record_id: str | None = None
    """The ID of the record that visitors see."""
    turn_started: float = field(default_factory=time.monotonic)
    """When the side to move began its turn, as a `time.monotonic` value."""
    cache: dict[Any, Any] = field(default_factory=dict, compare=False)
    """Cache of values derived from this state."""

    @classmethod
    def of(cls, stored: VisitorGame) -> Snapshot:
        """Return the snapshot of a stored game."""
        state = GameState.model_validate({**stored.state, "version": stored.version})
        position = state.position()
        outcome = position.outcome or state.outcome
        return cls(state, position, outcome, stored.record_id, stored.public_record_id)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def record(self) -> Record:
        """Return the game so far as a record."""
        return self.state.record(self.position)

    def check_ply(self, ply: int | None) -> None:
        """Raise if the game is not at the ply the client expects."""
        if ply is not None and ply != self.position.ply:
            raise ConflictError(f"the game is at ply {self.position.ply}, not {ply}")

    def check_unfinished(self) -> None:
        """Raise if the game is over."""
        if self.is_over:
            raise GameOverError(f"the game is over: {self.outcome}")
