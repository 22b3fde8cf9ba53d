"""Security middleware: visitor identification, origin check, rate and size limits, response headers."""

from __future__ import annotations

import asyncio
import logging
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyground.errors import PlygroundError, describe, is_of_user_game
from plyground.server.errors import ForbiddenError, InternalError, SlowRequestError, TooLargeError
from plyground.server.log import LOGGER, current_request_id
from plyground.server.security.hosts import HEALTH_PATH
from plyground.server.security.presence import Presence
from plyground.server.security.quotas import Quotas, client_address
from plyground.server.security.responses import HEADERS, reject
from plyground.server.security.tokens import VisitorTokens, cookie_header, cookie_token, is_unsigned, token_digest
from plyground.server.settings import Settings
from plyground.store import Store

LOG = logging.getLogger(LOGGER)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
IMPORT_PATH = "/api/library/import"
UPLOADS = (IMPORT_PATH, "/api/parse")


class SecurityMiddleware:
    """Checks requests and adds `visitor`, `new_token` and `address` to their scope.

    `visitor` is the digest of the visitor's token, `new_token` is a token to send in a cookie, or None, and `address`
    is the client address.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        tokens: VisitorTokens,
        quotas: Quotas,
        presence: Presence,
        store: Store,
    ) -> None:
        self._app = app
        self._settings = settings
        self._tokens = tokens
        self._quotas = quotas
        self._presence = presence
        self._store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = scope["address"] = client_address(scope.get("client"))
        is_api = scope["path"].startswith("/api")
        is_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal is_started
            if message["type"] in ("http.response.start", "websocket.accept"):
                is_started = True
            if message["type"] == "http.response.start":
                self._add_headers(scope, MutableHeaders(scope=message), is_api=is_api)
            await send(message)

        try:
            visitor = await self._identify(scope, headers, address)
            if is_api:
                self._quotas.take_request(visitor, address)
            elif scope["path"] != HEALTH_PATH:
                self._quotas.take_file(address)
            check_origin(headers, scope)
            if is_api and scope["type"] == "http":
                receive = self._limit_body(receive, headers, scope["path"])
            with self._presence.connected(scope["visitor"], address):
                await self._app(scope, receive, send_with_headers)
        except PlygroundError as error:  # raised by the checks; the app handles its own errors
            await reject(scope, error, send_with_headers)
        except Exception as error:
            LOG.exception("internal error")
            if is_started:
                raise
            await reject(scope, internal_error(error), send_with_headers)

    async def _identify(self, scope: Scope, headers: Headers, address: str) -> str | None:
        """Set the visitor in the scope and return it; return None if the request has no valid token."""
        token = cookie_token(headers)
        random_part = None if token is None else self._tokens.read(token)
        scope["new_token"] = None
        if random_part is None and token is not None and is_unsigned(token):
            # Earlier versions issued tokens without a signature; their owners keep their games.
            self._quotas.take_request(None, address)
            if await run_in_threadpool(self._store.visitor_games.is_owner, token_digest(token)):
                random_part, scope["new_token"] = token, self._tokens.sign(token)
        if random_part is not None:
            visitor = scope["visitor"] = token_digest(random_part)
            return visitor
        new_token = scope["new_token"] = self._tokens.issue()
        scope["visitor"] = token_digest(self._tokens.read(new_token) or "")
        return None

    def _add_headers(self, scope: Scope, response: MutableHeaders, *, is_api: bool) -> None:
        for name, value in HEADERS.items():
            response.setdefault(name, value)
        if is_api:
            response.setdefault("Cache-Control", "no-store")
        new_token = scope.get("new_token")
        if new_token is not None and (is_api or response.get("content-type", "").startswith("text/html")):
            secure = scope.get("scheme") in ("https", "wss")
            response.append("Set-Cookie", cookie_header(new_token, secure=secure))

    def _limit_body(self, receive: Receive, headers: Headers, path: str) -> Receive:
        """Return a `receive` that enforces the maximum size of a body and the time limit for sending it."""
        settings = self._settings
        limit = settings.import_bytes if path in UPLOADS else settings.body_bytes
        content_length = headers.get("content-length", "0")
        if content_length.isdecimal() and int(content_length) > limit:
            raise TooLargeError(f"the body must be at most {limit} bytes, got {content_length}")
        received = 0
        is_complete = False
        deadline = asyncio.get_running_loop().time() + settings.body_seconds

        async def receive_limited() -> Message:
            nonlocal received, is_complete
            if is_complete:
                return await receive()
            # While reading a body, FastAPI turns every exception except HTTPException into status 400.
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError as error:
                text = f"the body must be sent within {settings.body_seconds:g} seconds"
                raise HTTPException(SlowRequestError.http_status, text) from error
            is_complete = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(TooLargeError.http_status, f"the body must be at most {limit} bytes")
            return message

        return receive_limited


def check_origin(headers: Headers, scope: Scope) -> None:
    """Raise on a cross-site request that changes something or opens a WebSocket."""
    origin = headers.get("origin")
    if origin is None or (scope["type"] == "http" and scope["method"] in SAFE_METHODS):
        return
    if urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        raise ForbiddenError("cross-site requests are not allowed")


def internal_error(error: Exception) -> InternalError:
    """Return the error to show for an unexpected exception; its message is shown only if a user game raised it."""
    text = describe(error) if is_of_user_game(error) else type(error).__name__
    return InternalError(f"internal error: {text}; the log has details under request {current_request_id()}")
