"""The visitor's current checkers game, in the few words of the short endpoints."""

from __future__ import annotations

from typing import Any

from plyground.server.live import LiveGame
from plyground.server.views.games import MadeMoveView, StateView


def state_view(live: LiveGame) -> StateView:
    """The game as it stands."""
    return StateView(**_fields(live))


def made_move_view(live: LiveGame, ply: int) -> MadeMoveView:
    """The game after the move made at a ply, and the answer to it."""
    history = live.position.history
    answer = history[ply + 1] if len(history) > ply + 1 else None
    return MadeMoveView(**_fields(live), played=history[ply], answer=answer)


def _fields(live: LiveGame) -> dict[str, Any]:
    state, position = live.state, live.position
    outcome = live.outcome
    return {
        "board": position.cells,
        "turn": position.turn,
        "moves": [] if outcome is not None else position.moves,
        "history": position.history,
        "outcome": None if outcome is None else str(outcome),
        "level": next((player for player in state.players.values() if player is not None), "none"),
        "you": state.you or "nobody",
        "game": live.id,
    }
