"""Routes for visitors' games. The games of other visitors are reported as not found (404)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from starlette.concurrency import run_in_threadpool

from plyground.server.dependencies import Address, FormatQuery, GameId, QuotasService, Visitor, service
from plyground.server.models import GameSpec
from plyground.server.play import seats
from plyground.server.play.advisor import Advisor
from plyground.server.play.export import download
from plyground.server.play.games import Games
from plyground.server.play.live import LiveGame
from plyground.server.play.models import (
    CoachRequest,
    DrawView,
    GameBrief,
    GameView,
    HintRequest,
    HintView,
    MoveRequest,
    NewGameRequest,
    PlaybackRequest,
    PlyRequest,
    SeatRequest,
)
from plyground.server.play.views import game_view
from plyground.server.search.players import PlayerFactory
from plyground.svg import draw_svg

router = APIRouter(prefix="/games", tags=["games"])
GamesService = Annotated[Games, Depends(service("games"))]
AdvisorService = Annotated[Advisor, Depends(service("advisor"))]


@router.post("", status_code=201)
def make_game(
    request: NewGameRequest, games: GamesService, visitor: Visitor, address: Address, quotas: QuotasService
) -> GameView:
    """Start a game against an agent, between two humans, or between two agents."""
    quotas.take_created("games", address)
    return game_view(games.create(visitor, request))


@router.get("")
def list_games(
    games: GamesService,
    visitor: Visitor,
    game: Annotated[GameSpec | None, Query()] = None,
    over: Annotated[bool | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> list[GameBrief]:
    """List the visitor's games, most recently changed first."""
    return games.briefs(visitor, game, over, limit)


@router.get("/current")
def get_current_game(
    games: GamesService, visitor: Visitor, game: Annotated[GameSpec, Query()] = "checkers"
) -> GameView | None:
    """Return the visitor's most recently changed game with a human player, or null."""
    found = games.current(visitor, game)
    return None if found is None else game_view(found)


@router.get("/{game_id}")
def get_game(game_id: GameId, games: GamesService, visitor: Visitor) -> GameView:
    """Return a game."""
    return game_view(games.get(visitor, game_id))


@router.delete("/{game_id}", status_code=204)
def delete_game(game_id: GameId, games: GamesService, visitor: Visitor) -> None:
    """Delete a game; a finished game stays in the library."""
    games.delete(visitor, game_id)


@router.post("/{game_id}/moves")
async def play_move(game_id: GameId, request: MoveRequest, games: GamesService, visitor: Visitor) -> GameView:
    """Play a move, storing it before responding. Repeating the same move at the same ply has no effect."""

    def play() -> LiveGame:
        return games.get(visitor, game_id).move(request.move, request.ply)

    if not request.wait:
        return await run_in_threadpool(lambda: game_view(play()))
    live = await run_in_threadpool(play)
    await games.wait_for_agent(live, request.wait)
    return await run_in_threadpool(game_view, live)


@router.post("/{game_id}/undo")
def undo_move(game_id: GameId, request: PlyRequest, games: GamesService, visitor: Visitor) -> GameView:
    """Undo a resignation or agreed draw; otherwise, undo the visitor's last move and any after it."""
    return game_view(games.get(visitor, game_id).undo(request.ply))


@router.post("/{game_id}/redo")
def redo_move(game_id: GameId, request: PlyRequest, games: GamesService, visitor: Visitor) -> GameView:
    """Redo undone moves up to the visitor's next turn."""
    return game_view(games.get(visitor, game_id).redo(request.ply))


@router.post("/{game_id}/resign")
def resign_game(game_id: GameId, request: PlyRequest, games: GamesService, visitor: Visitor) -> GameView:
    """Resign; if two humans play, the side to move resigns."""
    return game_view(games.get(visitor, game_id).resign(request.ply))


@router.post("/{game_id}/draw")
async def offer_draw(
    game_id: GameId, request: PlyRequest, games: GamesService, advisor: AdvisorService, visitor: Visitor
) -> DrawView:
    """Offer a draw; an agent accepts if it does not consider itself better."""
    live = await run_in_threadpool(games.get, visitor, game_id)
    return await advisor.offer_draw(live, request.ply)


@router.post("/{game_id}/seats")
def change_seat(
    game_id: GameId,
    request: SeatRequest,
    games: GamesService,
    players: Annotated[PlayerFactory, Depends(service("players"))],
    visitor: Visitor,
) -> GameView:
    """Let another agent or the visitor take over a side from the next move."""
    return game_view(seats.change_seat(games.get(visitor, game_id), players, request.side, request.player))


@router.post("/{game_id}/coach")
def set_coach(game_id: GameId, request: CoachRequest, games: GamesService, visitor: Visitor) -> GameView:
    """Turn the coach on or off and remove its message."""
    return game_view(seats.set_coach(games.get(visitor, game_id), request.coach_enabled))


@router.post("/{game_id}/playback")
def set_playback(game_id: GameId, request: PlaybackRequest, games: GamesService, visitor: Visitor) -> GameView:
    """Pause or resume a game between agents, change its speed, or play one move."""
    return game_view(seats.set_playback(games.get(visitor, game_id), request))


@router.post("/{game_id}/hint")
async def get_hint(
    game_id: GameId, request: HintRequest, games: GamesService, advisor: AdvisorService, visitor: Visitor
) -> HintView:
    """Return a hint: step 1 names the piece, 2 the move, 3 the best line, 4 the values of the best moves."""
    live = await run_in_threadpool(games.get, visitor, game_id)
    return await advisor.hint(live, request.step, request.ply)


@router.post("/{game_id}/move_now")
def move_now(game_id: GameId, games: GamesService, visitor: Visitor) -> GameView:
    """Stop the agent's search and play its best move so far."""
    return game_view(games.get(visitor, game_id).move_now())


@router.post("/{game_id}/rematch", status_code=201)
def make_rematch(
    game_id: GameId, games: GamesService, visitor: Visitor, address: Address, quotas: QuotasService
) -> GameView:
    """Start a game between the same players with sides swapped."""
    quotas.take_created("games", address)
    return game_view(games.rematch(visitor, game_id))


@router.get("/{game_id}/export", response_class=Response)
def export_game(
    game_id: GameId,
    games: GamesService,
    visitor: Visitor,
    format: FormatQuery = "json",  # noqa: A002
) -> Response:
    """Download a game as JSON (every game), PDN (checkers) or PGN (chess)."""
    return download([games.get(visitor, game_id).snapshot.record()], format, f"game-{game_id}")


@router.get("/{game_id}/picture.svg", response_class=Response)
def draw_game(
    game_id: GameId,
    games: GamesService,
    visitor: Visitor,
    ply: Annotated[int | None, Query(ge=0, le=20_000)] = None,
    flip: Annotated[bool, Query()] = False,
) -> Response:
    """Return the position at a ply, or the current one, as an SVG image."""
    position = games.get(visitor, game_id).position
    shown = position if ply is None or ply >= position.ply else position.replay(ply)
    return Response(draw_svg(shown, flip), media_type="image/svg+xml")
