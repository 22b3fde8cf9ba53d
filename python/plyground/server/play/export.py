"""Games as file downloads."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import Response

from plyground.records import Record
from plyground.records.formats import FORMATS
from plyground.server.models import Format

MEDIA_TYPES = {"json": "application/json", "pdn": "text/plain; charset=utf-8", "pgn": "application/x-chess-pgn"}


def download(records: Iterable[Record], file_format: Format, name: str) -> Response:
    """Return records as a file called `name` with the suffix of the format."""
    text = FORMATS[file_format].write(records)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{file_format}"'}
    return Response(text, media_type=MEDIA_TYPES[file_format], headers=headers)
