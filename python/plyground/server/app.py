"""The app: routes, the socket, errors, and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from plyground import __version__
from plyground.errors import PlygroundError, UnknownNameError
from plyground.server import schema
from plyground.server.errors import TooLargeError
from plyground.server.guards import Guard, cookie, error_body
from plyground.server.house import House
from plyground.server.pages import add_pages
from plyground.server.routes import catalog, current, games, library, work
from plyground.server.routes.asking import ERRORS, operation_id
from plyground.server.settings import Settings
from plyground.server.tab import Tab

DESCRIPTION = (
    "Games of visitors, searches, reviews, tournaments and training. A visitor is who has the cookie that the first "
    "answer sets. Live reports come over the socket `/api/socket`."
)


HTTP_KINDS = {404: UnknownNameError.__name__, 413: TooLargeError.__name__}
"""What errors of HTTP itself are called."""


def routes_only() -> FastAPI:
    """The app without its rooms: enough for its schema."""
    app = FastAPI(
        title=schema.TITLE,
        version=__version__,
        description=DESCRIPTION,
        generate_unique_id_function=operation_id,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    for room in (catalog, games, library, work, current):
        app.include_router(room.router, prefix="/api", responses=ERRORS)
    app.openapi = lambda: schema.openapi(app)  # type: ignore[method-assign]
    return app


def make_app(settings: Settings | None = None) -> FastAPI:
    """The whole app. Its rooms are opened now and closed when the server ends."""
    chosen = settings or Settings()
    house = House(chosen)
    app = routes_only()
    app.state.house = house

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        house.start()
        try:
            yield
        finally:
            house.close()

    app.router.lifespan_context = lifespan
    app.add_exception_handler(PlygroundError, _told)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)
    _add_socket(app, house)
    add_pages(app, chosen.static)
    app.add_middleware(Guard, house=house)
    return app


def _add_socket(app: FastAPI, house: House) -> None:
    tabs: Counter[str] = Counter()

    @app.websocket("/api/socket")
    async def socket(socket: WebSocket) -> None:
        visitor, fresh = socket.scope["visitor"], socket.scope["fresh"]
        if tabs[visitor] >= house.settings.sockets:
            await socket.close(1013, "too many tabs")
            return
        given = [] if fresh is None else [(b"set-cookie", cookie(fresh, secure=socket.url.scheme == "wss").encode())]
        await socket.accept(headers=given)
        tabs[visitor] += 1
        try:
            await Tab(house, visitor, socket).run()
        finally:
            tabs[visitor] -= 1
            if not tabs[visitor]:
                del tabs[visitor]


def _answer(status: int, error: Exception, kind: str | None = None) -> Response:
    return Response(error_body(error, kind), status, media_type="application/json")


async def _told(_: Request, error: Exception) -> Response:
    status = error.http_status if isinstance(error, PlygroundError) else 500
    return _answer(status, error)


async def _invalid(_: Request, error: Exception) -> Response:
    problems: list[Any] = list(error.errors()) if isinstance(error, RequestValidationError) else []
    words = "; ".join(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in problems[:5])
    return _answer(422, ValueError(words), "ParseError")


async def _http(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = str(error.detail) if isinstance(error, HTTPException) else str(error)
    return _answer(status, ValueError(words), HTTP_KINDS.get(status, "HttpError"))


async def _unexpected(_: Request, error: Exception) -> Response:
    return _answer(500, RuntimeError(f"this should not happen: {type(error).__name__}"), "InternalError")
