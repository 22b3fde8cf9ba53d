"""Everything about a game of a visitor, as the store keeps it."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict

from plyground._engine import Game, Outcome, Position
from plyground.arena.clock import Clock
from plyground.games import game
from plyground.records import HUMAN, Record

BOTH = "both"
"""Whose side it is where two people sit at one board."""


def now() -> str:
    """The date and time as records keep them."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Clocks(BaseModel):
    """Time for the whole game."""

    model_config = ConfigDict(frozen=True)

    seconds: float
    increment: float
    left: dict[str, float]
    """What each side had left when its last turn ended."""

    def after(self, side: str, used: float) -> Clocks | None:
        """The clocks after a move of so many seconds; None where the time was over before."""
        running = Clock(self.left[side], self.increment).after(used)
        return None if running is None else self.model_copy(update={"left": {**self.left, side: running.seconds}})


class Ending(BaseModel):
    """How a game ended otherwise than by the rules."""

    winner: str | None
    reason: str


class CoachWord(BaseModel):
    """What the coach said, and to which ply taking back leads."""

    ply: int
    text: str


class Pace(BaseModel):
    """How a game between agents goes on."""

    model_config = ConfigDict(frozen=True)

    paused: bool = False
    seconds: float = 0.5


class GameState(BaseModel):
    """A game between two changes; a change is a new state with the next version."""

    model_config = ConfigDict(frozen=True)

    game: str
    """The spec."""
    start: str | None = None
    moves: tuple[str, ...] = ()
    redo: tuple[str, ...] = ()
    """Moves that were taken back, the next one first."""
    players: dict[str, str | None]
    """Who plays each side: the text of a player, or None for a person."""
    seed: int
    started: str
    updated: str
    coaching: bool = False
    coach: CoachWord | None = None
    clocks: Clocks | None = None
    pace: Pace = Pace()
    ending: Ending | None = None
    sides: tuple[str, ...] = ()
    """Who made each move."""
    seconds: tuple[float | None, ...] = ()
    """What each move took."""
    values: tuple[float | None, ...] = ()
    """What the agent that made each move thought the side that begins may expect."""
    version: int = 1

    @property
    def chosen(self) -> Game:
        """The game it is a game of."""
        return game(self.game)

    @property
    def people(self) -> list[str]:
        """The sides that people play."""
        return [side for side, player in self.players.items() if player is None]

    @property
    def you(self) -> str | None:
        """The side of the visitor, `BOTH`, or None."""
        people = self.people
        return BOTH if len(people) == 2 else people[0] if people else None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended otherwise than by the rules."""
        return None if self.ending is None else Outcome(self.ending.winner, self.ending.reason)

    def position(self) -> Position:
        """Where it stands."""
        return self.chosen.position(self.start, self.moves)

    def with_move(self, position: Position, move: str, seconds: float | None, value: float | None) -> GameState:
        """After a move in the position where it stands; playing on what was taken back leaves the rest of it."""
        redo = self.redo[1:] if self.redo and self.redo[0] == move else ()
        ply = position.ply
        answers = self.players[position.turn] is not None  # an agent's move leaves the coach's word where it is
        return self.model_copy(
            update={
                "moves": (*self.moves, move),
                "redo": redo,
                "sides": (*self.sides, position.turn),
                "seconds": (*self.seconds[:ply], seconds),
                "values": (*self.values[:ply], value),
                "coach": self.coach if answers else None,
            }
        )

    def back_to(self, ply: int) -> GameState:
        """As it stood after so many plies; the moves since can be played again."""
        return self.model_copy(
            update={
                "moves": self.moves[:ply],
                "redo": (*self.moves[ply:], *self.redo),
                "sides": self.sides[:ply],
                "seconds": self.seconds[:ply],
                "values": self.values[:ply],
                "coach": None,
                "ending": None,
            }
        )

    def record(self, position: Position) -> Record:
        """The game as it stands among other records."""
        players = {side: HUMAN if player is None else player for side, player in self.players.items()}
        return Record.from_position(position, players, outcome=self.outcome, seed=self.seed, started=self.started)
