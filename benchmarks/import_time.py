"""The time that `import plyground` takes in a new process."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from figures import Figures

RUNS = 20
CODE = "import time; start = time.perf_counter(); import plyground; print(time.perf_counter() - start)"


def import_time(effort: float) -> Figures:
    """Return the median time in milliseconds."""
    command = [sys.executable, "-c", CODE]
    runs = range(max(3, round(RUNS * effort)))
    seconds = [float(subprocess.check_output(command, text=True)) for _ in runs]  # noqa: S603  our own code
    return {"import plyground, median": 1000 * median(seconds)}
