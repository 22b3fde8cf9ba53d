"""Structured logging: one JSON object per line on standard error, without tokens, bodies or addresses."""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOGGER = "plyground.server"
REQUEST_LOG = logging.getLogger(f"{LOGGER}.requests")
VISITOR_CHARACTERS = 8
"""Number of characters of a visitor ID to log, enough to tell visitors apart."""
REQUEST_ID_HEADER = "X-Request-ID"
_request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


class JsonFormatter(logging.Formatter):
    """Formats a message, its `fields` and the ID of the current request as JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (request_id := _request_id.get()) is not None:
            entry["request"] = request_id
        entry |= getattr(record, "fields", {})
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


def configure_logging(level: str) -> None:
    """Log messages from the server and uvicorn at or above a level."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name in (LOGGER, "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False


def current_request_id() -> str | None:
    """Return the ID of the current request; None outside requests."""
    return _request_id.get()


class RequestLogMiddleware:
    """Outermost middleware, which assigns every request an ID and logs its result.

    The log contains the route template, such as /api/shared/{token}, because paths may contain secrets.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and log its result."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        _request_id.set(request_id)
        started = time.perf_counter()
        status = 101 if scope["type"] == "websocket" else 499  # the client disconnected before the response

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"].endswith("response.start"):
                status = message["status"]
                MutableHeaders(scope=message).append(REQUEST_ID_HEADER, request_id)
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            _log_request(scope, status, time.perf_counter() - started)


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    level = logging.ERROR if status >= 500 else logging.INFO
    if not REQUEST_LOG.isEnabledFor(level):
        return
    fields = {
        "visitor": scope.get("visitor", "")[:VISITOR_CHARACTERS],
        "method": scope.get("method", "WEBSOCKET"),
        "path": _path_template(scope),
        "status": status,
        "ms": round(1000 * seconds, 1),
    }
    REQUEST_LOG.log(level, "request", extra={"fields": fields})


def _path_template(scope: Scope) -> str:
    """Return the route template of a request; `unknown` if no route matches."""
    path = getattr(scope.get("route"), "path", None)
    if path is None:
        return "unknown"
    prefix = "/api"
    # The path of a route lacks the prefix with which its router was included.
    is_included = scope["path"].startswith(f"{prefix}/") and not path.startswith(prefix)
    return f"{prefix}{path}" if is_included else str(path)
