"""The FastAPI application: routes, WebSocket, error handlers and the web UI."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from plyground import __version__
from plyground.errors import PlygroundError, UnknownNameError
from plyground.server.catalog import routes as catalog
from plyground.server.dependencies import ERRORS, operation_id
from plyground.server.errors import MethodNotAllowedError, SlowRequestError, TooLargeError
from plyground.server.jobs import routes as jobs
from plyground.server.library import routes as library
from plyground.server.log import RequestLogMiddleware
from plyground.server.models import error_body
from plyground.server.play import checkers
from plyground.server.play import routes as play
from plyground.server.positions import routes as positions
from plyground.server.search import routes as search
from plyground.server.security.hosts import HEALTH_PATH, HostMiddleware
from plyground.server.security.middleware import SecurityMiddleware, internal_error
from plyground.server.security.responses import error_headers
from plyground.server.services import Services
from plyground.server.settings import Settings
from plyground.server.socket.messages import message_schemas
from plyground.server.web_ui import add_web_ui

TITLE = "Plyground"
DESCRIPTION = (
    "Games, searches, reviews, tournaments and training. A visitor is identified by a cookie, which is set by the "
    "first response. Live updates are sent over the WebSocket `/api/socket`."
)
METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
HTTP_ERROR_KINDS = {
    404: UnknownNameError.__name__,
    405: MethodNotAllowedError.__name__,
    408: SlowRequestError.__name__,
    413: TooLargeError.__name__,
}
"""Error kind by HTTP status, for errors raised as Starlette `HTTPException`."""


def create_api() -> FastAPI:
    """Return an app with routes but no services, which is enough to generate the OpenAPI schema."""
    app = FastAPI(
        title=TITLE,
        version=__version__,
        description=DESCRIPTION,
        generate_unique_id_function=operation_id,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        strict_content_type=False,  # parse bodies without a Content-Type as JSON; `check_origin` prevents CSRF
    )
    for feature in (catalog, positions, search, play, checkers, library, jobs):
        app.include_router(feature.router, prefix="/api", responses=ERRORS)

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=TITLE, version=app.version, description=DESCRIPTION, routes=app.routes)
            components = schema["components"]["schemas"]
            schema["components"]["schemas"] = {**message_schemas(), **components}
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    return app


def make_app(settings: Settings | None = None) -> FastAPI:
    """Return the complete app. Its services are created immediately and closed when the server stops."""
    settings = settings or Settings()
    services = Services(settings)
    app = create_api()
    app.state.services = services

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        services.start()
        try:
            yield
        finally:
            services.close()

    @app.websocket("/api/socket")
    async def serve_tab(socket: WebSocket) -> None:
        await services.tabs.serve(socket)

    app.router.lifespan_context = lifespan
    app.add_exception_handler(PlygroundError, _plyground_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)
    app.add_api_route(HEALTH_PATH, services.health.check, methods=["GET", "HEAD"], include_in_schema=False)
    add_web_ui(app, settings.static)
    # The middleware added last is the outermost.
    app.add_middleware(
        SecurityMiddleware,
        settings=settings,
        tokens=services.tokens,
        quotas=services.quotas,
        presence=services.presence,
        store=services.store,
    )
    app.add_middleware(HostMiddleware, settings=settings)
    app.add_middleware(RequestLogMiddleware)
    return app


def _error_response(
    status: int, error: Exception, kind: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(error_body(error, kind), status, headers, media_type="application/json")


async def _plyground_error(_: Request, error: Exception) -> Response:
    status = error.http_status if isinstance(error, PlygroundError) else 500
    return _error_response(status, error, headers=error_headers(error))


async def _validation_error(_: Request, error: Exception) -> Response:
    problems: list[Any] = list(error.errors()) if isinstance(error, RequestValidationError) else []
    text = "; ".join(f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}" for problem in problems[:5])
    return _error_response(422, ValueError(text), "ParseError")


async def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return await _internal_error(request, error)
    text, headers = str(error.detail), dict(error.headers or {})
    if error.status_code == 404 and request.url.path.startswith("/api"):
        text = f"unknown path {request.url.path[:80]}; /api/docs lists the operations"
    elif error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed_methods(request))
        text = f"{request.method[:20]} is not allowed for this path; allowed: {headers['Allow']}"
    kind = HTTP_ERROR_KINDS.get(error.status_code, "HttpError")
    return _error_response(error.status_code, ValueError(text), kind, headers)


def _allowed_methods(request: Request) -> list[str]:
    """Return the methods that the path of a request supports."""
    return [
        method
        for method in METHODS
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in request.app.routes)
    ]


async def _internal_error(_: Request, error: Exception) -> Response:
    return _error_response(500, internal_error(error))
