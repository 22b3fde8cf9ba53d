"""Lists of different lengths as the rows of a matrix."""

from __future__ import annotations

import numpy as np


def padded(data: bytes, ends: np.ndarray, padding: int) -> np.ndarray:
    """Return concatenated lists of 32-bit integers, given with the ends of the lists, as the rows of a matrix.

    >>> padded(np.array([7, 8, 9], "<u4").tobytes(), np.array([1, 3]), -1).tolist()
    [[7, -1], [8, 9]]
    """
    values = np.frombuffer(data, "<u4")
    lengths = np.diff(ends, prepend=0)
    rows = np.full((len(ends), int(lengths.max(initial=1))), padding, np.int32)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = values
    return rows
