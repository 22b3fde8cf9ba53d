"""An analysis requested by a tab: a search of any position that reports its progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from plyground._engine import Position, split_seed
from plyground.agents import Agent, Analysis, Limit
from plyground.agents.agent import check_unfinished
from plyground.agents.forced import analysis_before_line, forced_line, outcome_analysis
from plyground.agents.mcts import MctsAgent
from plyground.games import game
from plyground.server.search.exact import ExactAnalysis
from plyground.server.search.pool import Preempted, Priority, SearchTask
from plyground.server.search.services import SearchServices
from plyground.server.search.tree import agent_tree
from plyground.server.search.views import analysis_view
from plyground.server.socket.messages import Analyse, ReportMessage, TreeMessage

DEFAULT_AGENT = "mcts"
LARGE_TREE, LARGE_TREE_INTERVAL_S = 400, 0.3
"""Trees with more nodes are sent less often, because building the message slows the search down."""


class TabAnalysis:
    """An analysis, identified by its ID. A new request with this ID reuses the search tree if possible."""

    def __init__(self, analysis_id: str, search: SearchServices, notify: Callable[[TabAnalysis], None]) -> None:
        """`notify` is called from any thread when there is something to report."""
        self.id = analysis_id
        self._search = search
        self._notify = notify
        self._lock = threading.Lock()
        self._task: SearchTask | None = None
        self._player: Agent | None = None
        self._player_key: tuple[str, str] | None = None
        """Game and requested agent of `_player`."""
        self._latest: Analysis | None = None
        self._exact: ExactAnalysis | None = None
        self._is_final = False
        self._is_preempted = False
        self.is_urgent = False
        """Whether the latest report is the first or the last one of its search, to be sent at once."""
        self.error: Exception | None = None
        self.max_nodes = 0
        """Number of tree nodes to send."""
        self.path: list[str] = []
        self._tree_sent = 0.0

    def start(self, request: Analyse) -> None:
        """Analyse another position, or the same one with another limit."""
        position = game(request.game).position(request.text, request.moves)
        check_unfinished(position)
        key = position.game.spec, request.agent or DEFAULT_AGENT
        player = self._player
        if player is None or key != self._player_key:
            player = self._search.players.make(*key, reuse_tree=True)
        self.cancel()
        limit, max_seconds = self._limit(request)
        task = SearchTask(
            lambda task: self._run(task, player, position, limit),
            Priority.ANALYSIS,
            seconds=max_seconds,
            preemptible=isinstance(player, MctsAgent),
        )
        with self._lock:
            self._player, self._player_key, self._task = player, key, task
            self._latest, self._exact, self._is_final, self.error = None, None, False, None
            self.max_nodes, self.path = request.tree, list(request.path)
        self._search.pool_for(player).submit(task)
        if request.exact:
            self._find_exact(task, position)

    def stop(self) -> None:
        """End the search; its result so far becomes final."""
        if self._task is not None:
            self._task.stop()

    def cancel(self) -> None:
        """End the search and discard its result."""
        if self._task is not None:
            self._task.cancel()

    @property
    def is_running(self) -> bool:
        """Whether the search is queued or running."""
        return self._task is not None and not self._task.future.done()

    def report(self) -> ReportMessage | None:
        """Return the latest report; None before the first one."""
        with self._lock:
            latest, exact, player = self._latest, self._exact, self._player
            final, preempted = self._is_final, self._is_preempted
        if latest is None or player is None:
            return None
        view = analysis_view(player.spec, latest, exact)
        return ReportMessage(id=self.id, final=final, preempted=preempted, analysis=view)

    def tree(self) -> TreeMessage | None:
        """Return the top of the tree; None if there is none or the tab did not request it."""
        player, latest = self._player, self._latest
        if self.max_nodes == 0 or player is None or latest is None:
            return None
        if len(latest.moves) == 1:  # the tree belongs to the position after the forced move
            return None
        self._tree_sent = time.monotonic()
        return tree_message(self.id, player, latest.position, self.max_nodes, self.path)

    @property
    def is_tree_due(self) -> bool:
        """Whether to send the tree now: always with the final report, otherwise less often if it is large."""
        if self.max_nodes == 0:
            return False
        interval = 0.0 if self.max_nodes <= LARGE_TREE else LARGE_TREE_INTERVAL_S
        return self._is_final or time.monotonic() - self._tree_sent >= interval

    def _limit(self, request: Analyse) -> tuple[Limit, float]:
        """Return the search limit and the maximum duration in seconds."""
        settings = self._search.settings
        seconds = min(request.seconds or settings.search_seconds, settings.search_seconds)
        if request.seconds is None and request.simulations is None and request.agent is not None:
            return Limit(), seconds  # the limits of the agent's spec apply
        time_limit = None if request.simulations is not None and request.seconds is None else seconds
        return Limit(request.simulations, time_limit), seconds

    def _run(self, task: SearchTask, player: Agent, position: Position, limit: Limit) -> None:
        """Search in a thread of the pool; raises `Preempted` to be called again."""
        used = task.seconds_used

        try:
            with task.searching():
                *forced, searched = forced_line(position)

            def report(analysis: Analysis) -> None:
                self._update(task, analysis_before_line(forced, analysis), final=False)

            if limit.seconds is not None:
                limit = Limit(limit.simulations, max(0.01, limit.seconds - used))
            seed = split_seed(position.key, int(used * 1000))
            if searched.outcome is not None:
                analysis = outcome_analysis(searched)
            else:
                analysis = self._search.analyse(task, player, searched, limit, seed=seed, report=report)
            analysis = analysis_before_line(forced, analysis)
        except Exception as error:  # noqa: BLE001  agents and user games may raise anything; the tab shows the message
            with self._lock:
                if self._task is task:
                    self.error, self._is_final = error, True
            self._notify(self)
            return
        preempted = task.is_preempted and not task.is_stopped
        with self._lock:
            self._is_preempted = preempted
        self._update(task, analysis, final=not preempted)
        if preempted:
            raise Preempted

    def _update(self, task: SearchTask, analysis: Analysis, *, final: bool) -> None:
        with self._lock:
            if self._task is not task:
                return
            self.is_urgent = final or self._latest is None
            self._latest, self._is_final = analysis, final
            if not final and not task.is_preempted:
                self._is_preempted = False
        self._notify(self)

    def _find_exact(self, task: SearchTask, position: Position) -> None:
        """Look up the exact value, or solve the position in the pool."""
        exact = self._search.exact.lookup(position)
        if exact is not None:
            self._set_exact(task, exact)
        elif self._search.exact.can_solve(position):
            solving = self._search.pool.submit(self._search.exact.task(position))
            solving.future.add_done_callback(
                lambda done: None if done.cancelled() or done.exception() else self._set_exact(task, done.result())
            )
        else:
            self._search.exact.when_loaded(lambda: self._set_exact(task, self._search.exact.lookup(position)))

    def _set_exact(self, task: SearchTask, exact: ExactAnalysis | None) -> None:
        with self._lock:
            if self._task is not task or exact is None:
                return
            self._exact = exact
        self._notify(self)


def tree_message(
    message_id: str, player: Agent, position: Position, max_nodes: int, path: list[str]
) -> TreeMessage | None:
    """Return the top of a player's tree, or None if it has none."""
    tree = agent_tree(player, position, max_nodes, path)
    return None if tree is None else TreeMessage(id=message_id, ply=position.ply, position=position.text, tree=tree)
