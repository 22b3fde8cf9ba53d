"""Routes for positions, lines and images."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from plyground.games import game as make_game
from plyground.server.models import GameSpec, PositionText
from plyground.server.positions.models import (
    GameTreeRequest,
    GameTreeView,
    LineRequest,
    LineView,
    PositionRequest,
    PositionView,
)
from plyground.server.positions.setup import requested_position
from plyground.server.positions.trees import game_tree_view
from plyground.server.positions.views import board_view, position_view
from plyground.svg import draw_svg

router = APIRouter(tags=["positions"])


@router.post("/positions")
def make_position(request: PositionRequest) -> PositionView:
    """Return a position and its legal moves."""
    return position_view(requested_position(request))


@router.post("/lines")
def make_line(request: LineRequest) -> LineView:
    """Return the board of the start position and the board after each move."""
    position = make_game(request.game).position(request.text)
    boards = [board_view(position)]
    for move in request.moves:
        position = position.play(move)
        boards.append(board_view(position))
    return LineView(game=position.game.spec, boards=boards)


@router.post("/game-trees")
def make_game_tree(request: GameTreeRequest) -> GameTreeView:
    """Return the boards of a game and of its variations."""
    return game_tree_view(request)


@router.get("/picture.svg", response_class=Response)
def draw_position(
    game: Annotated[GameSpec, Query()],
    text: Annotated[PositionText | None, Query()] = None,
    flip: Annotated[bool, Query()] = False,
) -> Response:
    """Return a position as an SVG image."""
    return Response(draw_svg(make_game(game).position(text), flip), media_type="image/svg+xml")
