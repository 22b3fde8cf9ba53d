"""The one progress bar of the command line: on standard error, where that is a terminal, and gone when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress


def make_bar(*more: str, counted: bool = True, hidden: bool = False) -> Progress:
    """A bar with what is done, the time it took and the time that is left; `more` are columns of the caller's own.

    `counted` says whether the numbers mean something to a person, as games do; else a percentage is shown.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining

    console = Console(stderr=True)
    done = MofNCompleteColumn() if counted else TaskProgressColumn()
    columns: tuple[Any, ...] = ("{task.description}", BarColumn(), done, Elapsed(), Remaining(), *more)
    return Progress(*columns, console=console, transient=True, disable=hidden or not console.is_terminal)


@contextmanager
def shown(words: str, *, counted: bool = True) -> Iterator[Callable[[int, int], None]]:
    """A bar for one thing; what is given out is told how much is done, and how much there is in all."""
    with make_bar(counted=counted) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
