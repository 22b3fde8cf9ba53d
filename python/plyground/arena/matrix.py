"""Small systems of linear equations: as many unknowns as a tournament has agents."""

from __future__ import annotations

Matrix = list[list[float]]


def solve(matrix: Matrix, right: list[float]) -> list[float] | None:
    """The solution of a symmetric positive definite system; None where the matrix is not so.

    >>> solve([[4.0, 2.0], [2.0, 2.0]], [8.0, 6.0])
    [1.0, 2.0]
    """
    triangle = _cholesky(matrix)
    return None if triangle is None else _back(triangle, right)


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a symmetric positive definite matrix.

    >>> inverse([[4.0, 0.0], [0.0, 1.0]])
    [[0.25, 0.0], [0.0, 1.0]]
    """
    triangle = _cholesky(matrix)
    if triangle is None:
        raise ValueError("the matrix is not positive definite")
    size = len(matrix)
    return [_back(triangle, [float(row == column) for row in range(size)]) for column in range(size)]


def _cholesky(matrix: Matrix) -> Matrix | None:
    """The lower triangle L with ``L * L transposed = matrix``."""
    lower: Matrix = []
    for row, values in enumerate(matrix):
        new: list[float] = []
        for column in range(row + 1):
            other = new if column == row else lower[column]
            rest = values[column] - sum(new[index] * other[index] for index in range(column))
            if column < row:
                new.append(rest / lower[column][column])
            elif rest > 1e-11 * max(1.0, values[row]):
                new.append(rest**0.5)
            else:
                return None
        lower.append(new)
    return lower


def _back(lower: Matrix, right: list[float]) -> list[float]:
    size = len(lower)
    half: list[float] = []
    for row in range(size):
        half.append((right[row] - sum(lower[row][index] * half[index] for index in range(row))) / lower[row][row])
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = half[row] - sum(lower[index][row] * found[index] for index in range(row + 1, size))
        found[row] = rest / lower[row][row]
    return found
