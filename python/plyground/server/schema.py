"""Writes the OpenAPI schema, including the WebSocket messages; the TypeScript types are generated from it.

``python -m plyground.server.schema FILE`` writes it to a file; without a file it is printed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from plyground.server.app import create_api


def schema_text() -> str:
    """Return the schema as JSON, as stored in web/src/api/openapi.json."""
    return json.dumps(create_api().openapi(), indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Write the schema to the file given on the command line, or to standard output."""
    text = schema_text()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
