"""A second opinion on a visitor's game: hints, the coach, and whether an agent takes a draw."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plyground._engine import Position
from plyground.agents import Analysis, Limit
from plyground.errors import PlygroundError
from plyground.review import Looker, Worth, judged
from plyground.server.errors import BusyError
from plyground.server.exact import Truth
from plyground.server.game_views import game_view
from plyground.server.live import LiveGame
from plyground.server.pool import Job, Urgency
from plyground.server.thoughts import move_thoughts
from plyground.server.views.games import DrawView, HintView

if TYPE_CHECKING:
    from plyground.server.house import House

HINT_SECONDS = 0.7
COACH_SECONDS = 0.25
DRAW_SECONDS = 0.3
COACH_LOSS = 0.15
"""What a move must give away, of a whole point, for the coach to speak."""
EVEN, CONTENT, LATE = 0.45, 0.52, 30
"""An agent takes a draw that it holds for its due: at this value, or at the second one after so many plies."""
COACH_WORDS = "That loses something. Take it back?"


@dataclass(frozen=True)
class Opinion:
    """What is thought of a position, and what is certain of it."""

    analysis: Analysis
    truth: Truth | None

    @property
    def best(self) -> str:
        """The move to play: a perfect one where that is known."""
        return (self.truth.best if self.truth is not None else None) or self.analysis.best.move


class Judge:
    """Gives opinions on positions; each is sought once for as long as the game stands there."""

    def __init__(self, house: House) -> None:
        self._house = house

    def form(self, position: Position, seconds: float) -> Opinion:
        """An opinion, in the calling thread, which is a worker's."""
        looker = Looker(position.game)
        truth = self._house.exact.solve(position, seconds)
        limit = Limit(seconds=seconds, mebibytes=self._house.settings.mebibytes)
        return Opinion(looker.agent.analyse(position, limit, seed=position.key), truth)

    async def opinion(self, live: LiveGame) -> Opinion:
        """The opinion on the position of a game."""
        cache, position = live.cache, live.position
        if "opinion" not in cache:
            job = Job(lambda _: self.form(position, HINT_SECONDS), Urgency.ANSWER)
            cache["opinion"] = self._house.pool.submit(job).done
        found: Opinion = await asyncio.wrap_future(cache["opinion"])
        return found

    async def hint(self, live: LiveGame, rung: int, ply: int | None) -> HintView:
        """A hint, and no more than was asked: 1 which piece, 2 the arrow, 3 the line, 4 the numbers."""
        live.check_ply(ply)
        live.check_unfinished()
        position = live.position
        opinion = await self.opinion(live)
        best = opinion.best
        path = position.path(best)
        view = HintView(rung=rung, ply=position.ply, text="", square=path[0] if path else None)
        if rung == 1:
            view.text = f"Look at {view.square}." if len(path) > 1 else "Look for the best place."
            if len(path) <= 1:  # a place would be the answer already
                view.square = None
                view.text = _region(position, path)
            return view
        view.move, view.path = best, path
        view.text = f"{position.notation(best)} is best."
        if rung >= 3:
            line = opinion.analysis.line if opinion.analysis.best.move == best else (best,)
            view.line = list(line)
            view.text = f"Best play: {' '.join(line[:8])}"
        if rung >= 4:
            view.moves = move_thoughts(opinion.analysis, opinion.truth)
        return view

    async def offer_draw(self, live: LiveGame, ply: int | None) -> DrawView:
        """Two people agree at once; an agent accepts where it does not think it stands better."""
        live.check_ply(ply)
        live.check_unfinished()
        people, position = live.state.people, live.position
        if len(people) == 2:
            accepted, words = True, "A draw is agreed."
        elif not people:
            accepted, words = False, "Agents play both sides; nobody can offer a draw."
        else:
            agent_side = live.other(people[0])
            job = Job(lambda _: self.form(position, DRAW_SECONDS), Urgency.ANSWER)
            opinion: Opinion = await asyncio.wrap_future(self._house.pool.submit(job).done)
            accepted = _takes_draw(opinion, position, agent_side)
            name = live.state.players[agent_side]
            words = f"{name} accepts: the game is drawn." if accepted else f"{name} declines and plays on."
        if accepted:
            with live.lock:
                live.check_ply(position.ply)
                live.check_unfinished()
                live.end(None, "agreement")
        return DrawView(accepted=accepted, text=words, game=game_view(live))


class Coach:
    """Looks at moves of a person and says when one gave something away, never what was better."""

    def __init__(self, house: House, judge: Judge) -> None:
        self._house = house
        self._judge = judge

    def look(self, live: LiveGame, before: Position, move: str) -> None:
        """Judge a move in a worker; where there is no room, the coach says nothing."""

        def think(_: Job) -> None:
            if self.gives_away(before, move):
                live.say_coach(before.ply, COACH_WORDS)

        try:
            self._house.pool.submit(Job(think, Urgency.ANSWER))
        except BusyError:
            return

    def gives_away(self, before: Position, move: str) -> bool:
        """Whether a move gives away so much that the coach speaks."""
        after = before.play(move)
        looker = Looker(before.game)
        try:
            worth = [self._worth(looker, position) for position in (before, after)]
        except PlygroundError:
            return False
        return judged(before, move, worth[0], worth[1]).lost >= COACH_LOSS

    def _worth(self, looker: Looker, position: Position) -> Worth:
        limit = Limit(seconds=COACH_SECONDS, mebibytes=self._house.settings.mebibytes)
        if position.outcome is not None:
            return looker.worth(position, limit, position.key)
        opinion = self._judge.form(position, COACH_SECONDS)
        truth = opinion.truth
        known = None if truth is None else self._house.exact.certain(position)
        return looker.read(position, opinion.analysis, known)


def _takes_draw(opinion: Opinion, position: Position, side: str) -> bool:
    if opinion.truth is not None:
        return opinion.truth.known == "draw" or (opinion.truth.known == "win") == (position.turn != side)
    value = opinion.analysis.value
    if value is None:
        return False
    own = value if position.turn == side else 1 - value
    return own <= EVEN or (own <= CONTENT and position.ply >= LATE)


def _region(position: Position, path: list[str]) -> str:
    """Roughly where the best place is, in words."""
    places = {name: column for row in position.game.squares for column, name in enumerate(row) if name is not None}
    columns = position.game.columns
    if not path or path[0] not in places or columns < 3:
        return "There is one best move."
    third = 3 * places[path[0]] // columns
    return f"Look {('on the left', 'in the middle', 'on the right')[third]}."
