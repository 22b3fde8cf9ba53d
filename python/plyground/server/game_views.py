"""Games of visitors as the page sees them."""

from __future__ import annotations

import time

from plyground.server.boards import outcome_view, position_view
from plyground.server.live import LiveGame
from plyground.server.players import level_of
from plyground.server.state import GameState
from plyground.server.views.games import (
    ClockView,
    CoachView,
    GameBrief,
    GameView,
    PaceView,
    PlayedMove,
    SeatView,
)
from plyground.store import Play


def game_view(live: LiveGame, *, read_only: bool = False) -> GameView:
    """A game as it stands; what does not change between two moves is made once."""
    cache = live.cache
    made: GameView | None = cache.get("view")
    if made is None:
        made = cache["view"] = _whole(live)
    return made.model_copy(
        update={
            "clock": _clock(live),
            "thinking": live.is_thinking,
            "trouble": live.trouble,
            "read_only": read_only,
            "you": None if read_only else made.you,
            "record": None if read_only else live.record_id,
        }
    )


def game_brief(play: Play) -> GameBrief:
    """A game in a list."""
    state = GameState.model_validate(play.state)
    position = state.position()
    ended = outcome_view(position.outcome or state.outcome)
    return GameBrief(
        id=play.id,
        game=state.game,
        seats=seats(state),
        you=state.you,
        plies=len(state.moves),
        over=play.is_over,
        result=None if ended is None else ended.text,
        updated=state.updated,
    )


def seats(state: GameState) -> dict[str, SeatView]:
    """Who plays each side."""
    people = state.people
    return {side: _seat(state.game, player, len(people) == 2, side) for side, player in state.players.items()}


def _seat(game: str, player: str | None, two: bool, side: str) -> SeatView:
    if player is None:
        return SeatView(kind="person", name=side.capitalize() if two else "You")
    level = level_of(game, player)
    return SeatView(kind="agent", name=player, player=player, rating=None if level is None else level.rating)


def _whole(live: LiveGame) -> GameView:
    state, position = live.state, live.position
    return GameView(
        id=live.id,
        game=state.game,
        title=position.game.title,
        seats=seats(state),
        you=state.you,
        position=position_view(position, state.outcome),
        start=state.start,
        moves=_moves(live),
        redo=list(state.redo),
        pace=None if state.people else PaceView(paused=state.pace.paused, seconds=state.pace.seconds),
        thinking=False,
        coach=None if state.coach is None else CoachView(ply=state.coach.ply, text=state.coach.text),
        coaching=state.coaching,
        can_undo=live.undo_target() is not None,
        seed=state.seed,
        started=state.started,
        updated=state.updated,
        version=state.version,
    )


def _moves(live: LiveGame) -> list[PlayedMove]:
    state, position = live.state, live.position
    printed = position.history_notation
    return [
        PlayedMove(
            ply=ply,
            text=text,
            notation=printed[ply],
            side=state.sides[ply],
            seconds=state.seconds[ply],
            value_first=state.values[ply],
        )
        for ply, text in enumerate(position.history)
    ]


def _clock(live: LiveGame) -> ClockView | None:
    clocks, position = live.state.clocks, live.position
    if clocks is None:
        return None
    running = None if live.is_over or position.ply == 0 else position.turn
    left = dict(clocks.left)
    if running is not None:
        left[running] = max(0.0, left[running] - (time.monotonic() - live.since))
    return ClockView(seconds=clocks.seconds, increment=clocks.increment, left=left, running=running)
