"""What routes share: the server's rooms, who asks, and what errors look like."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.routing import APIRoute

from plyground.server.house import House
from plyground.server.views.common import ErrorView, Format

ERRORS: dict[int | str, dict[str, Any]] = {
    "default": {
        "model": ErrorView,
        "description": "400: it is not what it should be. 404: there is no such thing, or it is somebody else's. 409: "
        "the game does not allow it, or has moved on. 413: it is too large. 422: a field is missing or out of "
        "bounds. 429: too many requests. 503: there is no room for it at the moment.",
    }
}
"""What every route may answer."""


def operation_id(route: APIRoute) -> str:
    """The name of the function: what a client calls it."""
    return route.name


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


def _visitor(request: Request) -> str:
    """Whose request it is: the hash of the token in the cookie, which a middleware makes sure of."""
    visitor: str = request.scope["visitor"]
    return visitor


AtHouse = Annotated[House, Depends(_house)]
Visitor = Annotated[str, Depends(_visitor)]
GameId = Annotated[str, Path(min_length=1, max_length=40)]
Name = Annotated[str, Path(min_length=1, max_length=200)]
Key = Annotated[int, Path(ge=1, lt=2**53)]
AsFormat = Annotated[Format, Query()]
