"""What there is, and positions."""

from __future__ import annotations

from fastapi import APIRouter, Response

from plyground.games import game
from plyground.server.boards import board_view, position_view
from plyground.server.catalog import catalog_text
from plyground.server.routes.asking import AtHouse
from plyground.server.setup import wanted_position
from plyground.server.views.catalog import Catalog
from plyground.server.views.positions import ExactMoves, LineView, LineWanted, PositionView, PositionWanted

router = APIRouter(tags=["catalog"])


@router.get("/catalog", response_model=Catalog)
async def get_catalog(house: AtHouse) -> Response:
    """Games, levels, agents and limits."""
    return Response(catalog_text(house.settings), media_type="application/json")


@router.post("/positions")
def make_position(wanted: PositionWanted) -> PositionView:
    """A position and its legal moves: from a text and moves, or from what stands where."""
    return position_view(wanted_position(wanted))


@router.post("/lines")
def make_line(wanted: LineWanted) -> LineView:
    """Every board of a game, to step through it."""
    position = game(wanted.game).position(wanted.text)
    boards = [board_view(position)]
    for move in wanted.moves:
        position = position.play(move)
        boards.append(board_view(position))
    return LineView(game=position.game.spec, boards=boards)


@router.post("/exact")
async def solve_position(wanted: PositionWanted, house: AtHouse) -> ExactMoves:
    """What solver or tables know of a position and of each of its moves, within a few seconds."""
    return await house.exact.ask(wanted_position(wanted))
