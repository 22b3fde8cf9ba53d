"""Positions and moves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plyground.server.views.common import GameSpec, MoveTexts, PositionText, SideName, View, Wish

Known = Literal["win", "draw", "loss"]


class MoveView(View):
    """A legal move."""

    text: str
    notation: str
    """As books print it."""
    path: list[str]
    """The squares a hand touches, in order; empty in games without a board."""
    captures: list[str]
    """The squares from which a piece of the other side vanishes."""
    choice: str | None = None
    """What tells it from other moves of the same path, such as `queen`."""


class LastMove(View):
    """The move that led to a position."""

    text: str
    notation: str
    path: list[str]


class OutcomeView(View):
    """How a game ended."""

    winner: str | None
    """The side that won; None is a draw."""
    reason: str
    """Such as `line`, `checkmate`, `repetition`, `resignation`, `time`, `agreement`."""
    text: str
    """In words: "black wins: no moves"."""


class ExactView(View):
    """What is certain under best play."""

    known: Known
    """For the side to move in a position; of a move, for the side that makes it."""
    distance: int | None = None
    """Plies to the end, where that is known."""
    source: Literal["solver", "tables", "rules"]


class BoardView(View):
    """What is on the board, without what can be done."""

    text: str
    """The position in writing, which `make_position` reads."""
    ply: int
    turn: str
    cells: dict[str, str]
    """The letter of what stands on each occupied square."""
    last: LastMove | None = None
    outcome: OutcomeView | None = None
    winning: list[str] = []
    """The squares of the line that won, where one did."""


class PositionView(BoardView):
    """A position and what can be done in it."""

    game: str
    moves: list[MoveView]
    """The legal moves, always in the same order; empty exactly when the game is over."""
    urgent: list[str]
    """The squares the rules point at: a king in check, the pieces that must capture."""
    forced: str | None = None
    """Why there is no free choice, in words: "White must capture: 22x15 or 22x17"."""
    can_pick: list[str]
    """The squares from which a move begins."""


class LineWanted(Wish):
    """A game, whole or so far."""

    game: GameSpec
    text: PositionText | None = None
    """Where it begins; without it, where the game always begins."""
    moves: MoveTexts = []


class PositionWanted(LineWanted):
    """A position: by text and moves, or by what stands where."""

    cells: Annotated[dict[str, str], Field(max_length=400)] | None = None
    """Instead of `text`: the letter on each occupied square."""
    turn: SideName | None = None
    """With `cells`: who moves."""


class LineView(View):
    """The boards of a game, from its start to the last move."""

    game: str
    boards: list[BoardView]


class ExactMoves(View):
    """What is certain of a position and of its moves."""

    exact: ExactView | None = None
    """None where nobody knows."""
    moves: dict[str, ExactView]
