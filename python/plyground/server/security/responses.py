"""Responses that middleware sends itself: errors in the format of the API, and simple HTML pages."""

from __future__ import annotations

import math
from html import escape

from starlette.types import Scope, Send

from plyground.errors import PlygroundError
from plyground.server.errors import TooManyError
from plyground.server.models import error_body

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every response."""


def error_headers(error: Exception) -> dict[str, str]:
    """Return the additional headers of an error response."""
    if isinstance(error, TooManyError) and error.retry_after_s is not None:
        return {"Retry-After": str(math.ceil(error.retry_after_s))}
    return {}


async def reject(scope: Scope, error: PlygroundError, send: Send) -> None:
    """Respond to a request or a WebSocket handshake with an error."""
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store", **HEADERS, **error_headers(error)}
    prefix = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await _send(prefix, error.http_status, headers, error_body(error), send)


async def send_page(status: int, title: str, body: str, send: Send) -> None:
    """Send a page with a title and an HTML body."""
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head><body>'
        f"<h1>{escape(title)}</h1>{body}</body></html>"
    )
    headers = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", **HEADERS}
    await _send("http.response", status, headers, page.encode(), send)


async def _send(prefix: str, status: int, headers: dict[str, str], body: bytes, send: Send) -> None:
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    pairs.append((b"content-length", str(len(body)).encode()))
    await send({"type": f"{prefix}.start", "status": status, "headers": pairs})
    await send({"type": f"{prefix}.body", "body": body})
