"""The games and jobs that a tab is subscribed to."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

from plyground.agents import Analysis
from plyground.server.errors import TooManyError
from plyground.server.jobs.jobs import Jobs
from plyground.server.library.sharing import Sharing
from plyground.server.play.games import Games
from plyground.server.play.live import LiveGame, Subscriber
from plyground.server.play.views import game_view
from plyground.server.search.exact import ExactValues
from plyground.server.search.models import AnalysisView
from plyground.server.search.views import analysis_view
from plyground.server.socket.analysis import tree_message
from plyground.server.socket.messages import (
    GameDeletedMessage,
    GameMessage,
    JobMessage,
    ReportMessage,
    ServerEvent,
    Subscribe,
    SubscribeJob,
)
from plyground.server.socket.outbox import Outbox

MAX_GAMES = 20
"""Maximum number of games a tab can subscribe to."""
MAX_JOBS = 50
"""Maximum number of jobs a tab can subscribe to."""


class GameSubscriptions:
    """Sends the changes of subscribed games and the analyses of their agents."""

    def __init__(self, outbox: Outbox, visitor: str, games: Games, sharing: Sharing, exact: ExactValues) -> None:
        self._outbox = outbox
        self._visitor = visitor
        self._games = games
        self._sharing = sharing
        self._exact = exact
        self._subscribed: dict[str, tuple[LiveGame, Subscriber]] = {}
        self._trees: dict[str, tuple[int, list[str]]] = {}
        """Number of tree nodes to send, and the preferred path, by game."""

    def subscribe(self, request: Subscribe) -> None:
        """Subscribe to a game of the visitor, or to a shared one."""
        if request.token is not None:
            live, read_only = self._sharing.open_live(request.token), True
        else:
            live, read_only = self._games.get(self._visitor, request.game_id or ""), False
        if live.id not in self._subscribed:
            if len(self._subscribed) >= MAX_GAMES:
                raise TooManyError(f"a tab can subscribe to at most {MAX_GAMES} games")

            def subscriber(live: LiveGame, changed: bool) -> None:
                if changed:
                    self._send_game(live, read_only)
                else:
                    self._send_report(live)

            self._subscribed[live.id] = live, subscriber
            live.subscribe(subscriber)
        self._send_game(live, read_only)
        self._send_report(live)
        live.agents.schedule_move()  # games between agents wait for a subscriber

    def unsubscribe(self, game_id: str) -> None:
        """End the subscription to a game, if there is one."""
        if (found := self._subscribed.pop(game_id, None)) is not None:
            live, subscriber = found
            live.unsubscribe(subscriber)
        self._trees.pop(game_id, None)

    def watch_tree(self, game_id: str, max_nodes: int, path: list[str]) -> bool:
        """Send the search tree of a game's agent; returns whether the tab is subscribed to the game."""
        if game_id not in self._subscribed:
            return False
        self._trees[game_id] = max_nodes, path
        self._send_report(self._subscribed[game_id][0])
        return True

    def close(self) -> None:
        """End all subscriptions."""
        for live, subscriber in self._subscribed.values():
            live.unsubscribe(subscriber)

    def _send_game(self, live: LiveGame, read_only: bool) -> None:
        async def build() -> ServerEvent:
            if not self._games.exists(live):
                return GameDeletedMessage(game_id=live.id)
            return GameMessage(game=await run_in_threadpool(game_view, live, read_only=read_only))

        self._outbox.put_event(("game", live.id), build)

    def _analysis_view(self, agent: str, analysis: Analysis) -> AnalysisView:
        """Return an analysis with the exact values, if they are known."""
        return analysis_view(agent, analysis, self._exact.lookup(analysis.position))

    def _send_report(self, live: LiveGame) -> None:
        async def build_report() -> ServerEvent | None:
            if live.agents.analysis is None:
                return None
            agent, analysis = live.agents.analysis
            final = live.agents.is_final
            view = await run_in_threadpool(self._analysis_view, agent, analysis)
            return ReportMessage(id=live.id, final=final, analysis=view)

        async def build_tree() -> ServerEvent | None:
            max_nodes, path = self._trees.get(live.id, (0, []))
            player, latest = live.agents.player, live.agents.analysis
            if max_nodes == 0 or player is None or latest is None:
                return None
            return await run_in_threadpool(tree_message, live.id, player, latest[1].position, max_nodes, path)

        self._outbox.put_report(("report", live.id), build_report)
        if live.id in self._trees:
            self._outbox.put_report(("tree", live.id), build_tree)


class JobSubscriptions:
    """Sends the progress of subscribed jobs."""

    def __init__(self, outbox: Outbox, visitor: str, jobs: Jobs) -> None:
        self._outbox = outbox
        self._visitor = visitor
        self._jobs = jobs
        self._unsubscribe: dict[tuple[str, str], Callable[[], None]] = {}

    def update(self, request: SubscribeJob) -> None:
        """Subscribe to a job, or end the subscription."""
        key = request.kind, request.key
        if (unsubscribe := self._unsubscribe.pop(key, None)) is not None:
            unsubscribe()
        if not request.subscribe:
            return
        if len(self._unsubscribe) >= MAX_JOBS:
            raise TooManyError(f"a tab can subscribe to at most {MAX_JOBS} jobs")

        async def build() -> ServerEvent | None:
            return JobMessage(job=await run_in_threadpool(self._jobs.view, self._visitor, *key))

        def subscriber() -> None:
            self._outbox.put_report(("job", *key), build)

        self._unsubscribe[key] = self._jobs.subscribe(self._visitor, *key, subscriber)
        subscriber()

    def close(self) -> None:
        """End all subscriptions."""
        for unsubscribe in self._unsubscribe.values():
            unsubscribe()
