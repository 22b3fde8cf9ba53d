"""The format safetensors: arrays of numbers with names, and a header of texts; nothing in it can run.

A file is the length of its header in eight bytes, the header as JSON, and the numbers. Written here with the numbers of
plain Python, so that weights need neither NumPy nor PyTorch; a test compares with the library of the same name.

>>> read(write({"w": Tensor("F64", (2,), b"\\0" * 16)}, {"game": "checkers"}))[1]
{'game': 'checkers'}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from plyground.errors import WeightsError

LARGEST = 64 * 2**20
"""Bytes a file may have."""
LONGEST_HEADER = 2**20
WIDTHS = {"F64": 8, "F32": 4, "I16": 2, "U8": 1}
"""Bytes of a number of each type that is used here."""


@dataclass(frozen=True)
class Tensor:
    """An array: its type, its shape, its numbers as little-endian bytes."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def write(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> bytes:
    """The file of some arrays; the same arrays always make the same bytes."""
    header: dict[str, Any] = {"__metadata__": dict(sorted(metadata.items()))}
    at = 0
    for name, tensor in tensors.items():
        end = at + len(tensor.data)
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the numbers begin at a multiple of eight bytes
    return len(text).to_bytes(8, "little") + text + b"".join(tensor.data for tensor in tensors.values())


def read(data: bytes) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The arrays of a file and the texts of its header."""
    if len(data) > LARGEST:
        raise WeightsError(f"a weights file of {len(data)} bytes; accepted are up to {LARGEST}")
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > min(LONGEST_HEADER, len(data) - 8):
        raise WeightsError("this is no safetensors file: its header is cut off or too long")
    try:
        header = json.loads(data[8 : 8 + length].decode())
    except (ValueError, RecursionError):
        raise WeightsError("this is no safetensors file: its header is not JSON") from None
    if not isinstance(header, dict):
        raise WeightsError("this is no safetensors file: its header is not an object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise WeightsError("the header's __metadata__ is not made of texts")
    numbers = data[8 + length :]
    tensors = {name: _tensor(name, entry, numbers) for name, entry in header.items()}
    if sum(len(tensor.data) for tensor in tensors.values()) != len(numbers):
        raise WeightsError("the arrays do not fill the file")
    return tensors, metadata


def _tensor(name: str, entry: Any, numbers: bytes) -> Tensor:
    wrong = WeightsError(f"array {name[:80]!r} is not as safetensors has it: dtype, shape and data_offsets that fit")
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise wrong
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not (_naturals(shape) and _naturals(offsets) and len(offsets) == 2 and offsets[0] <= offsets[1] <= len(numbers)):
        raise wrong
    if not isinstance(dtype, str) or dtype not in WIDTHS:
        raise WeightsError(f"array {name[:80]!r} has another type than {', '.join(WIDTHS)}")
    if prod(shape) * WIDTHS[dtype] != offsets[1] - offsets[0]:
        raise wrong
    return Tensor(dtype, tuple(shape), numbers[offsets[0] : offsets[1]])


def _naturals(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= 8
        and all(isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**40 for number in value)
    )
