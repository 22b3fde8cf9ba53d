"""The stored state of a visitor's game."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from plyground._engine import Game, Outcome, Position
from plyground.arena.clock import Clock
from plyground.games import game
from plyground.records import HUMAN, Record

BOTH = "both"
"""Value of `your_side` if humans play both sides."""


def now() -> str:
    """Return the current time as an ISO 8601 string."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


# The store keeps states as JSON. The second name in each AliasChoices is the name in states stored by earlier versions.


class Clocks(BaseModel):
    """Time control of a game, in seconds."""

    model_config = ConfigDict(frozen=True)

    seconds: float
    """Initial time of each side."""
    increment: float
    remaining: dict[str, float] = Field(validation_alias=AliasChoices("remaining", "left"))
    """Time that each side had left at the end of its last turn."""

    def after_move(self, side: str, used: float) -> Clocks | None:
        """Return the clocks after a move that took `used` seconds; None if the time ran out."""
        clock = Clock(self.remaining[side], self.increment).after(used)
        return None if clock is None else self.with_remaining(side, clock.seconds)

    def with_remaining(self, side: str, seconds: float) -> Clocks:
        """Return the clocks with a new remaining time for a side."""
        return self.model_copy(update={"remaining": {**self.remaining, side: seconds}})


class Ending(BaseModel):
    """A result not decided by the rules: resignation, time or agreement."""

    winner: str | None
    reason: str


class CoachMessage(BaseModel):
    """A message from the coach."""

    ply: int
    """Ply of the position before the criticised move."""
    text: str


class Playback(BaseModel):
    """Playback of a game between agents."""

    model_config = ConfigDict(frozen=True)

    paused: bool = False
    move_delay: float = Field(default=0.5, validation_alias=AliasChoices("move_delay", "seconds"))
    """Minimum time between two moves, in seconds."""


class GameState(BaseModel):
    """An immutable state of a game; every change creates a new state with the next version."""

    model_config = ConfigDict(frozen=True)

    game: str
    """The game's spec."""
    start: str | None = None
    """Start position as text; None for the standard one."""
    moves: tuple[str, ...] = ()
    redo: tuple[str, ...] = ()
    """Undone moves, next one first."""
    players: dict[str, str | None]
    """Player text of each side; None for a human."""
    seed: int
    started: str
    updated: str
    coach_enabled: bool = Field(default=False, validation_alias=AliasChoices("coach_enabled", "coaching"))
    coach_message: CoachMessage | None = Field(default=None, validation_alias=AliasChoices("coach_message", "coach"))
    clocks: Clocks | None = None
    playback: Playback = Field(default=Playback(), validation_alias=AliasChoices("playback", "pace"))
    ending: Ending | None = None
    sides: tuple[str, ...] = ()
    """The side that made each move."""
    seconds: tuple[float | None, ...] = ()
    """Thinking time of each move, in seconds; None if unknown."""
    values: tuple[float | None, ...] = ()
    """Value for the first player from the agent's search, 0 to 1, for each move; None for humans and redone moves."""
    version: int = 1
    """Number of states so far; stored in its own column."""

    def make_game(self) -> Game:
        """Return the game being played."""
        return game(self.game)

    @property
    def humans(self) -> list[str]:
        """The sides played by humans."""
        return [side for side, player in self.players.items() if player is None]

    @property
    def your_side(self) -> str | None:
        """The visitor's side, `BOTH`, or None if agents play both sides."""
        humans = self.humans
        return BOTH if len(humans) == 2 else humans[0] if humans else None

    @property
    def outcome(self) -> Outcome | None:
        """The result, if it was not decided by the rules."""
        return None if self.ending is None else Outcome(self.ending.winner, self.ending.reason)

    def position(self) -> Position:
        """Return the current position."""
        return self.make_game().position(self.start, self.moves)

    def with_move(self, position: Position, move: str, seconds: float | None, value: float | None) -> GameState:
        """Return the state after a move in the current `position`; repeating the next undone move keeps the others."""
        redo = self.redo[1:] if self.redo and self.redo[0] == move else ()
        ply = position.ply
        by_agent = self.players[position.turn] is not None
        return self.model_copy(
            update={
                "moves": (*self.moves, move),
                "redo": redo,
                "sides": (*self.sides, position.turn),
                "seconds": (*self.seconds[:ply], seconds),
                "values": (*self.values[:ply], value),
                "coach_message": self.coach_message if by_agent else None,
            }
        )

    def back_to(self, ply: int) -> GameState:
        """Return the state at an earlier ply; the moves since then can be redone."""
        return self.model_copy(
            update={
                "moves": self.moves[:ply],
                "redo": (*self.moves[ply:], *self.redo),
                "sides": self.sides[:ply],
                "seconds": self.seconds[:ply],
                "values": self.values[:ply],
                "coach_message": None,
                "ending": None,
            }
        )

    def undo_target(self) -> int | None:
        """Return the ply that undo leads to; None if there is nothing to undo."""
        humans = self.humans
        if self.ending is not None and self.ending.reason != "time":
            return len(self.moves)
        return next((ply for ply in reversed(range(len(self.moves))) if not humans or self.sides[ply] in humans), None)

    def record(self, position: Position) -> Record:
        """Return the game so far as a record; `position` is the current position."""
        players = {side: HUMAN if player is None else player for side, player in self.players.items()}
        return Record.from_position(position, players, outcome=self.outcome, seed=self.seed, started=self.started)
