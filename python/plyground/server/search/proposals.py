"""The moves that agents propose in a position, for comparing agents."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool

from plyground._engine import Position
from plyground.agents import Agent, Analysis, Limit
from plyground.agents.agent import check_unfinished
from plyground.compare import SECONDS
from plyground.server.errors import BusyError
from plyground.server.positions.setup import requested_position
from plyground.server.search.exact import SOLVER_SECONDS, ExactAnalysis
from plyground.server.search.models import ProposalRequest, ProposalView
from plyground.server.search.pool import Priority, SearchTask
from plyground.server.search.services import SearchServices
from plyground.server.search.views import MAX_PV, rounded

POLL_S = 0.5
"""Interval at which to check whether the client is still connected."""


class Proposals:
    """Lets agents analyse positions in the search pool."""

    def __init__(self, search: SearchServices) -> None:
        self._search = search

    async def propose(self, request: ProposalRequest, is_gone: Callable[[], Awaitable[bool]]) -> ProposalView:
        """Return the move of an agent; the search is cancelled once `is_gone` returns true."""
        task = await run_in_threadpool(self._submit, request)
        future = asyncio.wrap_future(task.future)
        while not future.done():
            await asyncio.wait([future], timeout=POLL_S)
            if not future.done() and await is_gone():
                task.cancel()
                raise BusyError("the client disconnected")
        view: ProposalView = future.result()
        return view

    def _submit(self, request: ProposalRequest) -> SearchTask:
        position = requested_position(request)
        check_unfinished(position)
        agent = self._search.players.make(position.game.spec, request.agent)
        maximum = self._search.settings.move_seconds
        seconds = request.seconds if request.seconds is not None or agent.limits_itself else SECONDS
        limit = Limit() if seconds is None else Limit(seconds=min(seconds, maximum))

        def run(task: SearchTask) -> ProposalView:
            with task.searching():
                exact = self._search.exact.solve(position)
            analysis = self._search.analyse(task, agent, position, limit, seed=request.seed)
            self._search.memory.free(agent)
            return _view(position, agent, analysis, exact)

        task = SearchTask(run, Priority.ANALYSIS, seconds=maximum + SOLVER_SECONDS)
        return self._search.pool.submit(task)


def _view(position: Position, agent: Agent, analysis: Analysis, exact: ExactAnalysis | None) -> ProposalView:
    move = analysis.best.move
    return ProposalView(
        agent=agent.spec,
        move=move,
        notation=position.notation(move),
        path=position.path(move),
        value=rounded(analysis.value),
        proven=analysis.proven,
        distance=analysis.distance,
        seconds=round(analysis.seconds, 3),
        simulations=analysis.simulations,
        nodes=analysis.nodes,
        pv=list(analysis.pv[:MAX_PV]),
        exact=None if exact is None else exact.view(),
        exact_move=None if exact is None else exact.move_views().get(move),
    )
