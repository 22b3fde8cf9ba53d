"""Serves the built web UI: static files, and the index page for every other path."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from starlette.convertors import Convertor, register_url_convertor
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

COMPRESSIBLE = (".js", ".css", ".svg", ".json", ".map")
NO_CACHE = {"Cache-Control": "no-cache"}
"""Revalidate on every request; unchanged files are answered with 304."""
IMMUTABLE = "public, max-age=31536000, immutable"
"""Cache forever: the names of assets contain a hash of their content."""
NOT_BUILT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plyground</title></head><body>
<h1>The web UI has not been built</h1><p>The server is running, but the files of the web UI are missing. In a checkout,
<code>make play</code> builds them. The <a href="/api/docs">API</a> works without them.</p></body></html>"""


def is_built(static: Path) -> bool:
    """Whether the folder contains a built web UI."""
    return (static / "index.html").is_file()


class PagePathConvertor(Convertor[str]):
    """Matches every path outside the API, except the health check."""

    regex = "(?!api(?:/|$)|healthz$).*"

    def convert(self, value: str) -> str:
        """Return the path."""
        return value

    def to_string(self, value: str) -> str:
        """Return the path."""
        return value


register_url_convertor("page", PagePathConvertor())


def add_web_ui(app: FastAPI, static: Path) -> None:
    """Serve the web UI under every path outside the API, and a list of operations at /api/docs."""

    @app.get("/api/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(_docs(app.openapi()))

    @app.get("/docs", include_in_schema=False)
    def redirect_to_docs() -> Response:
        return RedirectResponse("/api/docs")

    @app.get("/openapi.json", include_in_schema=False)
    def redirect_to_schema() -> Response:
        return RedirectResponse("/api/openapi.json")

    @app.api_route("/{path:page}", methods=["GET", "HEAD"], include_in_schema=False)
    def page(path: str, request: Request) -> Response:
        is_asset = path.startswith("assets/")
        file = _find_file(static, path)
        if file is not None and path != "index.html":
            return _asset(file, request) if is_asset else FileResponse(file, headers=NO_CACHE)
        if is_asset:
            raise HTTPException(404)
        if not is_built(static):
            return HTMLResponse(NOT_BUILT, 503)
        return FileResponse(static / "index.html", headers=NO_CACHE)


def _asset(file: Path, request: Request) -> Response:
    """Return an asset, compressed if the browser accepts it."""
    headers = {"Cache-Control": IMMUTABLE, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", "") or file.suffix not in COMPRESSIBLE:
        return FileResponse(file, headers=headers)
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(_compressed(file), media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})


@lru_cache(maxsize=256)
def _compressed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)


def _find_file(static: Path, path: str) -> Path | None:
    """Return the file at a path; None if there is none or it is outside the folder."""
    if not path or "\0" in path:
        return None
    try:
        file = (static / path).resolve()
        return file if file.is_relative_to(static.resolve()) and file.is_file() else None
    except (OSError, ValueError):
        return None


def _docs(schema: dict[str, Any]) -> str:
    """Return a table of the operations, without scripts or resources from other hosts."""
    rows = []
    for path, methods in sorted(schema["paths"].items()):
        for method, operation in methods.items():
            description = " ".join(str(operation.get("description", "")).split())
            rows.append(
                f"<tr><td>{escape(method.upper())}</td><td><code>{escape(path)}</code></td>"
                f"<td><code>{escape(operation['operationId'])}</code></td><td>{escape(description)}</td></tr>"
            )
    head = "<tr><th>Method</th><th>Path</th><th>Operation</th><th>Description</th></tr>"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plyground API</title></head><body>'
        f"<h1>Plyground {escape(schema['info']['version'])} API</h1><p>The schemas are in "
        '<a href="/api/openapi.json">openapi.json</a>; those of the <code>/api/socket</code> messages are '
        "<code>ClientMessage</code> and <code>ServerMessage</code>.</p>"
        f"<table>{head}{''.join(rows)}</table></body></html>"
    )
