"""Changes of a game in progress: players, coach and playback."""

from __future__ import annotations

from plyground.errors import UnknownNameError
from plyground.server.errors import ConflictError
from plyground.server.play.live import LiveGame
from plyground.server.play.models import PlaybackRequest
from plyground.server.play.state import Playback
from plyground.server.search.players import PlayerFactory


def change_seat(live: LiveGame, players: PlayerFactory, side: str | None, player: str | None) -> LiveGame:
    """Let another player, or the visitor if `player` is None, play a side from the next move."""
    with live.lock:
        seats = live.state.players
        seat = side if side is not None else _default_seat(live, player)
        if seat not in seats:
            raise UnknownNameError(
                f"unknown side {seat[:40]!r} for {live.state.game}; available sides: {', '.join(seats)}"
            )
        text = None if player is None else players.make(live.state.game, player).spec
        live.agents.cancel()
        live.agents.error = None
        return live.update(players={**seats, seat: text})


def _default_seat(live: LiveGame, player: str | None) -> str:
    """Return the agent's side, or the side to move if the visitor takes over."""
    if player is None:
        return live.position.turn
    agent_sides = [side for side, text in live.state.players.items() if text is not None]
    if len(agent_sides) != 1:
        raise ConflictError("side is required unless exactly one side is played by an agent")
    return agent_sides[0]


def set_coach(live: LiveGame, enabled: bool) -> LiveGame:
    """Turn the coach on or off and remove its message."""
    with live.lock:
        return live.update(coach_enabled=enabled, coach_message=None)


def set_playback(live: LiveGame, request: PlaybackRequest) -> LiveGame:
    """Pause or resume a game between agents, change its speed, or play one move."""
    with live.lock:
        if live.state.humans:
            raise ConflictError("playback is only available for games between agents")
        old = live.state.playback
        paused = True if request.step else old.paused if request.paused is None else request.paused
        move_delay = old.move_delay if request.move_delay is None else request.move_delay
        live.agents.step_requested = request.step
        if paused and not request.step:
            live.agents.cancel()
        return live.update(playback=Playback(paused=paused, move_delay=move_delay))
