"""Reader and writer for the safetensors format: named arrays and string metadata, without executable content.

A file consists of the header length (8 bytes, little-endian), the header as JSON, and the array data. Unlike
the safetensors library, this implementation needs neither NumPy nor PyTorch; a test compares the two.

>>> read(write({"w": Tensor("F64", (2,), b"\\0" * 16)}, {"game": "checkers"}))[1]
{'game': 'checkers'}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, TypeVar

from plyground.errors import WeightsError

MAX_FILE_BYTES = 64 * 2**20
MAX_HEADER_BYTES = 2**20
DTYPE_BYTES = {"F64": 8, "F32": 4, "U64": 8, "I16": 2, "U8": 1}
"""Bytes per element of the supported types."""


Parsed = TypeVar("Parsed")


@dataclass(frozen=True)
class Tensor:
    """An array: its type, its shape, and its elements as little-endian bytes."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def write(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> bytes:
    """Serialise arrays and metadata; equal input gives equal bytes."""
    header: dict[str, Any] = {"__metadata__": dict(sorted(metadata.items()))}
    offset = 0
    for name, tensor in tensors.items():
        end = offset + len(tensor.data)
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # aligns the data to 8 bytes
    return len(text).to_bytes(8, "little") + text + b"".join(tensor.data for tensor in tensors.values())


def read(data: bytes) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Parse a file and return its arrays and metadata."""
    if len(data) > MAX_FILE_BYTES:
        raise WeightsError(f"a weights file must be at most {MAX_FILE_BYTES} bytes, got {len(data)}")
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > min(MAX_HEADER_BYTES, len(data) - 8):
        raise WeightsError("not a safetensors file: the header is truncated or too long")
    try:
        header = json.loads(data[8 : 8 + length].decode())
    except (ValueError, RecursionError):
        raise WeightsError("not a safetensors file: the header is not JSON") from None
    if not isinstance(header, dict):
        raise WeightsError("not a safetensors file: the header is not an object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise WeightsError("__metadata__ in the header must be an object whose values are strings")
    body = data[8 + length :]
    tensors = {name: _tensor(name, entry, body) for name, entry in header.items()}
    if sum(len(tensor.data) for tensor in tensors.values()) != len(body):
        raise WeightsError("the sizes of the arrays do not match the size of the file")
    return tensors, metadata


def read_file(file: Path, parse: Callable[[bytes], Parsed]) -> Parsed:
    """Return the content of a file as parsed by `parse`; errors contain the path."""
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise WeightsError(f"a weights file must be at most {MAX_FILE_BYTES} bytes, got {file.stat().st_size}")
        return parse(file.read_bytes())
    except OSError as error:
        raise WeightsError(f"{file}: {error.strerror}") from None
    except WeightsError as error:
        raise WeightsError(f"{file}: {error}") from None


def _tensor(name: str, entry: Any, body: bytes) -> Tensor:
    invalid = WeightsError(f"array {name[:80]!r} has an invalid dtype, shape or data_offsets")
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise invalid
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not (_is_size_list(shape) and _is_size_list(offsets) and len(offsets) == 2):
        raise invalid
    if not offsets[0] <= offsets[1] <= len(body):
        raise invalid
    if not isinstance(dtype, str) or dtype not in DTYPE_BYTES:
        raise WeightsError(f"the type of array {name[:80]!r} must be one of {', '.join(DTYPE_BYTES)}")
    if prod(shape) * DTYPE_BYTES[dtype] != offsets[1] - offsets[0]:
        raise invalid
    return Tensor(dtype, tuple(shape), body[offsets[0] : offsets[1]])


def _is_size_list(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= 8
        and all(isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**40 for number in value)
    )
