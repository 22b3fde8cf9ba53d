"""Six short endpoints for the visitor's current checkers game, for programs that want no more than that."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from plyground.server.current import made_move_view, state_view
from plyground.server.routes.asking import AtHouse, Visitor
from plyground.server.views.games import GameWanted, MadeMoveView, MakeMoveWanted, NewGameWanted, StateView
from plyground.server.views.work import LeaderboardView, TrainedView, TrainWanted

router = APIRouter(tags=["current game"])
PATIENCE = 60
"""Seconds that `make_move` waits for the answer."""


@router.get("/state")
def get_state(house: AtHouse, visitor: Visitor) -> StateView:
    """The current game; a new one where there is none."""
    return state_view(house.games.current_or_new(visitor))


@router.post("/new_game")
def new_game(house: AtHouse, visitor: Visitor, wanted: NewGameWanted | None = None) -> StateView:
    """Begin again."""
    wish = wanted or NewGameWanted()
    return state_view(house.games.make(visitor, GameWanted(game="checkers", player=wish.level, side=wish.side)))


@router.get("/legal_moves")
def get_legal_moves(house: AtHouse, visitor: Visitor) -> list[str]:
    """The legal moves of the side to move."""
    return house.games.current_or_new(visitor).position.moves


@router.post("/make_move")
async def make_move(wanted: MakeMoveWanted, house: AtHouse, visitor: Visitor) -> MadeMoveView:
    """Play a move and wait for the answer."""
    play = await run_in_threadpool(house.games.current_or_new, visitor)
    await house.games.settled(play, PATIENCE)
    ply = play.position.ply
    await run_in_threadpool(play.move, wanted.move, ply)
    await house.games.settled(play, PATIENCE)
    return made_move_view(play, ply)


@router.post("/train")
async def train_now(house: AtHouse, visitor: Visitor, wanted: TrainWanted | None = None) -> TrainedView:
    """Learn checkers from games against random moves and against itself, and wait for what comes of it."""
    wish = wanted or TrainWanted()
    return await house.training.train_and_wait(visitor, wish.games, wish.seed)


@router.get("/arena/results")
def get_arena_results(house: AtHouse) -> LeaderboardView:
    """The table of the latest tournament of checkers."""
    return house.tournaments.latest("checkers")
