"""Encoding of structured data for database columns: JSON, compressed JSON and digests."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from plyground.errors import ParseError, StoreError

MAX_BYTES = 100_000_000
"""Maximum size of one compressed value after decompression, in bytes."""


def to_json(value: object) -> str:
    """Return compact JSON; raise `ParseError` if JSON cannot represent the value."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ParseError(f"the value cannot be stored as JSON: {error}") from error


def compress(data: object) -> bytes:
    """Return zlib-compressed JSON.

    >>> decompress(compress({"values": [0.5, 1.0]}))
    {'values': [0.5, 1.0]}
    """
    return zlib.compress(to_json(data).encode(), 6)


def decompress(data: bytes) -> Any:
    """Return the value that `compress` encoded; raise `StoreError` if it is larger than `MAX_BYTES`."""
    decompressor = zlib.decompressobj()
    text = decompressor.decompress(data, MAX_BYTES)
    if decompressor.unconsumed_tail:
        raise StoreError(f"a compressed value in the store is larger than {MAX_BYTES} bytes")
    return json.loads(text)


def sha256(text: str) -> str:
    """Return the hexadecimal SHA-256 digest of a string, which is used to index long strings."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
