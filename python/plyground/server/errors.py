"""Errors of the server, each with its HTTP status."""

from __future__ import annotations

from plyground.errors import PlygroundError


class BusyError(PlygroundError):
    """The server is too busy to accept the request."""

    exit_code = 1
    http_status = 503


class ConflictError(PlygroundError):
    """The request conflicts with the current state of the game."""

    exit_code = 3
    http_status = 409


class ForbiddenError(PlygroundError):
    """A cross-site request, an unknown host name, or an action reserved for the owner."""

    http_status = 403


class TooLargeError(PlygroundError):
    """The request body exceeds its size limit."""

    http_status = 413


class TooManyError(PlygroundError):
    """A visitor or an address exceeds a rate limit or quota."""

    http_status = 429

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        """`retry_after_s` is the time until a retry may succeed, if known."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class SlowRequestError(PlygroundError):
    """The client did not send the request body in time."""

    http_status = 408


class MethodNotAllowedError(PlygroundError):
    """The path does not support the HTTP method."""

    http_status = 405


class InternalError(PlygroundError):
    """An unexpected error; the log contains the traceback."""

    http_status = 500
