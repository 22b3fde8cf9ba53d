"""Plain data as the store keeps it: as JSON, what is large packed, what is looked for by its digest."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from plyground.errors import ParseError, StoreError

LARGEST = 100_000_000
"""Bytes of what is packed in one place, unpacked."""


def to_json(value: object) -> str:
    """The text under which plain data is kept."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ParseError(f"the store keeps plain data that JSON can write: {error}") from error


def packed(data: object) -> bytes:
    """The bytes under which much plain data is kept.

    >>> unpacked(packed({"values": [0.5, 1.0]}))
    {'values': [0.5, 1.0]}
    """
    return zlib.compress(to_json(data).encode(), 6)


def unpacked(data: bytes) -> Any:
    """What `packed` made; what would be far too much is an error."""
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(data, LARGEST)
    if unpacking.unconsumed_tail:
        raise StoreError(f"something in the store is longer than {LARGEST} bytes")
    return json.loads(text)


def sha256(text: str) -> str:
    """The digest under which a text of any length is found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
