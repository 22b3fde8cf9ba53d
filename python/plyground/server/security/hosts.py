"""Validation of the Host header, which protects against DNS rebinding."""

from __future__ import annotations

import ipaddress
from html import escape

from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyground.server.errors import ForbiddenError
from plyground.server.security.responses import reject, send_page
from plyground.server.settings import Settings

LOCAL_HOSTS = ("localhost", "*.localhost", "127.0.0.1", "[::1]")
HEALTH_PATH = "/healthz"
"""Available under every host name, because load balancers may use any name or address."""


class HostMiddleware:
    """Rejects requests for unknown host names and says how to allow them.

    A server that listens on more than the loopback interface also accepts IP addresses as hosts. This is safe, because
    DNS rebinding requires a host name.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._accepts_addresses = not is_loopback(settings.host)
        names = [*LOCAL_HOSTS, *settings.hosts]
        if not self._accepts_addresses or not is_address(settings.host):
            names.append(settings.host)
        self._check = TrustedHostMiddleware(self._accept, names, www_redirect=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] not in ("http", "websocket") or scope["path"] == HEALTH_PATH:
            await self._app(scope, receive, send)
            return
        host = host_name(Headers(scope=scope).get("host", ""))
        if self._accepts_addresses and is_address(host):
            await self._app(scope, receive, send)
            return

        async def send_explanation(message: Message) -> None:
            """Replace the plain-text response that Starlette sends for a rejected host."""
            if scope.get("host_is_accepted"):
                await send(message)
            elif message["type"].endswith("response.start"):
                await _reject_host(scope, host, send)

        await self._check(scope, receive, send_explanation)

    async def _accept(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["host_is_accepted"] = True
        await self._app(scope, receive, send)


def host_name(header: str) -> str:
    """Return the Host header without the port.

    >>> host_name("chess.example:5050"), host_name("[::1]:5050")
    ('chess.example', '[::1]')
    """
    name = header[: header.rfind("]") + 1] or header.partition(":")[0]
    return name.lower()


def is_address(host: str) -> bool:
    """Whether a host is an IP address; IPv6 addresses may be in brackets."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a host is `localhost` or a loopback address."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host.strip("[]")).is_loopback)


async def _reject_host(scope: Scope, host: str, send: Send) -> None:
    shown = host[:80] or "(none)"
    if not host:
        error = ForbiddenError("the request has no Host header")
    else:
        error = ForbiddenError(
            f"unknown host name {shown!r}. To allow it, start the server with --allow-host {shown} or set "
            f"PLYGROUND_HOSTS={shown}"
        )
    if scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", ""):
        await send_page(error.http_status, "Unknown host name", f"<p>{escape(str(error))}</p>", send)
    else:
        await reject(scope, error, send)
