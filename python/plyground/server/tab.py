"""One tab and what it asked for over its socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyground.errors import ParseError, PlygroundError, UnknownNameError
from plyground.server import messages as say
from plyground.server.analysis import TabAnalysis, tree_message
from plyground.server.errors import BusyError, TooManyError
from plyground.server.game_views import game_view
from plyground.server.live import LiveGame
from plyground.server.mailbox import Mailbox, SlowTabError
from plyground.server.stepping import Stepper
from plyground.server.thoughts import thought_view

if TYPE_CHECKING:
    from plyground.server.house import House

FOLLOWED = 20
"""Games that one tab may follow."""
STEPPERS = 4
WORKS = 50


class Tab:
    """A connection: reads wishes, sends news; when it ends, so does everything it asked for."""

    def __init__(self, house: House, visitor: str, socket: WebSocket) -> None:
        self._house = house
        self._visitor = visitor
        self._socket = socket
        self._box = Mailbox()
        self._analyses: dict[str, TabAnalysis] = {}
        self._games: dict[str, tuple[LiveGame, Callable[[LiveGame, bool], None]]] = {}
        self._trees: dict[str, tuple[int, list[str]]] = {}
        self._steppers: dict[str, Stepper] = {}
        self._works: dict[tuple[str, str], Callable[[], None]] = {}

    async def run(self) -> None:
        """Until the tab goes away."""
        sender = asyncio.create_task(self._box.deliver(self._socket.send_text))
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait({sender, reader}, return_when=asyncio.FIRST_COMPLETED)
            for task in (sender, reader):
                error = task.exception() if task.done() and not task.cancelled() else None
                if error is not None and not isinstance(error, WebSocketDisconnect | SlowTabError | OSError):
                    raise error
        finally:
            sender.cancel()
            reader.cancel()
            await run_in_threadpool(self.leave)

    def leave(self) -> None:
        """End everything that only this tab wanted."""
        for analysis in self._analyses.values():
            analysis.drop()
        for live, follower in self._games.values():
            live.followers.discard(follower)
        for unfollow in self._works.values():
            unfollow()
        self._analyses.clear()

    async def _read(self) -> None:
        while True:
            text = await self._socket.receive_text()
            name: str | None = None
            try:
                self._house.rates.take(self._visitor)
                if len(text) > self._house.settings.message_bytes:
                    raise ParseError(f"a message has at most {self._house.settings.message_bytes} characters")
                wish = say.READ_CLIENT.validate_json(text)
                name = getattr(wish, "id", None)
                await self._obey(wish)
            except BusyError as error:
                self._box.say(say.BusyMessage(id=name or "", message=str(error)))
            except PlygroundError as error:
                self._box.say(say.ErrorMessage(id=name, kind=type(error).__name__, message=str(error)))
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                place = ".".join(str(part) for part in first["loc"])
                self._box.say(say.ErrorMessage(id=name, kind="ParseError", message=f"{place}: {first['msg']}"))

    async def _obey(self, wish: Any) -> None:
        match wish:
            case say.Hidden():
                self._box.is_hidden = wish.hidden
            case say.Follow():
                await run_in_threadpool(self._follow, wish)
            case say.Unfollow():
                self._unfollow(wish.game_id)
            case say.Analyse():
                await run_in_threadpool(self._analyse, wish)
            case say.Stop():
                self._stop(wish.id)
            case say.WatchTree():
                self._watch_tree(wish)
            case say.Step():
                await self._step(wish)
            case say.FollowWork():
                await run_in_threadpool(self._follow_work, wish)

    def _follow(self, wish: say.Follow) -> None:
        if wish.token is not None:
            live, read_only = self._house.sharing.open_live(wish.token), True
        else:
            live, read_only = self._house.games.get(self._visitor, wish.game_id or ""), False
        if live.id not in self._games:
            if len(self._games) >= FOLLOWED:
                raise TooManyError(f"a tab follows at most {FOLLOWED} games")

            def follower(live: LiveGame, changed: bool) -> None:
                self._tell_game(live, changed, read_only)

            self._games[live.id] = live, follower
            live.followers.add(follower)
        self._tell_game(live, True, read_only)
        self._tell_game(live, False, read_only)
        live.go_on()

    def _unfollow(self, game_id: str) -> None:
        if (found := self._games.pop(game_id, None)) is not None:
            live, follower = found
            live.followers.discard(follower)
        self._trees.pop(game_id, None)

    def _tell_game(self, live: LiveGame, changed: bool, read_only: bool) -> None:
        async def build() -> say.Told:
            if not self._house.games.is_there(live):
                return say.GoneMessage(game_id=live.id)
            return say.GameMessage(game=await run_in_threadpool(game_view, live, read_only=read_only))

        async def build_report() -> say.Told | None:
            if live.thought is None:
                return None
            name, analysis = live.thought
            truth = self._house.exact.at_hand(analysis.position)
            thought = thought_view(name, analysis, truth)
            return say.ReportMessage(id=live.id, final=live.is_thought_final, thought=thought)

        async def build_tree() -> say.Told | None:
            top, path = self._trees.get(live.id, (0, []))
            if top == 0 or live.thinker is None or live.thought is None:
                return None
            position = live.thought[1].position
            return await run_in_threadpool(tree_message, live.id, live.thinker, position, top, path)

        if changed:
            self._box.news(("game", live.id), build)
        else:
            self._box.report(("report", live.id), build_report)
            if live.id in self._trees:
                self._box.report(("tree", live.id), build_tree)

    def _analyse(self, wish: say.Analyse) -> None:
        analysis = self._analyses.get(wish.id)
        if analysis is None:
            if len(self._analyses) >= self._house.settings.analyses:
                idle = next((name for name, one in self._analyses.items() if not one.is_running), None)
                if idle is None:
                    raise TooManyError(f"a tab has at most {self._house.settings.analyses} analyses at once; stop one")
                del self._analyses[idle]
            analysis = self._analyses[wish.id] = TabAnalysis(self._house, wish.id, self._tell_analysis)
        top = min(wish.tree, self._house.settings.tree_nodes)
        analysis.ask(wish.model_copy(update={"tree": top or analysis.top, "path": wish.path or analysis.path}))

    def _tell_analysis(self, analysis: TabAnalysis) -> None:
        """In any thread: there is something new to say of an analysis."""

        async def build() -> say.Told | None:
            if analysis.error is not None:
                error, analysis.error = analysis.error, None
                return say.ErrorMessage(id=analysis.name, kind=type(error).__name__, message=str(error))
            return analysis.report()

        async def build_tree() -> say.Told | None:
            return await run_in_threadpool(analysis.tree)

        send = self._box.news if analysis.is_urgent else self._box.report
        send(("report", analysis.name), build)
        if analysis.is_tree_due:
            self._box.report(("tree", analysis.name), build_tree)

    def _stop(self, name: str) -> None:
        if (analysis := self._analyses.get(name)) is not None:
            analysis.stop()
        self._steppers.pop(name, None)

    def _watch_tree(self, wish: say.WatchTree) -> None:
        top = min(wish.top, self._house.settings.tree_nodes)
        if (analysis := self._analyses.get(wish.id)) is not None:
            analysis.top, analysis.path = top, list(wish.path)
            self._tell_analysis(analysis)
        elif wish.id in self._games:
            self._trees[wish.id] = top, list(wish.path)
            live, follower = self._games[wish.id]
            follower(live, False)
        else:
            raise UnknownNameError(f"no analysis and no game that is followed is called {wish.id!r}")

    async def _step(self, wish: say.Step) -> None:
        stepper = self._steppers.get(wish.id)
        if stepper is None or wish.again or stepper.asked != Stepper.question(wish):
            if len(self._steppers) >= STEPPERS and wish.id not in self._steppers:
                self._steppers.pop(next(iter(self._steppers)))
            stepper = self._steppers[wish.id] = await run_in_threadpool(Stepper, wish)
        iteration = await run_in_threadpool(stepper.step, wish.iterations)
        self._box.say(say.IterationMessage(id=wish.id, iteration=iteration))

    def _follow_work(self, wish: say.FollowWork) -> None:
        key = wish.kind, wish.key
        if (unfollow := self._works.pop(key, None)) is not None:
            unfollow()
        if not wish.follow:
            return
        if len(self._works) >= WORKS:
            raise TooManyError(f"a tab follows at most {WORKS} works")

        async def build() -> say.Told | None:
            return say.WorkMessage(work=await run_in_threadpool(self._house.work_view, self._visitor, *key))

        def follower() -> None:
            self._box.report(("work", *key), build)

        self._works[key] = self._house.follow_work(self._visitor, wish.kind, wish.key, follower)
        follower()
