"""Games of visitors. A game belongs to the visitor who made it; to everybody else it is not there."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from starlette.concurrency import run_in_threadpool

from plyground.server import seating
from plyground.server.game_views import game_view
from plyground.server.picture import draw_svg
from plyground.server.routes.asking import AsFormat, AtHouse, GameId, Visitor
from plyground.server.sharing import exported
from plyground.server.views.common import GameSpec
from plyground.server.views.games import (
    CoachWanted,
    DrawView,
    GameBrief,
    GameView,
    GameWanted,
    HintView,
    HintWanted,
    MoveWanted,
    PaceWanted,
    PlyWanted,
    SeatWanted,
    ShareView,
)

router = APIRouter(prefix="/games", tags=["games"])


@router.post("", status_code=201)
def make_game(wanted: GameWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Begin a game: against an agent, between two people, or between two agents."""
    return game_view(house.games.make(visitor, wanted))


@router.get("")
def list_games(
    house: AtHouse,
    visitor: Visitor,
    game: Annotated[GameSpec | None, Query()] = None,
    over: Annotated[bool | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> list[GameBrief]:
    """The visitor's games, the latest first."""
    return house.games.briefs(visitor, game, over, limit)


@router.get("/current")
def get_current_game(
    house: AtHouse, visitor: Visitor, game: Annotated[GameSpec, Query()] = "checkers"
) -> GameView | None:
    """The visitor's latest game of a kind that is played by a person, or null."""
    found = house.games.current(visitor, game)
    return None if found is None else game_view(found)


@router.get("/{game_id}")
def get_game(game_id: GameId, house: AtHouse, visitor: Visitor) -> GameView:
    """A game as it stands."""
    return game_view(house.games.get(visitor, game_id))


@router.delete("/{game_id}", status_code=204)
def delete_game(game_id: GameId, house: AtHouse, visitor: Visitor) -> None:
    """Forget a game; if it ended, the library keeps it."""
    house.games.delete(visitor, game_id)


@router.post("/{game_id}/moves")
async def play_move(game_id: GameId, wanted: MoveWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Play a move, which is on disk when this answers. The same move at the same ply again changes nothing."""
    play = await run_in_threadpool(house.games.get, visitor, game_id)
    await run_in_threadpool(play.move, wanted.move, wanted.ply)
    if wanted.wait:
        await house.games.settled(play, wanted.wait)
    return await run_in_threadpool(game_view, play)


@router.post("/{game_id}/undo")
def undo_move(game_id: GameId, wanted: PlyWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Take back to the visitor's own turn."""
    return game_view(house.games.get(visitor, game_id).undo(wanted.ply))


@router.post("/{game_id}/redo")
def redo_move(game_id: GameId, wanted: PlyWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Play again what was taken back, to the visitor's own turn."""
    return game_view(house.games.get(visitor, game_id).redo(wanted.ply))


@router.post("/{game_id}/resign")
def resign_game(game_id: GameId, wanted: PlyWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Give the game up; of two people the side to move does."""
    return game_view(house.games.get(visitor, game_id).resign(wanted.ply))


@router.post("/{game_id}/draw")
async def offer_draw(game_id: GameId, wanted: PlyWanted, house: AtHouse, visitor: Visitor) -> DrawView:
    """Offer a draw; an agent accepts where it does not think it stands better."""
    play = await run_in_threadpool(house.games.get, visitor, game_id)
    return await house.judge.offer_draw(play, wanted.ply)


@router.post("/{game_id}/seats")
def change_seat(game_id: GameId, wanted: SeatWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Change the level from the next move on, take a side over, or hand it to an agent."""
    return game_view(seating.change_seat(house.games.get(visitor, game_id), wanted.side, wanted.player))


@router.post("/{game_id}/coach")
def set_coach(game_id: GameId, wanted: CoachWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Let the coach look on, or no more; either way its last word is taken away."""
    return game_view(seating.set_coach(house.games.get(visitor, game_id), wanted.coach))


@router.post("/{game_id}/pace")
def set_pace(game_id: GameId, wanted: PaceWanted, house: AtHouse, visitor: Visitor) -> GameView:
    """Pause a game between agents, let it go on, make it slower or faster, or play one move."""
    return game_view(seating.set_pace(house.games.get(visitor, game_id), wanted))


@router.post("/{game_id}/hint")
async def get_hint(game_id: GameId, wanted: HintWanted, house: AtHouse, visitor: Visitor) -> HintView:
    """A rung of the hint ladder: 1 which piece, 2 the arrow, 3 the line, 4 the numbers."""
    play = await run_in_threadpool(house.games.get, visitor, game_id)
    return await house.judge.hint(play, wanted.rung, wanted.ply)


@router.post("/{game_id}/now")
def move_now(game_id: GameId, house: AtHouse, visitor: Visitor) -> GameView:
    """Stop the agent's search and let it play its best move so far."""
    return game_view(house.games.get(visitor, game_id).move_now())


@router.post("/{game_id}/rematch", status_code=201)
def make_rematch(game_id: GameId, house: AtHouse, visitor: Visitor) -> GameView:
    """The same opponents again, sides swapped."""
    return game_view(house.games.rematch(visitor, game_id))


@router.post("/{game_id}/share", status_code=201)
def share_game(game_id: GameId, house: AtHouse, visitor: Visitor) -> ShareView:
    """Make an address under which anybody can look on, and do nothing else."""
    return house.sharing.share_game(visitor, game_id)


@router.get("/{game_id}/export", response_class=Response)
def export_game(
    game_id: GameId,
    house: AtHouse,
    visitor: Visitor,
    format: AsFormat = "json",  # noqa: A002
) -> Response:
    """The game as a file: JSON of any, PDN of checkers, PGN of chess."""
    return exported([house.games.get(visitor, game_id).record()], format, f"game-{game_id}")


@router.get("/{game_id}/picture.svg", response_class=Response)
def draw_game(
    game_id: GameId,
    house: AtHouse,
    visitor: Visitor,
    ply: Annotated[int | None, Query(ge=0, le=20_000)] = None,
    flip: Annotated[bool, Query()] = False,
) -> Response:
    """A picture of the game as it stands, or after so many plies."""
    position = house.games.get(visitor, game_id).position
    shown = position if ply is None or ply >= position.ply else position.replay(ply)
    return Response(draw_svg(shown, flip), media_type="image/svg+xml")
