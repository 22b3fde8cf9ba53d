"""Memory usage and CPU time of a process and its descendants, read from /proc."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path

IDLE_SHARE = 0.2
"""CPU seconds per second below which a server counts as idle."""


def process_tree(pid: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    found = [pid]
    for child in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for text in child.read_text().split():
                found += process_tree(int(text))
    return found


def memory_mebibytes(pid: int) -> float:
    """Return the memory usage of a process and its descendants in MiB, counting shared pages once (PSS)."""
    total = 0
    for one in process_tree(pid):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
                total += int(line.split()[1]) if line.startswith("Pss:") else 0
    return total / 1024


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and its living descendants in seconds."""
    ticks = 0
    for one in process_tree(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def is_idle(pid: int, seconds: float = 0.5) -> bool:
    """Whether a server is idle, measured over `seconds`."""
    before = cpu_seconds(pid)
    time.sleep(seconds)
    return cpu_seconds(pid) - before < IDLE_SHARE * seconds


class PeakMemory:
    """Peak memory usage of a process tree in MiB, sampled in the background."""

    def __init__(self, pid: int) -> None:
        self.mebibytes = 0.0
        self._pid = pid
        self._ended = threading.Event()
        threading.Thread(target=self._sample, daemon=True).start()

    def _sample(self) -> None:
        while not self._ended.wait(0.2):
            self.mebibytes = max(self.mebibytes, memory_mebibytes(self._pid))

    def stop(self) -> None:
        """Stop sampling."""
        self._ended.set()
