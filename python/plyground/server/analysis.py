"""Analyses that a tab asks for: searches of any position, reported while they go on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from plyground._engine import Position, Search, split_seed
from plyground.agents import Analysis, Limit
from plyground.agents.agent import check_unfinished
from plyground.agents.mcts import MctsAgent
from plyground.games import game
from plyground.server.exact import Truth
from plyground.server.messages import Analyse, ReportMessage, TreeMessage
from plyground.server.players import Player
from plyground.server.pool import Aside, Job, Urgency
from plyground.server.thoughts import formula_of, thought_view, tree_view

if TYPE_CHECKING:
    from plyground.server.house import House

DEFAULT = "mcts"
"""Who thinks where nobody is named."""
SMALL, LARGE_PAUSE = 400, 0.3
"""Trees of more nodes are sent at most every so many seconds: making them costs the search some speed."""
WIDER = 8
"""So many times more nodes are looked at where a tab wants to see a certain part of a tree."""


class TabAnalysis:
    """What one tab asked for under one name; asked again, it goes on with the same tree where it can."""

    def __init__(self, house: House, name: str, tell: Callable[[TabAnalysis], None]) -> None:
        self._house = house
        self.name = name
        self._tell = tell
        self._lock = threading.Lock()
        self.job: Job | None = None
        self.player: Player | None = None
        self.asked = ""
        """The text of the player."""
        self.game = ""
        self.latest: Analysis | None = None
        self.truth: Truth | None = None
        self.is_final = False
        self.is_urgent = False
        """Whether the latest report is the first of its position, or the last."""
        self.is_aside = False
        self.error: Exception | None = None
        self.top = 0
        """Nodes of the tree that the tab wants to see."""
        self.path: list[str] = []
        self._tree_at = 0.0

    def ask(self, wanted: Analyse) -> None:
        """Think about another position, or the same one under another limit."""
        position = game(wanted.game).position(wanted.text, wanted.moves)
        check_unfinished(position)
        text = wanted.agent or DEFAULT
        if self.player is None or self.game != position.game.spec or self.asked != text:
            player = self._house.players.player(position.game.spec, text, reuse=True)
        else:
            player = self.player
        self.asked = text
        self.drop()
        seconds = min(wanted.seconds or self._house.settings.search_seconds, self._house.settings.search_seconds)
        if wanted.seconds is None and wanted.simulations is None and wanted.agent is not None:
            limit = Limit(mebibytes=self._house.settings.mebibytes)  # as the agent's own spec says
        else:
            timed = None if wanted.simulations is not None and wanted.seconds is None else seconds
            limit = Limit(wanted.simulations, timed, mebibytes=self._house.settings.mebibytes)
        job = Job(
            lambda job: self._think(job, player, position, limit, seconds),
            Urgency.ANALYSIS,
            stop=player.stop,
            patient=isinstance(player.agent, MctsAgent),
        )
        with self._lock:
            self.player, self.game, self.job = player, position.game.spec, job
            self.latest, self.truth, self.is_final, self.error = None, None, False, None
            self.top, self.path = wanted.tree, list(wanted.path)
        self._house.pool.submit(job)
        if wanted.exact:
            self._seek_truth(job, position)

    def stop(self) -> None:
        """End the search; what it found stays."""
        if self.job is not None:
            self.job.stop()

    def drop(self) -> None:
        """End the search; nobody wants to hear of it."""
        if self.job is not None:
            self.job.drop()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.job is not None and not self.job.done.done()

    def report(self) -> ReportMessage | None:
        """What it thinks so far; None before it thinks anything."""
        with self._lock:
            latest, truth, player = self.latest, self.truth, self.player
            final, aside = self.is_final, self.is_aside
        if latest is None or player is None:
            return None
        thought = thought_view(player.text, latest, truth)
        return ReportMessage(id=self.name, final=final, waiting=aside, thought=thought)

    def tree(self) -> TreeMessage | None:
        """The top of its tree, if it has one and the tab wants it."""
        player, latest = self.player, self.latest
        if self.top == 0 or player is None or latest is None:
            return None
        self._tree_at = time.monotonic()
        return tree_message(self.name, player, latest.position, self.top, self.path)

    @property
    def is_tree_due(self) -> bool:
        """Whether the tab is to be sent the tree: always at the end, and a large one not with every report."""
        if self.top == 0:
            return False
        pause = 0.0 if self.top <= SMALL else LARGE_PAUSE
        return self.is_final or time.monotonic() - self._tree_at >= pause

    def _think(self, job: Job, player: Player, position: Position, limit: Limit, most: float) -> None:
        """In a worker: search until the limit, or stand aside and be called again."""
        began, spent = time.monotonic(), job.spent
        timer = self._house.timers.later(max(0.01, most - spent), job.stop)

        def report(analysis: Analysis) -> None:
            if job.is_wanted_to_end:
                job.hurry()
            self._take(job, analysis, final=False)

        try:
            left = limit
            if limit.seconds is not None:
                left = Limit(limit.simulations, max(0.01, limit.seconds - spent), mebibytes=limit.mebibytes)
            seed = split_seed(position.key, int(spent * 1000))
            analysis = player.think(position, left, seed, report)
        except Exception as error:  # noqa: BLE001  agents and rules of the user's own may fail: the tab hears of it
            with self._lock:
                if self.job is job:
                    self.error, self.is_final = error, True
            self._tell(self)
            return
        finally:
            timer.cancel()
        job.spent = spent + time.monotonic() - began
        stands_aside = job.is_aside and not job.is_stopped
        with self._lock:
            self.is_aside = stands_aside
        self._take(job, analysis, final=not stands_aside)
        if stands_aside:
            raise Aside

    def _take(self, job: Job, analysis: Analysis, *, final: bool) -> None:
        with self._lock:
            if self.job is not job:
                return
            self.is_urgent = final or self.latest is None
            self.latest, self.is_final = analysis, final
            if not final and not job.is_aside:
                self.is_aside = False
        self._tell(self)

    def _seek_truth(self, job: Job, position: Position) -> None:
        """What is certain, at once if it is at hand, else when the solver has it."""
        truth = self._house.exact.at_hand(position)
        if truth is not None:
            self._know(job, truth)
        elif self._house.exact.can_solve(position):
            question = self._house.pool.submit(self._house.exact.job(position))
            question.done.add_done_callback(
                lambda done: None if done.cancelled() or done.exception() else self._know(job, done.result())
            )

    def _know(self, job: Job, truth: Truth | None) -> None:
        with self._lock:
            if self.job is not job or truth is None:
                return
            self.truth = truth
        self._tell(self)


def tree_message(name: str, player: Player, position: Position, top: int, path: list[str]) -> TreeMessage | None:
    """The top of the tree of a player that searches one; it may go on searching meanwhile."""
    agent = player.agent
    search: Search | None = agent.tree if isinstance(agent, MctsAgent) else None
    if search is None:
        return None
    rows = search.top(min(20_000, top * WIDER) if path else top)
    if not rows:
        return None
    tree = tree_view(rows, formula_of(agent.spec, position.game.tuning), search.thought()["nodes"], path, top)
    return TreeMessage(id=name, ply=position.ply, position=position.text, tree=tree)
