"""Simple endpoints for the visitor's current checkers game."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.concurrency import run_in_threadpool

from plyground.server.dependencies import Address, QuotasService, Visitor, service
from plyground.server.errors import ConflictError
from plyground.server.play.games import Games
from plyground.server.play.live import LiveGame
from plyground.server.play.models import (
    CheckersGameRequest,
    CheckersMoveRequest,
    MadeMoveView,
    NewGameRequest,
    StateView,
)

router = APIRouter(tags=["current game"])
GamesService = Annotated[Games, Depends(service("games"))]
REPLY_SECONDS = 60
"""Maximum time `make_move` waits for the agent."""


class CurrentGames:
    """Access to the current checkers game of the requesting visitor."""

    def __init__(self, games: GamesService, visitor: Visitor, address: Address, quotas: QuotasService) -> None:
        self.games = games
        self._visitor = visitor
        self._address = address
        self._quotas = quotas

    def get(self) -> LiveGame:
        """Return the current game; start one if there is none."""
        return self.games.current(self._visitor, "checkers") or self.start(NewGameRequest(game="checkers"))

    def start(self, request: NewGameRequest) -> LiveGame:
        """Start a game."""
        self._quotas.take_created("games", self._address)
        return self.games.create(self._visitor, request)


Current = Annotated[CurrentGames, Depends()]


@router.get("/state")
def get_state(current: Current) -> StateView:
    """Return the current game; start one if there is none."""
    return StateView(**_state(current.get()))


@router.post("/new_game")
def new_game(current: Current, request: CheckersGameRequest | None = None) -> StateView:
    """Start a new game."""
    request = request or CheckersGameRequest()
    live = current.start(NewGameRequest(game="checkers", player=request.level, side=request.side))
    return StateView(**_state(live))


@router.get("/legal_moves")
def get_legal_moves(current: Current) -> list[str]:
    """Return the legal moves of the side to move."""
    return current.get().position.moves


@router.post("/make_move")
async def make_move(request: CheckersMoveRequest, current: Current) -> MadeMoveView:
    """Play a move and wait for the agent's reply."""
    live = await run_in_threadpool(current.get)
    await current.games.wait_for_agent(live, REPLY_SECONDS)
    ply = live.position.ply
    await run_in_threadpool(live.move, request.move, ply)
    await current.games.wait_for_agent(live, REPLY_SECONDS)
    return await run_in_threadpool(_made_move, live, ply)


def _made_move(live: LiveGame, ply: int) -> MadeMoveView:
    state = _state(live)
    played = state["history"][ply : ply + 2]
    if not played:
        raise ConflictError("the move was undone before the agent replied")
    return MadeMoveView(**state, played=played[0], answer=played[1] if len(played) > 1 else None)


def _state(live: LiveGame) -> dict[str, Any]:
    snapshot = live.snapshot
    state, position, outcome = snapshot.state, snapshot.position, snapshot.outcome
    return {
        "board": position.cells,
        "turn": position.turn,
        "moves": [] if outcome is not None else position.moves,
        "history": position.history,
        "outcome": None if outcome is None else str(outcome),
        "level": next((player for player in state.players.values() if player is not None), "none"),
        "you": state.your_side or "nobody",
        "game": live.id,
    }
