"""Initial states of new games and rematches."""

from __future__ import annotations

import secrets

from plyground._engine import Rng
from plyground.errors import GameOverError, ParseError
from plyground.games import game as make_game
from plyground.server.play.models import ClockRequest, NewGameRequest
from plyground.server.play.state import Clocks, GameState, Playback, now
from plyground.server.search.players import DEFAULT_LEVEL, PlayerFactory


def new_state(request: NewGameRequest, players: PlayerFactory) -> GameState:
    """Return the initial state of a requested game."""
    game = make_game(request.game)
    position, sides = game.position(request.position), []
    for move in request.moves:
        sides.append(position.turn)
        position = position.play(move)
    if position.outcome is not None:
        raise GameOverError(f"a new game needs a position with a legal move; this one is over: {position.outcome}")
    first, second = game.sides
    seed = secrets.randbits(50) if request.seed is None else request.seed
    start = position.replay(0).text
    created = now()
    return GameState(
        game=game.spec,
        start=None if start == game.start().text else start,
        moves=tuple(position.history),
        sides=tuple(sides),
        seconds=(None,) * position.ply,
        values=(None,) * position.ply,
        players=_players(request, players, game.spec, (first, second), seed),
        seed=seed,
        started=created,
        updated=created,
        coach_enabled=request.coach_enabled,
        clocks=None if request.clock is None else _clocks(request.clock, (first, second)),
        playback=Playback(paused=request.paused, move_delay=request.move_delay),
    )


def rematch_state(old: GameState) -> GameState:
    """Return the initial state of a rematch: the same players with sides swapped."""
    first, second = old.make_game().sides
    created = now()
    clocks = old.clocks
    return GameState(
        game=old.game,
        start=old.start,
        players={first: old.players[second], second: old.players[first]},
        seed=secrets.randbits(50),
        started=created,
        updated=created,
        coach_enabled=old.coach_enabled,
        clocks=None
        if clocks is None
        else clocks.model_copy(update={"remaining": dict.fromkeys((first, second), clocks.seconds)}),
        playback=old.playback,
    )


def _players(
    request: NewGameRequest, players: PlayerFactory, spec: str, sides: tuple[str, str], seed: int
) -> dict[str, str | None]:
    def player_text(text: str | None) -> str:
        return players.make(spec, text or DEFAULT_LEVEL).spec

    if request.humans == 2:
        return dict.fromkeys(sides)
    if request.humans == 0:
        return {sides[0]: player_text(request.player), sides[1]: player_text(request.second)}
    human = request.side or sides[0]
    if human == "random":
        human = sides[Rng(seed).below(2)]
    if human not in sides:
        raise ParseError(f"side must be {', '.join(sides)} or random, got {human[:40]!r}")
    return {side: None if side == human else player_text(request.player) for side in sides}


def _clocks(request: ClockRequest, sides: tuple[str, str]) -> Clocks:
    remaining = dict.fromkeys(sides, request.seconds)
    return Clocks(seconds=request.seconds, increment=request.increment, remaining=remaining)
