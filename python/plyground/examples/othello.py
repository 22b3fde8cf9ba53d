"""Othello, compiled with Numba. A side without a legal move passes, so the other side may move twice in a row.

>>> import plyground
>>> position = plyground.game("othello").start()
>>> position.moves
['d3', 'c4', 'f5', 'e6']
>>> [position.perft(depth) for depth in (1, 2, 3, 4, 5)]
[4, 12, 56, 244, 1396]

A state has nine integers: the eight rows from the bottom, with two bits per square (0 empty, 1 black, 2 white), and
the side to move. Square a1 is the lowest two bits of the first row. A move is ``8 * row + column``::

    row 0:  h1 g1 f1 e1 d1 c1 b1 a1
            00 00 00 00 00 00 00 00
"""

from __future__ import annotations

from typing import Any

import numba

import plyground

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


@numba.njit(boundscheck=True)
def disc(state: Any, row: int, column: int) -> Any:
    """Return the disc on a square: 0 none, 1 black, 2 white; -1 outside the board."""
    if 0 <= row < 8 and 0 <= column < 8:
        return state[row] >> (2 * column) & 3
    return -1


@numba.njit(boundscheck=True)
def flips(state: Any, row: int, column: int, side: int, up: int, right: int) -> int:
    """Return the number of opposing discs that a new disc of this side would flip in a direction."""
    count = 0
    while True:
        found = disc(state, row + up * (count + 1), column + right * (count + 1))
        if found == side + 1:
            return count
        if found <= 0:
            return 0
        count += 1


@numba.njit(boundscheck=True)
def is_legal(state: Any, row: int, column: int, side: int) -> bool:
    """Whether a side can place a disc on a square."""
    if disc(state, row, column) != 0:
        return False
    for up, right in DIRECTIONS:  # noqa: SIM110  Numba does not support generators
        if flips(state, row, column, side, up, right) > 0:
            return True
    return False


@numba.njit(boundscheck=True)
def can_move(state: Any, side: int) -> bool:
    """Whether a side has a legal move."""
    for square in range(64):  # noqa: SIM110
        if is_legal(state, square // 8, square % 8, side):
            return True
    return False


class Othello:
    """Enclose opposing discs between two of yours to flip them; pass if you cannot. The side with more discs wins."""

    id = "othello"
    title = "Othello"
    sides = ("black", "white")
    rows = columns = 8
    pieces = {"b": 0, "w": 1}  # noqa: RUF012
    actions = 64

    def start(self) -> tuple[int, ...]:
        """Return two discs of each side in the centre, black on e4 and d5."""
        return (0, 0, 0, 2 << 6 | 1 << 8, 1 << 6 | 2 << 8, 0, 0, 0, 0)

    @staticmethod
    def turn(state: Any) -> int:
        """Return the side to move."""
        return int(state[8])

    @staticmethod
    def moves(state: Any, out: Any) -> int:
        """Write the squares where a disc flips at least one other."""
        count = 0
        for square in range(64):
            if is_legal(state, square // 8, square % 8, state[8]):
                out[count] = square
                count += 1
        return count

    @staticmethod
    def play(state: Any, move: int) -> None:
        """Place a disc and flip the enclosed ones; the other side moves next if it has a legal move."""
        side, row, column = state[8], move // 8, move % 8
        for up, right in DIRECTIONS:
            for step in range(1, flips(state, row, column, side, up, right) + 1):
                state[row + up * step] ^= 3 << (2 * (column + right * step))
        state[row] |= (side + 1) << (2 * column)
        if can_move(state, 1 - side):
            state[8] = 1 - side

    @staticmethod
    def outcome(state: Any) -> int:
        """Return the side with more discs."""
        lead = 0
        for square in range(64):
            found = disc(state, square // 8, square % 8)
            lead += (found == 1) - (found == 2)
        if lead == 0:
            return 2
        return 0 if lead > 0 else 1

    def move_name(self, move: int) -> str:
        """Return the square: a1 to h8."""
        return f"{'abcdefgh'[move % 8]}{move // 8 + 1}"

    def cells(self, state: tuple[int, ...]) -> dict[str, str]:
        """Return the letter of each occupied square."""
        colors = {self.move_name(square): state[square // 8] >> (2 * (square % 8)) & 3 for square in range(64)}
        return {square: ".bw"[color] for square, color in colors.items() if color}


plyground.register(plyground.compiled(Othello()))
