"""Prioritised replay (Schaul et al. 2016) of the positions of episodes, with n-step returns.

Results and values are for the side to move: 1 a win, 0 a draw, -1 a loss.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from plyground._engine import Position, episode_transitions
from plyground.learn.padding import padded

RANDOM_MOVE, TEACHER_MOVE = 1, 2
"""How a move was chosen; see `episode_transitions`."""
MIN_ERROR = 0.01
"""Added to the error of each position, so that all of them can be drawn."""


def returns(
    results: np.ndarray, turns: np.ndarray, is_random: np.ndarray, ends: np.ndarray, steps: int, discount: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the length of each position's return in plies, its discounted result, and the factor of the later value.

    A return counts `steps` moves, fewer at the end of the game or before a random move, because the player would not
    have chosen it (Watkins 1989). The later value is for the side to move then; its factor is 0 at the end.
    """
    index = np.arange(len(turns))
    end = np.repeat(ends, np.diff(ends, prepend=0))
    length = np.minimum(steps, end - index)
    for offset in range(steps - 1, 0, -1):
        later = np.minimum(index + offset, len(turns) - 1)
        length = np.where((index + offset < end) & is_random[later], offset, length)
    is_end = index + length == end
    result = np.where(is_end, discount ** (length - 1) * results, 0.0)
    same_side = turns[np.minimum(index + length, len(turns) - 1)] == turns
    factor = np.where(is_end, 0.0, np.where(same_side, 1.0, -1.0) * discount**length)
    return length, result, factor


class SumTree:
    """The priorities of rows, with their sums in a binary tree, so that rows can be drawn in proportion to them."""

    def __init__(self, rows: int) -> None:
        self._levels = (rows - 1).bit_length()
        self._sums = np.zeros(2 << self._levels)

    @property
    def total(self) -> float:
        """The sum of all priorities."""
        return float(self._sums[1])

    def get(self, rows: np.ndarray) -> np.ndarray:
        """Return the priorities of rows."""
        priorities: np.ndarray = self._sums[rows + (1 << self._levels)]
        return priorities

    def set(self, rows: np.ndarray, priorities: np.ndarray) -> None:
        """Set the priorities of rows."""
        nodes = rows + (1 << self._levels)
        self._sums[nodes] = priorities
        for _ in range(self._levels):
            nodes = nodes >> 1
            self._sums[nodes] = self._sums[2 * nodes] + self._sums[2 * nodes + 1]

    def draw(self, fractions: np.ndarray) -> np.ndarray:
        """Return the rows at fractions, 0 to 1, of the sum of all priorities."""
        rest, nodes = fractions * self.total, np.ones(len(fractions), np.int64)
        for _ in range(self._levels):
            left = self._sums[2 * nodes]
            is_right = (rest >= left) & (self._sums[2 * nodes + 1] > 0)
            rest = np.where(is_right, rest - left, rest)
            nodes = 2 * nodes + is_right
        return nodes - (1 << self._levels)


@dataclass(frozen=True)
class Positions:
    """Positions as arrays with one row per position."""

    own: np.ndarray
    """The input features seen by the side to move, padded with the number of features."""
    other: np.ndarray
    """The input features seen by its opponent, padded in the same way."""
    pieces: np.ndarray
    """The number of input features."""
    legal: np.ndarray
    """The actions of the legal moves, padded with -1."""


@dataclass(frozen=True)
class Targets:
    """What followed each of a number of positions."""

    move: np.ndarray
    """The index of the chosen move among the legal moves."""
    is_taught: np.ndarray
    """Whether the teacher chose it."""
    result: np.ndarray
    """The discounted result, 0 unless the game ended within the return."""
    factor: np.ndarray
    """The factor of the value of the position after the return; 0 if the game ended."""
    later: np.ndarray
    """The row of the position after the return."""


