"""The built page: its files from the package, and its one document under every address of the page."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, HTMLResponse, Response

from plyground.errors import UnknownNameError

PACKED = (".js", ".css", ".svg", ".json", ".map")
"""Files that become much smaller."""
NEVER = {"Cache-Control": "no-cache"}
"""For files that are asked for anew each time; where nothing changed, no more than that is sent."""
FOREVER = "public, max-age=31536000, immutable"
"""For files whose names change with what is in them."""
NOT_BUILT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plyground</title></head><body>
<h1>The page has not been built</h1><p>The server runs, but the files of the page are missing. From a checkout,
<code>make play</code> builds them. The <a href="/api/docs">API</a> works.</p></body></html>"""


def is_built(static: Path) -> bool:
    """Whether there is a page to serve."""
    return (static / "index.html").is_file()


def add_pages(app: FastAPI, static: Path) -> None:
    """Serve the page under every address that is not the API's."""

    @app.get("/api/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(_docs(app.openapi()))

    @app.get("/{path:path}", include_in_schema=False)
    def page(path: str, request: Request) -> Response:
        if path == "api" or path.startswith("api/"):
            raise UnknownNameError(f"there is nothing at /{path[:80]}; /api/docs lists what there is")
        file = _file(static, path)
        if file is not None and path != "index.html":
            return _asset(file, request) if path.startswith("assets/") else FileResponse(file, headers=NEVER)
        if path.startswith("assets/") or not is_built(static):
            missing = "not there" if path.startswith("assets/") else NOT_BUILT
            return HTMLResponse(missing, 404 if path.startswith("assets/") else 503)
        return FileResponse(static / "index.html", headers=NEVER)


def _asset(file: Path, request: Request) -> Response:
    """A file that browsers keep for ever, packed where they take that."""
    kept = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", "") or file.suffix not in PACKED:
        return FileResponse(file, headers=kept)
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(_packed(file), media_type=kind, headers={**kept, "Content-Encoding": "gzip"})


@lru_cache(maxsize=256)
def _packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)


def _file(static: Path, path: str) -> Path | None:
    """The file of a path, if it is one of the page's; nothing outside the folder is reached."""
    if not path or "\0" in path:
        return None
    try:
        file = (static / path).resolve()
        return file if file.is_relative_to(static.resolve()) and file.is_file() else None
    except (OSError, ValueError):
        return None


def _docs(schema: dict[str, Any]) -> str:
    """The operations in a table: readable without scripts and without other hosts."""
    rows = []
    for path, methods in sorted(schema["paths"].items()):
        for method, told in methods.items():
            words = " ".join(str(told.get("description", "")).split())
            rows.append(
                f"<tr><td>{escape(method.upper())}</td><td><code>{escape(path)}</code></td>"
                f"<td><code>{escape(told['operationId'])}</code></td><td>{escape(words)}</td></tr>"
            )
    head = "<tr><th>Method</th><th>Path</th><th>Operation</th><th>What it does</th></tr>"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plyground: API</title></head><body>'
        f"<h1>API of Plyground {escape(schema['info']['version'])}</h1><p>Shapes are in "
        '<a href="/api/openapi.json">openapi.json</a>, the messages of <code>/api/socket</code> under '
        "<code>ClientMessage</code> and <code>ServerMessage</code>.</p>"
        f"<table>{head}{''.join(rows)}</table></body></html>"
    )
