"""Progress bars of library functions, shown only on a terminal or in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

Advance = Callable[[int], None]
"""Takes the completed amount of work."""


def is_shown(progress: bool | None) -> bool:
    """Return `progress`; if it is None, whether standard error is a terminal or the program runs in a notebook."""
    return progress if progress is not None else sys.stderr.isatty() or _is_notebook()


def _is_notebook() -> bool:
    """Whether the program runs in a notebook that can display progress bars, for which Rich requires ipywidgets."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell" and find_spec("ipywidgets") is not None


@contextmanager
def progress_bar(description: str, total: int, progress: bool | None = None) -> Iterator[Advance]:
    """Show a progress bar; yield a function that takes the completed amount of work.

    >>> with progress_bar("Games", 10) as show:
    ...     show(1)
    """
    if not is_shown(progress):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda completed: bar.update(task, completed=completed)
