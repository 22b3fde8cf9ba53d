"""What every request goes through: who asks, from where, how often, how much; and what browsers are told."""

from __future__ import annotations

import json
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyground.errors import PlygroundError
from plyground.server.errors import ForbiddenError, TooLargeError
from plyground.server.settings import Settings
from plyground.server.sharing import digest
from plyground.server.views.common import ErrorDetail, ErrorView

if TYPE_CHECKING:
    from plyground.server.house import House

COOKIE = "plyground"
TOKEN_CHARACTERS = 43
"""Characters of a visitor's token: 32 random bytes."""
YEAR = 400 * 24 * 3600
"""Seconds that a browser keeps the cookie."""
SAFE = ("GET", "HEAD", "OPTIONS")
LOCAL = ("localhost", "127.0.0.1", "::1", "[::1]")
UPLOADS = ("/api/library/import", "/api/readings")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with what is wrong."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        token = token_of(headers)
        fresh = None if token is not None else secrets.token_urlsafe(32)
        scope["visitor"] = digest(token or fresh or "")
        scope["fresh"] = fresh
        settings = self._house.settings
        is_api = scope["path"].startswith("/api")

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                if is_api:
                    answer.setdefault("Cache-Control", "no-store")
                if fresh is not None and (is_api or answer.get("content-type", "").startswith("text/html")):
                    answer.append("Set-Cookie", cookie(fresh, secure=scope.get("scheme") in ("https", "wss")))
            await send(message)

        try:
            check_host(headers, settings)
            check_origin(headers, scope)
            if is_api and scope["type"] == "http":
                # A visitor without a cookie is known by where they come from, so that nobody asks on as new ones.
                client = scope.get("client") or ("nobody", 0)
                self._house.rates.take(scope["visitor"] if token is not None else f"new {client[0]}")
                receive = bounded(receive, headers, settings, scope["path"])
        except PlygroundError as error:
            await refuse(scope, error, send_guarded)
            return
        await self._app(scope, receive, send_guarded)


def token_of(headers: Headers) -> str | None:
    """The visitor's token, if the cookie holds what may be one."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    if morsel is None or len(morsel.value) != TOKEN_CHARACTERS or not morsel.value.isascii():
        return None
    return morsel.value


def cookie(token: str, *, secure: bool) -> str:
    """The header that gives a visitor their token."""
    told = f"{COOKIE}={token}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
    return f"{told}; Secure" if secure else told


def check_host(headers: Headers, settings: Settings) -> None:
    """An error if the server is asked for under a name that is not its own: another site's name may lead here."""
    if settings.host not in LOCAL and not settings.hosts:
        return
    name = headers.get("host", "").lower()
    bare = name.rsplit(":", 1)[0] if not name.endswith("]") else name
    if bare not in (*LOCAL, settings.host, *settings.hosts):
        raise ForbiddenError(f"the server is not called {bare[:80]!r}; PLYGROUND_HOSTS names those it answers to")


def check_origin(headers: Headers, scope: Scope) -> None:
    """An error if a page of another site wants to change something, or to open a socket."""
    origin = headers.get("origin")
    if origin is None or (scope["type"] == "http" and scope["method"] in SAFE):
        return
    if urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        raise ForbiddenError("requests from pages of other sites are not answered")


def bounded(receive: Receive, headers: Headers, settings: Settings, path: str) -> Receive:
    """A body that is not longer than it may be."""
    most = settings.import_bytes if path in UPLOADS else settings.body_bytes
    told = headers.get("content-length", "0")
    if told.isdecimal() and int(told) > most:
        raise TooLargeError(f"the body has {told} bytes; accepted are {most}")
    got = 0

    async def receive_bounded() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:  # an error of HTTP: whoever reads the body takes any other for a body that cannot be read
            raise HTTPException(413, f"the body has more than {most} bytes")
        return message

    return receive_bounded


async def refuse(scope: Scope, error: PlygroundError, send: Send) -> None:
    """Answer with what is wrong."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": str(error)[:120]})
        return
    body = error_body(error)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.http_status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def error_body(error: Exception, kind: str | None = None) -> bytes:
    """What every answer that is no success says."""
    told = ErrorView(error=ErrorDetail(kind=kind or type(error).__name__, message=str(error)))
    return json.dumps(told.model_dump()).encode()
