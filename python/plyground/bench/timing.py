"""Interleaved timing: the candidates take turns in every round, and the median over all rounds is reported."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plyground._engine import split_seed
from plyground.errors import ParseError

Batch = Callable[[], int]
"""The timed code; returns the number of units of work it did."""
Workload = Callable[[int, int], Batch]
"""Prepares a batch from its size and a seed; the preparation is not timed."""


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    seconds: float = 0.3
    """CPU time per batch, in seconds."""
    rounds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 600:
            raise ParseError(f"seconds must be above 0 and at most 600, got {self.seconds}")
        if not 1 <= self.rounds <= 1000:
            raise ParseError(f"rounds must be between 1 and 1000, got {self.rounds}")


@dataclass(frozen=True)
class Speed:
    """Units of work per second of process CPU time and per second of wall-clock time."""

    per_second: float
    wall_per_second: float


def interleave(workloads: Sequence[Workload], effort: Effort) -> list[Speed]:
    """Return the median speed of each workload; the workloads take turns in every round."""
    sizes = [_batch_size(workload, effort) for workload in workloads]
    rounds: list[list[Speed]] = [[] for _ in workloads]
    for round_number in range(effort.rounds):
        for speeds, workload, size in zip(rounds, workloads, sizes, strict=True):
            speeds.append(_time(workload(size, split_seed(effort.seed, round_number))))
    return [
        Speed(
            statistics.median(speed.per_second for speed in speeds),
            statistics.median(speed.wall_per_second for speed in speeds),
        )
        for speeds in rounds
    ]


def _batch_size(workload: Workload, effort: Effort) -> int:
    """Return the size of a batch that takes about `effort.seconds`; finding it also serves as a warm-up."""
    size = 1
    while True:
        batch = workload(size, effort.seed)
        started = time.process_time()
        batch()
        elapsed = time.process_time() - started
        if elapsed >= effort.seconds / 8:
            return max(1, round(size * effort.seconds / elapsed))
        size *= 3


def _time(batch: Batch) -> Speed:
    wall, cpu = time.perf_counter(), time.process_time()
    units = batch()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Speed(units / max(cpu, 1e-9), units / max(wall, 1e-9))