class ReplayBuffer:
    """The latest positions of episodes, drawn by priority."""

    def __init__(self, start: Position, rows: int, *, steps: int, discount: float) -> None:
        self._start, self._rows, self._steps, self._discount = start, rows, steps, discount
        self._own, self._other, self._legal = (np.zeros((rows, 0), np.int32) for _ in range(3))
        self._pieces, self._move, self._length = (np.zeros(rows, np.int32) for _ in range(3))
        self._result, self._factor = (np.zeros(rows, np.float32) for _ in range(2))
        self._is_taught = np.zeros(rows, np.bool_)
        self._priorities = SumTree(rows)
        self._highest = 1.0
        """The highest priority so far, which new positions get."""
        self._next_row = 0
        self._episodes: deque[bytes] = deque()
        self._episode_rows = 0
        """The number of positions in `_episodes`, of which the oldest may have been overwritten."""

    def __len__(self) -> int:
        """Return the number of positions."""
        return min(self._rows, self._episode_rows)

    def append(self, episodes: Iterable[bytes]) -> int:
        """Append the positions of episodes, at most as many as there are rows; return their number.

        They replace the oldest positions.
        """
        added = list(episodes)
        data = episode_transitions(self._start, b"".join(added))
        count = len(data["turns"])
        rows = (self._next_row + np.arange(count)) % self._rows
        self._write(rows, data)
        self._priorities.set(rows, np.full(count, self._highest))
        self._next_row = (self._next_row + count) % self._rows
        self._episodes.extend(added)
        self._episode_rows += count
        while self._episode_rows - plies(self._episodes[0]) >= self._rows:
            self._episode_rows -= plies(self._episodes.popleft())
        return count

    def _write(self, rows: np.ndarray, data: dict[str, bytes]) -> None:
        offsets = np.frombuffer(data["feature_offsets"], "<u4").astype(np.int64)
        padding = self._start.game.features
        legal = padded(data["legal"], np.frombuffer(data["legal_offsets"], "<u4").astype(np.int64), -1)
        self._own = _write(self._own, rows, padded(data["own"], offsets, padding), padding)
        self._other = _write(self._other, rows, padded(data["other"], offsets, padding), padding)
        self._legal = _write(self._legal, rows, legal, -1)
        self._pieces[rows] = np.diff(offsets, prepend=0)
        self._move[rows] = (legal == np.frombuffer(data["actions"], "<u4").astype(np.int64)[:, None]).argmax(1)
        choices, turns = np.frombuffer(data["choices"], "u1"), np.frombuffer(data["turns"], "u1")
        self._is_taught[rows] = choices == TEACHER_MOVE
        results, ends = np.frombuffer(data["results"], "i1"), np.frombuffer(data["ends"], "<u4").astype(np.int64)
        self._length[rows], self._result[rows], self._factor[rows] = returns(
            results, turns, choices == RANDOM_MOVE, ends, self._steps, self._discount
        )

    def draw(self, count: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw rows by priority, stratified; return them with their probabilities."""
        rows = self._priorities.draw((np.arange(count) + random.random(count)) / count)
        return rows, self._priorities.get(rows) / self._priorities.total

    def positions(self, rows: np.ndarray) -> Positions:
        """Return the positions of rows."""
        legal, pieces = self._legal[rows], self._pieces[rows]
        most_moves, most_pieces = int((legal >= 0).sum(1).max(initial=1)), int(pieces.max(initial=1))
        return Positions(self._own[rows, :most_pieces], self._other[rows, :most_pieces], pieces, legal[:, :most_moves])

    def targets(self, rows: np.ndarray) -> Targets:
        """Return what followed the positions of rows."""
        later = (rows + self._length[rows]) % self._rows
        return Targets(self._move[rows], self._is_taught[rows], self._result[rows], self._factor[rows], later)

    def set_errors(self, rows: np.ndarray, errors: np.ndarray, exponent: float) -> None:
        """Set the priorities of rows to their absolute errors, raised to a power from 0 (uniform) to 1."""
        # Rounded as in `save`, so that a restored buffer is equal.
        priorities = ((np.abs(errors) + MIN_ERROR) ** exponent).astype(np.float32).astype(np.float64)
        self._priorities.set(rows, priorities)
        self._highest = max(self._highest, float(priorities.max()))

    def save(self) -> tuple[bytes, bytes, dict[str, float]]:
        """Return the episodes, the priorities as 32-bit floating-point numbers, and the other state."""
        priorities = self._priorities.get(np.arange(self._rows)).astype("<f4")
        return (
            b"".join(self._episodes),
            priorities.tobytes(),
            {"next_row": self._next_row, "highest": self._highest},
        )

    def load(self, episodes: bytes, priorities: bytes, state: dict[str, float]) -> None:
        """Restore a saved state in a new buffer."""
        found = list(_split(episodes))
        self._next_row = (int(state["next_row"]) - sum(map(plies, found))) % self._rows
        for episode in found:
            self.append([episode])
        self._priorities.set(np.arange(self._rows), np.frombuffer(priorities, "<f4").astype(np.float64))
        self._highest = state["highest"]


def result(episode: bytes) -> int:
    """Return the first side's result of an episode: 1, 0 or -1."""
    return int.from_bytes(episode[:1], "little", signed=True)


def plies(episode: bytes) -> int:
    """Return the number of plies of an episode."""
    return int.from_bytes(episode[1:3], "little")


def _split(episodes: bytes) -> Iterator[bytes]:
    """Return concatenated episodes: a head of 3 bytes and 3 bytes for each ply."""
    while episodes:
        length = 3 + 3 * plies(episodes)
        yield episodes[:length]
        episodes = episodes[length:]


def _write(array: np.ndarray, rows: np.ndarray, values: np.ndarray, padding: int) -> np.ndarray:
    """Write values to rows of an array, which gets more columns if needed, and return it."""
    if values.shape[1] > array.shape[1]:
        more = np.full((len(array), values.shape[1] - array.shape[1]), padding, array.dtype)
        array = np.concatenate([array, more], axis=1)
    array[rows, : values.shape[1]] = values
    array[rows, values.shape[1] :] = padding
    return array
