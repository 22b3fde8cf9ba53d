"""Connection limits: the number of connections, and the time a client may take to send headers and read responses.

Without them, a client could use up the server's sockets by opening connections without sending or reading anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from plyground.errors import ParseError, PlygroundError
from plyground.server.errors import BusyError
from plyground.server.log import LOGGER
from plyground.server.models import error_body
from plyground.server.security.quotas import client_address
from plyground.server.settings import Settings

LOG = logging.getLogger(LOGGER)
RESERVED_FILES = 256
"""File descriptors reserved for other uses: the database, libraries, endgame tables, worker processes."""
MIN_CONNECTIONS = 64
LINGER_S = 1.0
"""Time that a refused client has to read the error response."""
MAX_LINGERING = 64
REFUSAL_LOG_S = 60
"""Minimum time between two log messages about refused connections."""


@dataclass
class ConnectionLimits:
    """The limits of all connections, and the number of open connections per address."""

    maximum: int
    per_address: int
    header_seconds: float
    write_seconds: float
    proxies: Collection[str] = ()
    """Addresses exempt from `per_address`, because the clients of a proxy share its address."""
    open: Counter[str] = field(default_factory=Counter)
    lingering: int = 0
    """Number of refused connections that are about to be closed."""
    refused: int = 0
    """Number of connections refused since the last message about them."""
    _logged: float = -math.inf

    def log_refusal(self, reason: str) -> None:
        """Log that a connection was refused, at most once a minute."""
        self.refused += 1
        now = time.monotonic()
        if now - self._logged >= REFUSAL_LOG_S:
            LOG.warning("connections refused", extra={"fields": {"number": self.refused, "reason": reason}})
            self._logged, self.refused = now, 0


def connection_limits(settings: Settings) -> ConnectionLimits:
    """Return the limits that the server can keep, after raising the open file limit as far as necessary and allowed."""
    maximum = settings.connections
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = maximum + RESERVED_FILES
        if soft != resource.RLIM_INFINITY and soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            maximum = max(MIN_CONNECTIONS, soft - RESERVED_FILES)
    return ConnectionLimits(
        maximum,
        settings.address_connections,
        settings.header_seconds,
        settings.write_seconds,
        frozenset(settings.proxies),
    )


def limited_protocol(limits: ConnectionLimits) -> type[H11Protocol]:
    """Return a protocol class for `uvicorn.Config` that enforces the limits."""

    class Protocol(LimitedProtocol):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(limits, *arguments, **options)

    return Protocol


class LimitedProtocol(H11Protocol):
    """An HTTP connection with limits."""

    def __init__(self, limits: ConnectionLimits, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._limits = limits
        self._address: str | None = None
        """The address under which the connection is counted."""
        self._is_refused = False
        self._header_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or refuse it if there are too many."""
        super().connection_made(transport)
        address = client_address(self.client)
        is_proxy = self.client is not None and self.client[0] in self._limits.proxies
        if len(self.connections) > self._limits.maximum:
            self._refuse(f"the server has too many connections; at most {self._limits.maximum} are allowed")
        elif not is_proxy and self._limits.open[address] >= self._limits.per_address:
            self._refuse(f"too many connections from your address; at most {self._limits.per_address} are allowed")
        else:
            self._address = address
            self._limits.open[address] += 1
            self._expect_headers(self._limits.header_seconds)

    def _refuse(self, reason: str) -> None:
        self._limits.log_refusal(reason)
        self.connections.discard(self)
        self._is_refused = True
        if self._limits.lingering >= MAX_LINGERING:
            self.transport.abort()
            return
        self._write_error("503 Service Unavailable", BusyError(reason))
        # Closing immediately would discard the response if the client is still sending its request.
        self._limits.lingering += 1
        self.loop.call_later(LINGER_S, self._end_refused)

    def _write_error(self, status: str, error: PlygroundError) -> None:
        """Send an error response without calling the app."""
        body = error_body(error)
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close"
        )
        self.transport.write(f"{head}\r\n\r\n".encode() + body)

    def send_400_response(self, msg: str) -> None:
        """Respond to a request that is not valid HTTP."""
        self._write_error("400 Bad Request", ParseError(msg))
        self.transport.close()

    def _end_refused(self) -> None:
        self._limits.lingering -= 1
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Handle data from the client, unless the connection was refused."""
        if not self._is_refused:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._release()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket protocol, which has its own limits."""
        self._release()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._expect_headers(self.timeout_keep_alive + self._limits.header_seconds)

    def pause_writing(self) -> None:
        """Give the client a limited time to read what was sent."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self._limits.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue sending."""
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _expect_headers(self, seconds: float) -> None:
        """Close the connection if the headers of a request do not arrive in time."""
        if self._header_timer is not None:
            self._header_timer.cancel()
        self._header_timer = self.loop.call_later(seconds, self._check_headers)

    def _check_headers(self) -> None:
        if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
            self.transport.abort()

    def _release(self) -> None:
        for timer in (self._header_timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        if self._address is not None:
            self._limits.open[self._address] -= 1
            if not self._limits.open[self._address]:
                del self._limits.open[self._address]
            self._address = None
