"""Games of visitors."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from plyground.server.views.common import (
    GameSpec,
    MoveText,
    MoveTexts,
    PlayerText,
    PositionText,
    Seed,
    SideName,
    View,
    Wish,
)
from plyground.server.views.positions import PositionView
from plyground.server.views.search import MoveThought


class SeatView(View):
    """Who plays a side."""

    kind: Literal["person", "agent"]
    name: str
    """For people: "You", "Medium", "mcts(simulations=800)"."""
    player: str | None = None
    """What makes the agent: a level, a spec or a checkpoint; None for a person."""
    rating: float | None = None


class PlayedMove(View):
    """A move of the game's list."""

    ply: int
    """The move led from this ply to the next."""
    text: str
    notation: str
    side: str
    seconds: float | None = None
    """What it took."""
    value_first: float | None = None
    """What the agent that made it thought the first side may expect, 0 to 1."""


class ClockView(View):
    """Time for the whole game."""

    seconds: float
    """At the beginning."""
    increment: float
    left: dict[str, float]
    """What each side has left at the moment of this answer."""
    running: str | None = None
    """The side whose time runs; None before the first move and after the end."""


class CoachView(View):
    """The coach's word on the person's last move; never the answer."""

    ply: int
    """The ply to which taking back leads."""
    text: str


class PaceView(View):
    """How a game between agents goes on."""

    paused: bool
    seconds: float
    """Between two moves at least."""


class GameView(View):
    """A game as it stands."""

    id: str
    game: str
    title: str
    seats: dict[str, SeatView]
    """By side."""
    you: str | None
    """The side that the visitor plays, `both` for two people at one board, None for who only watches."""
    position: PositionView
    start: str | None
    """The text of the first position; None is where the game always begins."""
    moves: list[PlayedMove]
    redo: list[str]
    """Moves that were taken back, the next one first."""
    clock: ClockView | None = None
    pace: PaceView | None = None
    """Only where both sides are agents."""
    thinking: bool
    """Whether an agent is about to move."""
    trouble: str | None = None
    """Why the agent cannot move, in words; another level may."""
    coach: CoachView | None = None
    coaching: bool
    """Whether the coach looks on."""
    can_undo: bool
    seed: int
    """Move n of an agent is drawn from it: with a limit of simulations the same moves give the same answers."""
    started: str
    updated: str
    record: int | None = None
    """The game's number in the library, once it has ended."""
    version: int
    """Counts up with every change."""
    read_only: bool = False


class GameBrief(View):
    """A game in a list."""

    id: str
    game: str
    seats: dict[str, SeatView]
    you: str | None
    plies: int
    over: bool
    result: str | None = None
    """In words, once it ended."""
    updated: str


class ClockWanted(Wish):
    """Time for each side."""

    seconds: Annotated[float, Field(gt=0, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=3600)] = 0


class GameWanted(Wish):
    """A new game. With one person `player` sits opposite; with none, `player` and `second` play each other."""

    game: GameSpec
    player: PlayerText | None = None
    """The opponent, or with no people the side that begins; without it, the level that the catalog names."""
    second: PlayerText | None = None
    """With no people: the other side."""
    side: SideName | None = None
    """Yours; without it the one that begins. `random` draws it."""
    people: Annotated[int, Field(ge=0, le=2)] = 1
    clock: ClockWanted | None = None
    position: PositionText | None = None
    moves: MoveTexts = []
    """Moves that are already played from there: to go on from a position of another game."""
    coach: bool = False
    seed: Seed | None = None
    paused: bool = False
    """With no people: wait for `one` or for the pace to be set."""
    seconds: Annotated[float, Field(ge=0, le=60)] = 0.5
    """With no people: between two moves at least."""


class MoveWanted(Wish):
    """A move. `ply` makes a repeat harmless."""

    move: MoveText
    ply: Annotated[int, Field(ge=0, le=20_000)]
    """The ply at which it is played."""
    wait: Annotated[float, Field(ge=0, le=60)] = 0
    """Seconds to wait for the answer of an agent before replying."""


class PlyWanted(Wish):
    """Something asked of the game as it stands at a ply; at another one it is a conflict."""

    ply: Annotated[int, Field(ge=0, le=20_000)] | None = None


class SeatWanted(Wish):
    """Who plays from the next move on: another level, or in a watched game a person."""

    side: SideName | None = None
    """Without it, the agent's side."""
    player: PlayerText | None = None
    """None: you take the side over."""


class PaceWanted(Wish):
    """How a game between agents goes on."""

    paused: bool | None = None
    seconds: Annotated[float, Field(ge=0, le=60)] | None = None
    one: bool = False
    """Play one move, then wait again."""


class CoachWanted(Wish):
    """Whether the coach looks on."""

    coach: bool


class HintWanted(Wish):
    """A hint: 1 which piece, 2 the arrow, 3 the line, 4 the numbers."""

    rung: Annotated[int, Field(ge=1, le=4)]
    ply: Annotated[int, Field(ge=0, le=20_000)] | None = None


class HintView(View):
    """A hint, and no more than was asked."""

    rung: int
    ply: int
    text: str
    """In words."""
    square: str | None = None
    """Which piece, or where."""
    move: str | None = None
    path: list[str] = []
    line: list[str] = []
    moves: list[MoveThought] = []


class DrawView(View):
    """What became of an offer."""

    accepted: bool
    text: str
    game: GameView


class ShareView(View):
    """An address under which others can look on."""

    token: str
    address: str
    """The path of the page, such as `/shared/…`."""


class StateView(View):
    """The visitor's current checkers game, short."""

    board: dict[str, str]
    """The letter on each occupied square of 1 to 32."""
    turn: str
    moves: list[str]
    history: list[str]
    outcome: str | None
    level: str
    you: str
    game: str
    """The id of the game in the full API."""


class NewGameWanted(Wish):
    """A new checkers game."""

    level: PlayerText | None = None
    side: Literal["black", "white"] = "black"


class MakeMoveWanted(Wish):
    """A move of the person."""

    move: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class MadeMoveView(StateView):
    """The state after the person's move and the answer."""

    played: str
    answer: str | None = None
