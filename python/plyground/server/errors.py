"""What can go wrong between a visitor and the server."""

from __future__ import annotations

from plyground.errors import PlygroundError


class BusyError(PlygroundError):
    """There is no room for another search at the moment."""

    exit_code = 1
    http_status = 503


class ConflictError(PlygroundError):
    """The game has moved on since the visitor looked at it."""

    exit_code = 3
    http_status = 409


class ForbiddenError(PlygroundError):
    """A request from another site, or for something that is not for visitors."""

    http_status = 403


class TooLargeError(PlygroundError):
    """More was sent than is accepted."""

    http_status = 413


class TooManyError(PlygroundError):
    """More was asked for than one visitor may have."""

    http_status = 429
