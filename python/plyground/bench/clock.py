"""Honest timing: the same clock for everybody, in turns, the middle one of several rounds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plyground._engine import split_seed
from plyground.errors import ParseError

Batch = Callable[[], int]
"""What is timed: it does some work and says how many units it was."""
Work = Callable[[int, int], Batch]
"""Makes a batch from a size and a seed; what it does before the batch is not timed."""


@dataclass(frozen=True)
class Effort:
    """How much measuring is done."""

    seconds: float = 0.3
    """CPU time of one batch."""
    rounds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 600:
            raise ParseError(f"seconds {self.seconds}: accepted is a number above 0 and at most 600")
        if not 1 <= self.rounds <= 1000:
            raise ParseError(f"rounds {self.rounds}: accepted is a number from 1 to 1000")


@dataclass(frozen=True)
class Speed:
    """Units of work in a second of process CPU time, and in a second of the clock on the wall."""

    per_second: float
    wall_per_second: float


def alternate(works: Sequence[Work], effort: Effort) -> list[Speed]:
    """The speed of each work: they take turns, round by round, and each one's median round counts."""
    sizes = [_batch_size(work, effort) for work in works]
    rounds: list[list[Speed]] = [[] for _ in works]
    for turn in range(effort.rounds):
        for speeds, work, size in zip(rounds, works, sizes, strict=True):
            speeds.append(_time(work(size, split_seed(effort.seed, turn))))
    return [
        Speed(
            statistics.median(speed.per_second for speed in speeds),
            statistics.median(speed.wall_per_second for speed in speeds),
        )
        for speeds in rounds
    ]


def _batch_size(work: Work, effort: Effort) -> int:
    """The size of a batch that takes about `effort.seconds`; finding it also warms up."""
    size = 1
    while True:
        batch = work(size, effort.seed)
        begun = time.process_time()
        batch()
        taken = time.process_time() - begun
        if taken >= effort.seconds / 8:
            return max(1, round(size * effort.seconds / taken))
        size *= 3


def _time(batch: Batch) -> Speed:
    wall, cpu = time.perf_counter(), time.process_time()
    units = batch()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Speed(units / max(cpu, 1e-9), units / max(wall, 1e-9))
