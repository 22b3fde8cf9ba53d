"""Conversion of visitors' games to API models."""

from __future__ import annotations

import time

from plyground.opening_names import opening_of
from plyground.server.play.live import LiveGame
from plyground.server.play.models import (
    ClockView,
    CoachView,
    GameBrief,
    GameView,
    PlaybackView,
    PlayedMove,
    SeatView,
)
from plyground.server.play.snapshot import Snapshot
from plyground.server.play.state import GameState
from plyground.server.positions.views import opening_view, outcome_view, position_view
from plyground.server.search.players import find_level
from plyground.store import VisitorGame


def game_view(live: LiveGame, *, read_only: bool = False) -> GameView:
    """Return the current game; the parts that only change with the state are cached."""
    snapshot = live.snapshot
    cached: GameView | None = snapshot.cache.get("view")
    if cached is None:
        cached = snapshot.cache["view"] = _state_view(live.id, snapshot)
    return cached.model_copy(
        update={
            "clock": _clock(snapshot),
            "thinking": live.is_thinking_in(snapshot),
            "agent_error": live.agents.error,
            "read_only": read_only,
            "your_side": None if read_only else cached.your_side,
            "record_id": None if read_only else snapshot.public_record_id,
        }
    )


def game_brief(stored: VisitorGame) -> GameBrief:
    """Return a stored game as a list entry."""
    state = GameState.model_validate(stored.state)
    position = state.position()
    outcome = outcome_view(position.outcome or state.outcome)
    return GameBrief(
        id=stored.id,
        game=state.game,
        seats=_seats(state),
        your_side=state.your_side,
        plies=len(state.moves),
        over=stored.is_over,
        result=None if outcome is None else outcome.text,
        updated=state.updated,
    )


def _seats(state: GameState) -> dict[str, SeatView]:
    two_humans = len(state.humans) == 2
    return {side: _seat(state.game, side, player, two_humans) for side, player in state.players.items()}


def _seat(game: str, side: str, player: str | None, two_humans: bool) -> SeatView:
    if player is None:
        return SeatView(kind="human", name=side.capitalize() if two_humans else "You")
    level = find_level(game, player)
    return SeatView(kind="agent", name=player, player=player, rating=None if level is None else level.rating)


def _state_view(game_id: str, snapshot: Snapshot) -> GameView:
    state, position = snapshot.state, snapshot.position
    playback, message = state.playback, state.coach_message
    return GameView(
        id=game_id,
        game=state.game,
        title=position.game.title,
        seats=_seats(state),
        your_side=state.your_side,
        position=position_view(position, state.outcome),
        start=state.start,
        moves=_moves(snapshot),
        opening=opening_view(opening_of(state.game, state.start, state.moves)),
        redo=list(state.redo),
        playback=None if state.humans else PlaybackView(paused=playback.paused, move_delay=playback.move_delay),
        thinking=False,
        coach_message=None if message is None else CoachView(ply=message.ply, text=message.text),
        coach_enabled=state.coach_enabled,
        can_undo=state.undo_target() is not None,
        seed=state.seed,
        started=state.started,
        updated=state.updated,
        version=state.version,
    )


def _moves(snapshot: Snapshot) -> list[PlayedMove]:
    state, position = snapshot.state, snapshot.position
    notations = position.history_notation
    return [
        PlayedMove(
            ply=ply,
            text=text,
            notation=notations[ply],
            side=state.sides[ply],
            seconds=state.seconds[ply],
            value_first=state.values[ply],
        )
        for ply, text in enumerate(position.history)
    ]


def _clock(snapshot: Snapshot) -> ClockView | None:
    clocks, position = snapshot.state.clocks, snapshot.position
    if clocks is None:
        return None
    running = None if snapshot.is_over or position.ply == 0 else position.turn
    remaining = dict(clocks.remaining)
    if running is not None:
        remaining[running] = max(0.0, remaining[running] - (time.monotonic() - snapshot.turn_started))
    return ClockView(seconds=clocks.seconds, increment=clocks.increment, remaining=remaining, running=running)
