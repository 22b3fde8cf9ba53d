"""The WebSocket connections of browser tabs."""

from __future__ import annotations

import asyncio

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyground.errors import ParseError, PlygroundError, UnknownNameError
from plyground.server.errors import BusyError, TooManyError
from plyground.server.jobs.jobs import Jobs
from plyground.server.library.sharing import Sharing
from plyground.server.models import error_detail
from plyground.server.play.games import Games
from plyground.server.search.services import SearchServices
from plyground.server.security.quotas import Quotas
from plyground.server.security.responses import reject
from plyground.server.security.tokens import cookie_header
from plyground.server.socket import messages
from plyground.server.socket.analyses import TabAnalyses, TabSteppers
from plyground.server.socket.messages import CLIENT_MESSAGE, BusyMessage, ClientMessage, ErrorMessage
from plyground.server.socket.outbox import Outbox, SlowTabError
from plyground.server.socket.subscriptions import GameSubscriptions, JobSubscriptions


class TabConnections:
    """Accepts the WebSocket connections of all visitors."""

    def __init__(self, search: SearchServices, quotas: Quotas, games: Games, sharing: Sharing, jobs: Jobs) -> None:
        self._search = search
        self._quotas = quotas
        self._games = games
        self._sharing = sharing
        self._jobs = jobs

    async def serve(self, socket: WebSocket) -> None:
        """Serve a tab until it disconnects; reject it if its visitor or address has too many open tabs."""
        visitor, address = socket.scope["visitor"], socket.scope["address"]
        try:
            with self._quotas.address_sockets.hold(address), self._quotas.visitor_sockets.hold(visitor):
                await self._serve(socket, visitor, address)
        except TooManyError as error:
            await reject(socket.scope, error, socket.send)

    async def _serve(self, socket: WebSocket, visitor: str, address: str) -> None:
        new_token = socket.scope["new_token"]
        headers = []
        if new_token is not None:
            headers = [(b"set-cookie", cookie_header(new_token, secure=socket.url.scheme == "wss").encode())]
        await socket.accept(headers=headers)
        outbox = Outbox()
        connection = TabConnection(
            socket,
            visitor,
            address,
            outbox,
            self._search,
            self._quotas,
            GameSubscriptions(outbox, visitor, self._games, self._sharing, self._search.exact),
            JobSubscriptions(outbox, visitor, self._jobs),
        )
        await connection.run()


class TabConnection:
    """The connection of one tab: handles its messages, and ends its analyses and subscriptions when it closes."""

    def __init__(
        self,
        socket: WebSocket,
        visitor: str,
        address: str,
        outbox: Outbox,
        search: SearchServices,
        quotas: Quotas,
        games: GameSubscriptions,
        jobs: JobSubscriptions,
    ) -> None:
        self._socket = socket
        self._visitor = visitor
        self._address = address
        self._outbox = outbox
        self._settings = search.settings
        self._quotas = quotas
        self._games = games
        self._jobs = jobs
        self._analyses = TabAnalyses(outbox, search)
        self._steppers = TabSteppers(outbox, search)

    async def run(self) -> None:
        """Send and receive messages until the tab disconnects."""
        sender = asyncio.create_task(self._outbox.deliver(self._socket.send_text))
        receiver = asyncio.create_task(self._receive())
        try:
            await asyncio.wait({sender, receiver}, return_when=asyncio.FIRST_COMPLETED)
            for task in (sender, receiver):
                error = task.exception() if task.done() and not task.cancelled() else None
                if error is not None and not isinstance(error, WebSocketDisconnect | SlowTabError | OSError):
                    raise error
        finally:
            sender.cancel()
            receiver.cancel()
            await run_in_threadpool(self._close)

    def _close(self) -> None:
        self._analyses.close()
        self._steppers.close()
        self._games.close()
        self._jobs.close()

    async def _receive(self) -> None:
        while True:
            text = await self._socket.receive_text()
            message_id: str | None = None
            try:
                self._quotas.take_request(self._visitor, self._address)
                if len(text) > self._settings.message_bytes:
                    raise ParseError(f"a message must be at most {self._settings.message_bytes} characters long")
                message = CLIENT_MESSAGE.validate_json(text)
                message_id = getattr(message, "id", None)
                await self._handle(message)
            except BusyError as error:
                self._outbox.send(BusyMessage(id=message_id or "", error=error_detail(error)))
            except PlygroundError as error:
                self._outbox.send(ErrorMessage(id=message_id, error=error_detail(error)))
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                location = ".".join(str(part) for part in first["loc"])
                detail = error_detail(error, ParseError.__name__, f"{location}: {first['msg']}")
                self._outbox.send(ErrorMessage(id=message_id, error=detail))

    async def _handle(self, message: ClientMessage) -> None:
        match message:
            case messages.Hidden():
                self._outbox.is_hidden = message.hidden
            case messages.Subscribe():
                await run_in_threadpool(self._games.subscribe, message)
            case messages.Unsubscribe():
                self._games.unsubscribe(message.game_id)
            case messages.Analyse():
                await run_in_threadpool(self._analyses.start, message)
            case messages.Stop():
                self._analyses.stop(message.id)
                self._steppers.stop(message.id)
            case messages.WatchTree():
                self._watch_tree(message)
            case messages.Step():
                await self._steppers.step(message)
            case messages.SubscribeJob():
                await run_in_threadpool(self._jobs.update, message)

    def _watch_tree(self, message: messages.WatchTree) -> None:
        max_nodes = min(message.top, self._settings.tree_nodes)
        is_known = self._analyses.watch_tree(message) or self._games.watch_tree(message.id, max_nodes, message.path)
        if not is_known:
            raise UnknownNameError(f"no analysis or subscribed game has the ID {message.id!r}")
