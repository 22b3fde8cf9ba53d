"""The analyses and stepped trees of a tab."""

from __future__ import annotations

import asyncio

from starlette.concurrency import run_in_threadpool

from plyground.errors import describe
from plyground.games import game
from plyground.server.errors import TooManyError
from plyground.server.models import error_detail
from plyground.server.search.services import SearchServices
from plyground.server.search.stepping import SteppedTree
from plyground.server.socket.analysis import TabAnalysis
from plyground.server.socket.messages import Analyse, ErrorMessage, IterationMessage, ServerEvent, Step, WatchTree
from plyground.server.socket.outbox import Outbox

MAX_STEPPERS = 4
"""Maximum number of stepped trees per tab; the oldest is dropped first."""


class TabAnalyses:
    """Analyses of one tab, by ID."""

    def __init__(self, outbox: Outbox, search: SearchServices) -> None:
        self._outbox = outbox
        self._search = search
        self._analyses: dict[str, TabAnalysis] = {}

    def start(self, request: Analyse) -> None:
        """Start an analysis, replacing an earlier one with the same ID."""
        settings = self._search.settings
        analysis = self._analyses.get(request.id)
        if analysis is None:
            if len(self._analyses) >= settings.analyses:
                idle = next((key for key, one in self._analyses.items() if not one.is_running), None)
                if idle is None:
                    raise TooManyError(f"a tab can run at most {settings.analyses} analyses at once; stop one first")
                del self._analyses[idle]
            analysis = self._analyses[request.id] = TabAnalysis(request.id, self._search, self._notify)
        nodes = min(request.tree, settings.tree_nodes) or analysis.max_nodes
        analysis.start(request.model_copy(update={"tree": nodes, "path": request.path or analysis.path}))

    def stop(self, analysis_id: str) -> None:
        """Stop an analysis, if there is one with this ID."""
        if (analysis := self._analyses.get(analysis_id)) is not None:
            analysis.stop()

    def watch_tree(self, request: WatchTree) -> bool:
        """Change the part of the tree to send; returns whether there is an analysis with this ID."""
        analysis = self._analyses.get(request.id)
        if analysis is None:
            return False
        analysis.max_nodes = min(request.top, self._search.settings.tree_nodes)
        analysis.path = list(request.path)
        self._notify(analysis)
        return True

    def close(self) -> None:
        """Cancel all analyses."""
        for analysis in self._analyses.values():
            analysis.cancel()
        self._analyses.clear()

    def _notify(self, analysis: TabAnalysis) -> None:
        """Queue the report of an analysis. Thread-safe."""

        async def build_report() -> ServerEvent | None:
            if analysis.error is not None:
                error, analysis.error = analysis.error, None
                return ErrorMessage(id=analysis.id, error=error_detail(error, message=describe(error)))
            return await run_in_threadpool(analysis.report)

        async def build_tree() -> ServerEvent | None:
            return await run_in_threadpool(analysis.tree)

        put = self._outbox.put_event if analysis.is_urgent else self._outbox.put_report
        put(("report", analysis.id), build_report)
        if analysis.is_tree_due:
            self._outbox.put_report(("tree", analysis.id), build_tree)


class TabSteppers:
    """Stepped trees of one tab, by ID."""

    def __init__(self, outbox: Outbox, search: SearchServices) -> None:
        self._outbox = outbox
        self._search = search
        self._trees: dict[str, tuple[tuple[object, ...], SteppedTree]] = {}
        """The parameters of each tree, which must not change while it grows, and the tree."""

    async def step(self, request: Step) -> None:
        """Run iterations and send the last one."""
        parameters = request.game, request.text, tuple(request.moves), request.c, request.seed
        previous = self._trees.get(request.id)
        if previous is not None and previous[0] == parameters and not request.restart:
            tree = previous[1]
        else:
            if len(self._trees) >= MAX_STEPPERS and previous is None:
                self.stop(next(iter(self._trees)))
            self.stop(request.id)
            tree = await run_in_threadpool(self._make_tree, request)
            self._trees[request.id] = parameters, tree
        task = self._search.pool.submit(tree.task(request.iterations))
        iteration = await asyncio.wrap_future(task.future)
        self._outbox.send(IterationMessage(id=request.id, iteration=iteration))

    def stop(self, tree_id: str) -> None:
        """Drop a tree, if there is one with this ID."""
        if (dropped := self._trees.pop(tree_id, None)) is not None:
            dropped[1].close()

    def close(self) -> None:
        """Drop all trees."""
        for tree_id in list(self._trees):
            self.stop(tree_id)

    def _make_tree(self, request: Step) -> SteppedTree:
        position = game(request.game).position(request.text, request.moves)
        return SteppedTree(self._search.workers, position, request.c, request.seed)
