"""Positions as numpy arrays, the input of networks.

>>> import plyground
>>> start = plyground.game("checkers").start()
>>> batch([start, start.play("11-15")]).shape
(2, 5, 8, 8)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plyground._engine import Position, encode_planes

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


def batch(positions: Sequence[Position]) -> NDArray[float32]:
    """Return the planes of several positions of one game (see `Position.planes`).

    The array has the shape (positions, planes, rows, columns). `Game.plane_names` describes the planes.
    """
    return _encode(positions, None)


def planes(position: Position, side: str | None) -> NDArray[float32]:
    """Return the planes of a position. `Position.planes` calls this."""
    first: NDArray[float32] = _encode([position], side)[0]
    return first


def _encode(positions: Sequence[Position], side: str | None) -> NDArray[float32]:
    import numpy as np

    shape, values = encode_planes(positions, side)
    return np.frombuffer(values, dtype=np.float32).reshape(len(positions), *shape)
