"""Who sits where, and how a game goes on: what a visitor may change in mid-game."""

from __future__ import annotations

from plyground.errors import UnknownNameError
from plyground.server.errors import ConflictError
from plyground.server.live import LiveGame
from plyground.server.state import Pace
from plyground.server.views.games import PaceWanted


def change_seat(live: LiveGame, side: str | None, player: str | None) -> LiveGame:
    """Let another player, or with None the visitor, play a side from the next move on."""
    with live.lock:
        players = live.state.players
        seat = side if side is not None else _seat(live, player)
        if seat not in players:
            raise UnknownNameError(
                f"no side of {live.state.game} is called {seat[:40]!r}; there are: {', '.join(players)}"
            )
        text = None if player is None else live.house.players.player(live.state.game, player).text
        live.drop_job()
        live.trouble = None
        return live.commit(live.state.model_copy(update={"players": {**players, seat: text}}))


def _seat(live: LiveGame, player: str | None) -> str:
    """The side that is meant where none is named: the agent's, or for a visitor who takes over, the one to move."""
    agents = [side for side, one in live.state.players.items() if one is not None]
    if player is None:
        return live.position.turn
    if len(agents) != 1:
        raise ConflictError("say which side: this game has not exactly one agent")
    return agents[0]


def set_coach(live: LiveGame, coach: bool) -> LiveGame:
    """Let the coach look on, or no more; its last word is taken away."""
    with live.lock:
        return live.commit(live.state.model_copy(update={"coaching": coach, "coach": None}))


def set_pace(live: LiveGame, wanted: PaceWanted) -> LiveGame:
    """Pause a game between agents, let it go on, or let it play one move."""
    with live.lock:
        if live.state.people:
            raise ConflictError("a person plays in this game; only games between agents have a pace")
        pace = live.state.pace
        paused = True if wanted.one else pace.paused if wanted.paused is None else wanted.paused
        new = Pace(paused=paused, seconds=pace.seconds if wanted.seconds is None else wanted.seconds)
        live.one = wanted.one
        if new.paused and not wanted.one:
            live.drop_job()
        return live.commit(live.state.model_copy(update={"pace": new}))
