"""API models of visitors' games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plyground.server.models import (
    GameSpec,
    MoveText,
    MoveTexts,
    PlayerText,
    PositionText,
    RequestModel,
    Seed,
    SideName,
    View,
)
from plyground.server.positions.models import OpeningView, PositionView
from plyground.server.search.models import MoveAnalysisView

Ply = Annotated[int, Field(ge=0, le=20_000)]


class SeatView(View):
    """A side and who plays it."""

    kind: Literal["human", "agent"]
    name: str
    """Display name, such as "You", "Medium" or "mcts(simulations=800)"."""
    player: str | None = None
    """Level, spec or checkpoint of the agent; None for a human."""
    rating: float | None = None
    """Elo rating of the level; None if unknown."""


class PlayedMove(View):
    """A move of the game."""

    ply: int
    """Ply of the position before the move."""
    text: str
    notation: str
    side: str
    seconds: float | None = None
    """Thinking time."""
    value_first: float | None = None
    """Value for the first player, 0 to 1, from the search of the agent that made the move."""


class ClockView(View):
    """Clocks of a game, in seconds."""

    seconds: float
    """Initial time of each side."""
    increment: float
    """Time added after each move."""
    remaining: dict[str, float]
    """Remaining time of each side at the time of the response."""
    running: str | None = None
    """Side whose clock is running; None before the first move and after the end of the game."""


class CoachView(View):
    """The coach's message about the human's last move; it never reveals a better move."""

    ply: int
    """Ply that undo leads back to."""
    text: str


class PlaybackView(View):
    """Playback of a game between agents."""

    paused: bool
    move_delay: float
    """The minimum time between two moves, in seconds."""


class GameView(View):
    """A game and its current position."""

    id: str
    game: str
    title: str
    seats: dict[str, SeatView]
    """Players by side."""
    your_side: str | None
    """The visitor's side, `both` if a human plays each side, None for spectators and games between agents."""
    position: PositionView
    start: str | None
    """Start position as text; None for the standard one."""
    moves: list[PlayedMove]
    opening: OpeningView | None = None
    """The last named opening of the game."""
    redo: list[str]
    """Undone moves, next one first."""
    clock: ClockView | None = None
    playback: PlaybackView | None = None
    """Only for games between agents."""
    thinking: bool
    """Whether an agent is about to move."""
    agent_error: str | None = None
    """Why the agent cannot move; replacing the player may help."""
    coach_message: CoachView | None = None
    coach_enabled: bool
    can_undo: bool
    seed: int
    """Seed of the agents. Agents with a simulation limit play the same moves again in a game with the same seed."""
    started: str
    updated: str
    record_id: str | None = None
    """ID in the library, once the game has ended."""
    version: int
    """Incremented by every change."""
    read_only: bool = False


class GameBrief(View):
    """A game in a list."""

    id: str
    game: str
    seats: dict[str, SeatView]
    your_side: str | None
    plies: int
    over: bool
    result: str | None = None
    """Human-readable result; None while the game is in progress."""
    updated: str


class ClockRequest(RequestModel):
    """Time control, in seconds per side."""

    seconds: Annotated[float, Field(gt=0, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=3600)] = 0


class NewGameRequest(RequestModel):
    """A new game: one human against `player`, two humans, or `player` against `second` without humans."""

    game: GameSpec
    player: PlayerText | None = None
    """The opponent or, if there are no humans, the player of the first side; defaults to the game's default level."""
    second: PlayerText | None = None
    """The player of the second side, if there are no humans."""
    side: SideName | None = None
    """The visitor's side, or `random`; defaults to the side that moves first."""
    humans: Annotated[int, Field(ge=0, le=2)] = 1
    clock: ClockRequest | None = None
    position: PositionText | None = None
    """Start position; defaults to the standard one."""
    moves: MoveTexts = []
    """Moves already played from the start position."""
    coach_enabled: bool = False
    seed: Seed | None = None
    """Random by default."""
    paused: bool = False
    """With no humans: wait for `step` or for `paused` to be set to false."""
    move_delay: Annotated[float, Field(ge=0, le=60)] = 0.5
    """With no humans: the minimum time between two moves, in seconds."""


class MoveRequest(RequestModel):
    """A move. `ply` makes retries idempotent."""

    move: MoveText
    ply: Ply
    """Ply of the position before the move."""
    wait: Annotated[float, Field(ge=0, le=60)] = 0
    """Seconds to wait for the agent's reply before responding."""


class PlyRequest(RequestModel):
    """An action that fails with a conflict if the game is not at `ply`."""

    ply: Ply | None = None


class SeatRequest(RequestModel):
    """A change of the player of a side, effective from the next move."""

    side: SideName | None = None
    """Defaults to the agent's side or, if the visitor takes over, to the side to move."""
    player: PlayerText | None = None
    """None lets the visitor take over."""


class PlaybackRequest(RequestModel):
    """A change of the playback of a game between agents."""

    paused: bool | None = None
    move_delay: Annotated[float, Field(ge=0, le=60)] | None = None
    step: bool = False
    """Play one move, then pause."""


class CoachRequest(RequestModel):
    """Turns the coach on or off."""

    coach_enabled: bool


class HintRequest(RequestModel):
    """A hint: step 1 names the piece, 2 the move, 3 the best line, 4 the values of the best moves."""

    step: Annotated[int, Field(ge=1, le=4)]
    ply: Ply | None = None


class HintView(View):
    """A hint with the details of the requested step."""

    step: int
    ply: int
    text: str
    """Human-readable hint."""
    square: str | None = None
    """Square of the piece to move, or the target square."""
    move: str | None = None
    path: list[str] = []
    pv: list[str] = []
    moves: list[MoveAnalysisView] = []
    """The best moves, best first; none of their values is just a bound."""


class DrawView(View):
    """Reply to a draw offer."""

    accepted: bool
    text: str
    game: GameView


class ShareView(View):
    """A read-only link to a game."""

    token: str
    address: str
    """Path in the web UI, such as `/shared/…`."""


class StateView(View):
    """The visitor's current checkers game in short form."""

    board: dict[str, str]
    """Piece letter on each occupied square, 1 to 32."""
    turn: str
    moves: list[str]
    """Legal moves."""
    history: list[str]
    outcome: str | None
    level: str
    you: str
    game: str
    """ID for the endpoints under `/api/games`."""


class CheckersGameRequest(RequestModel):
    """A new checkers game."""

    level: PlayerText | None = None
    side: Literal["black", "white"] = "black"


class CheckersMoveRequest(RequestModel):
    """A move in the current checkers game."""

    move: MoveText


class MadeMoveView(StateView):
    """The state after the visitor's move and the agent's reply."""

    played: str
    answer: str | None = None
