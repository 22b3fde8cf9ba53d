"""FastAPI dependencies and parameter types shared by the routes of all features.

The dependencies are coroutines because FastAPI calls other functions in threads, which takes longer than what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.routing import APIRoute

from plyground.server.models import ErrorView, Format
from plyground.server.pools import WorkPools
from plyground.server.security.quotas import Quotas

ERRORS: dict[int | str, dict[str, Any]] = {
    "default": {
        "model": ErrorView,
        "description": "400: invalid value. 403: not allowed. 404: not found, or owned by another visitor. 405: "
        "method not allowed for this path. 408: body sent too slowly. 409: not possible in the current state of the "
        "game. 413: body too large. 422: missing or out-of-range field. 429: too many requests. 500: unexpected error. "
        "503: server busy.",
    }
}
"""OpenAPI description of the error responses of every route."""


def operation_id(route: APIRoute) -> str:
    """Return the name of the route function, used as operation ID."""
    return route.name


def service(name: str) -> Callable[[Request], Any]:
    """Return a dependency that provides the service `name` of the app's `Services`."""

    async def get_service(request: Request) -> Any:
        return getattr(request.app.state.services, name)

    return get_service


async def _visitor(request: Request) -> str:
    """Return the visitor ID, a digest of the visitor's token; set by the security middleware."""
    visitor: str = request.scope["visitor"]
    return visitor


async def _address(request: Request) -> str:
    """Return the client address that rate limits and quotas apply to; set by the security middleware."""
    address: str = request.scope["address"]
    return address


Visitor = Annotated[str, Depends(_visitor)]
Address = Annotated[str, Depends(_address)]
QuotasService = Annotated[Quotas, Depends(service("quotas"))]
PoolsService = Annotated[WorkPools, Depends(service("pools"))]
GameId = Annotated[str, Path(min_length=1, max_length=40)]
RunId = Annotated[int, Path(ge=1, lt=2**53)]
RecordId = Annotated[str, Path(min_length=1, max_length=40)]
FormatQuery = Annotated[Format, Query()]
