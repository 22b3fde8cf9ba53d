"""Othello, compiled by Numba. Who cannot move is passed over, so the same side may move twice in a row.

>>> import plyground
>>> position = plyground.game("othello").start()
>>> position.moves
['d3', 'c4', 'f5', 'e6']
>>> [position.perft(depth) for depth in (1, 2, 3, 4, 5)]
[4, 12, 56, 244, 1396]

A state is nine numbers: the eight rows from the bottom, two bits a square (0 nobody's, 1 black's, 2 white's), and
who moves. Square a1 is the lowest pair of bits of the first row, and a move is 8 times the row plus the column::

    row 0:  h1 g1 f1 e1 d1 c1 b1 a1
            00 00 00 00 00 00 00 00
"""

from __future__ import annotations

from typing import Any

import numba

import plyground

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


@numba.njit(boundscheck=True)
def owner(state: Any, row: int, column: int) -> Any:
    """Whose disc stands on a square: 0 nobody's, 1 black's, 2 white's; -1 outside the board."""
    if 0 <= row < 8 and 0 <= column < 8:
        return state[row] >> (2 * column) & 3
    return -1


@numba.njit(boundscheck=True)
def flips(state: Any, row: int, column: int, side: int, up: int, right: int) -> int:
    """How many discs of the other side stand in a direction up to one of this side."""
    count = 0
    while True:
        found = owner(state, row + up * (count + 1), column + right * (count + 1))
        if found == side + 1:
            return count
        if found <= 0:
            return 0
        count += 1


@numba.njit(boundscheck=True)
def is_legal(state: Any, row: int, column: int, side: int) -> bool:
    """Whether the side can put a disc on a square."""
    if owner(state, row, column) != 0:
        return False
    for up, right in DIRECTIONS:  # noqa: SIM110  Numba has no generators
        if flips(state, row, column, side, up, right) > 0:
            return True
    return False


@numba.njit(boundscheck=True)
def can_move(state: Any, side: int) -> bool:
    """Whether the side can put a disc anywhere."""
    for square in range(64):  # noqa: SIM110
        if is_legal(state, square // 8, square % 8, side):
            return True
    return False


class Othello:
    """The game."""

    id = "othello"
    title = "Othello"
    sides = ("black", "white")
    rows = columns = 8
    pieces = {"b": 0, "w": 1}  # noqa: RUF012
    codes = 64

    def start(self) -> tuple[int, ...]:
        """Two discs of each side in the centre, black's on e4 and d5."""
        return (0, 0, 0, 2 << 6 | 1 << 8, 1 << 6 | 2 << 8, 0, 0, 0, 0)

    @staticmethod
    def turn(state: Any) -> int:
        """Who moves."""
        return int(state[8])

    @staticmethod
    def moves(state: Any, out: Any) -> int:
        """The squares on which a disc of the side to move turns others over."""
        count = 0
        for square in range(64):
            if is_legal(state, square // 8, square % 8, state[8]):
                out[count] = square
                count += 1
        return count

    @staticmethod
    def play(state: Any, move: int) -> None:
        """Put a disc, turn the others over; the other side moves next if it can."""
        side, row, column = state[8], move // 8, move % 8
        for up, right in DIRECTIONS:
            for step in range(1, flips(state, row, column, side, up, right) + 1):
                state[row + up * step] ^= 3 << (2 * (column + right * step))
        state[row] |= (side + 1) << (2 * column)
        if can_move(state, 1 - side):
            state[8] = 1 - side

    @staticmethod
    def outcome(state: Any) -> int:
        """Who has more discs."""
        lead = 0
        for square in range(64):
            found = owner(state, square // 8, square % 8)
            lead += (found == 1) - (found == 2)
        if lead == 0:
            return 2
        return 0 if lead > 0 else 1

    def name(self, move: int) -> str:
        """The square: a1 to h8."""
        return f"{'abcdefgh'[move % 8]}{move // 8 + 1}"

    def cells(self, state: tuple[int, ...]) -> dict[str, str]:
        """What stands where."""
        found = {self.name(square): state[square // 8] >> (2 * (square % 8)) & 3 for square in range(64)}
        return {square: ".bw"[disc] for square, disc in found.items() if disc}


plyground.register(plyground.compiled(Othello()))
