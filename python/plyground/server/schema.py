"""The OpenAPI schema, socket messages included, as the page's types are made from it.

``python -m plyground.server.schema FILE`` writes it; without a file it is printed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from plyground.server import messages

TITLE = "Plyground"


def openapi(app: FastAPI) -> dict[str, Any]:
    """The schema of an app, made once; messages of the socket are `ClientMessage` and `ServerMessage`."""
    if app.openapi_schema is None:
        made = get_openapi(title=TITLE, version=app.version, description=app.description, routes=app.routes)
        components = made["components"]["schemas"]
        for name, mode in (("ClientMessage", "validation"), ("ServerMessage", "serialization")):
            adapter: TypeAdapter[Any] = TypeAdapter(getattr(messages, name))
            schema = adapter.json_schema(ref_template="#/components/schemas/{model}", mode=mode)  # type: ignore[arg-type]
            for part, of_part in schema.pop("$defs", {}).items():
                components.setdefault(part, of_part)
            components[name] = schema
        app.openapi_schema = made
    return app.openapi_schema


def text(app: FastAPI) -> str:
    """The schema as the file in the repository has it."""
    return json.dumps(openapi(app), indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Write the schema of the server."""
    from plyground.server.app import routes_only

    written = text(routes_only())
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(written)
    else:
        sys.stdout.write(written)


if __name__ == "__main__":
    main()
