"""The games of all visitors: made, found again after a restart, and put away."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from typing import TYPE_CHECKING

from plyground._engine import Rng
from plyground.errors import GameOverError, ParseError, UnknownNameError
from plyground.games import game as make_game
from plyground.server.catalog import FIRST_LEVEL
from plyground.server.game_views import game_brief
from plyground.server.live import LiveGame
from plyground.server.state import Clocks, GameState, Pace, now
from plyground.server.views.games import ClockWanted, GameBrief, GameWanted
from plyground.store import Play

if TYPE_CHECKING:
    from plyground.server.house import House

AT_HAND = 2000
"""Games kept in memory though nobody looks on."""
NOT_THERE = "there is no such game"


class Games:
    """Games by id. A game that is somebody else's is not there."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._live: dict[str, LiveGame] = {}
        self._lock = threading.Lock()

    def make(self, owner: str, wanted: GameWanted) -> LiveGame:
        """Begin a game and keep it."""
        state = self._state(wanted)
        self._make_room(owner)
        position = state.position()
        play = Play(
            secrets.token_urlsafe(9),
            owner,
            state.game,
            state.model_dump(mode="json"),
            is_watched=not state.people,
            is_over=position.outcome is not None,
        )
        self._house.store.plays.add(play)
        return self._enter(play)

    def get(self, owner: str, id: str) -> LiveGame:  # noqa: A002
        """A visitor's game."""
        live = self.find(id)
        if live.owner != owner:
            raise UnknownNameError(NOT_THERE)
        return live

    def find(self, id: str) -> LiveGame:  # noqa: A002
        """A game, whoever's it is: from memory, or from the store, and then an agent that was to move does."""
        with self._lock:
            live = self._live.get(id)
        if live is None:
            live = self._enter(self._house.store.plays.get(id))
        live.used = time.monotonic()
        return live

    def briefs(self, owner: str, game: str | None, over: bool | None, limit: int) -> list[GameBrief]:
        """A visitor's games, the latest first."""
        found = self._house.store.plays.find(owner, game=game, over=over, limit=limit)
        return [game_brief(play) for play in found]

    def current(self, owner: str, game: str) -> LiveGame | None:
        """A visitor's latest game of a kind in which a person plays."""
        spec = make_game(game).spec
        found = self._house.store.plays.find(owner, game=spec, watched=False, limit=1)
        return self.find(found[0].id) if found else None

    def current_or_new(self, owner: str) -> LiveGame:
        """A visitor's current game of checkers."""
        found = self.current(owner, "checkers")
        return found if found is not None else self.make(owner, GameWanted(game="checkers"))

    def rematch(self, owner: str, id: str) -> LiveGame:  # noqa: A002
        """The same again, sides swapped."""
        old = self.get(owner, id).state
        first, second = old.chosen.sides
        clocks = old.clocks
        state = GameState(
            game=old.game,
            start=old.start,
            players={first: old.players[second], second: old.players[first]},
            seed=secrets.randbits(50),
            started=now(),
            updated=now(),
            coaching=old.coaching,
            clocks=None if clocks is None else _clocks(clocks.seconds, clocks.increment, (first, second)),
            pace=old.pace,
        )
        self._make_room(owner)
        play = Play(secrets.token_urlsafe(9), owner, state.game, state.model_dump(mode="json"), not state.people)
        self._house.store.plays.add(play)
        return self._enter(play)

    def delete(self, owner: str, id: str) -> None:  # noqa: A002
        """Forget a game."""
        live = self.get(owner, id)
        with live.lock:
            live.drop_job()
            self._house.store.plays.delete([id])
            with self._lock:
                self._live.pop(id, None)
        live.tell(changed=True)

    def is_there(self, live: LiveGame) -> bool:
        """Whether a game has not been deleted."""
        with self._lock:
            return self._live.get(live.id) is live

    async def settled(self, live: LiveGame, seconds: float) -> None:
        """Wait until no agent is about to move, but no longer than so many seconds."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def follower(_: LiveGame, is_change: bool) -> None:
            if is_change:
                loop.call_soon_threadsafe(changed.set)

        live.followers.add(follower)
        try:
            until = loop.time() + seconds
            while live.is_thinking and (left := until - loop.time()) > 0:
                changed.clear()
                if live.is_thinking:
                    try:
                        await asyncio.wait_for(changed.wait(), left)
                    except TimeoutError:
                        return
        finally:
            live.followers.discard(follower)

    def _enter(self, play: Play) -> LiveGame:
        """Have a game in memory, once."""
        live = LiveGame(self._house, play)
        with self._lock:
            live = self._live.setdefault(play.id, live)
            if len(self._live) > AT_HAND:
                self._put_away()
        live.go_on()
        self._house.timers.watch_clock(live)
        return live

    def _put_away(self) -> None:
        """Leave the games that were not asked for longest to the store. Call it under the lock."""
        idle = [live for live in self._live.values() if not live.followers and live.job is None]
        for live in sorted(idle, key=lambda live: live.used)[: AT_HAND // 10]:
            del self._live[live.id]

    def _make_room(self, owner: str) -> None:
        """Forget a visitor's oldest games where there are too many; what ended stays in the library."""
        plays, most = self._house.store.plays, self._house.settings.games
        if plays.count(owner) >= most:
            old = plays.find(owner, limit=most + 100)[most - 1 :]
            plays.delete([play.id for play in old])
            with self._lock:
                for play in old:
                    self._live.pop(play.id, None)

    def _state(self, wanted: GameWanted) -> GameState:
        chosen = make_game(wanted.game)
        position, sides = chosen.position(wanted.position), []
        for move in wanted.moves:
            sides.append(position.turn)
            position = position.play(move)
        if position.outcome is not None:
            raise GameOverError(
                f"the game would be over at once ({position.outcome}); accepted is a position with a move"
            )
        first, second = chosen.sides
        seed = secrets.randbits(50) if wanted.seed is None else wanted.seed
        players = self._players(wanted, chosen.spec, (first, second), seed)
        start = position.replay(0).text
        return GameState(
            game=chosen.spec,
            start=None if start == chosen.start().text else start,
            moves=tuple(position.history),
            sides=tuple(sides),
            seconds=(None,) * position.ply,
            values=(None,) * position.ply,
            players=players,
            seed=seed,
            started=now(),
            updated=now(),
            coaching=wanted.coach,
            clocks=_wanted_clocks(wanted.clock, (first, second)),
            pace=Pace(paused=wanted.paused, seconds=wanted.seconds),
        )

    def _players(self, wanted: GameWanted, spec: str, sides: tuple[str, str], seed: int) -> dict[str, str | None]:
        def checked(text: str | None) -> str:
            return self._house.players.player(spec, text or FIRST_LEVEL).text

        if wanted.people == 2:
            return dict.fromkeys(sides)
        if wanted.people == 0:
            return {sides[0]: checked(wanted.player), sides[1]: checked(wanted.second)}
        side = wanted.side or sides[0]
        if side == "random":
            side = sides[Rng(seed).below(2)]
        if side not in sides:
            raise ParseError(f"side {side[:40]!r}: accepted are {', '.join(sides)} and random")
        return {one: None if one == side else checked(wanted.player) for one in sides}


def _wanted_clocks(wanted: ClockWanted | None, sides: tuple[str, str]) -> Clocks | None:
    return None if wanted is None else _clocks(wanted.seconds, wanted.increment, sides)


def _clocks(seconds: float, increment: float, sides: tuple[str, str]) -> Clocks:
    return Clocks(seconds=seconds, increment=increment, left=dict.fromkeys(sides, seconds))
