"""Progress on standard error, shown only if it is a terminal."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress


def make_bar(*extra_columns: str, counted: bool = True, hidden: bool = False) -> Progress:
    """Return a progress bar with the elapsed and remaining time.

    With `counted`, show a count such as 3/10 instead of a percentage.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining

    console = Console(stderr=True)
    done = MofNCompleteColumn() if counted else TaskProgressColumn()
    columns: tuple[Any, ...] = ("{task.description}", BarColumn(), done, Elapsed(), Remaining(), *extra_columns)
    return Progress(*columns, console=console, transient=True, disable=hidden or not console.is_terminal)


class ProgressReport(Protocol):
    """Updates a progress bar."""

    def __call__(self, done: int, total: int, details: str = "", /) -> object:
        """Show the completed and total work, and `details` at the end of the bar."""


@contextmanager
def show_progress(description: str, *, counted: bool = True) -> Iterator[ProgressReport]:
    """Show a progress bar; yield a function that updates it."""
    with make_bar("{task.fields[details]}", counted=counted) as bar:
        task = bar.add_task(description, total=None, details="")

        def report(done: int, total: int, details: str = "", /) -> None:
            bar.update(task, completed=done, total=total, details=details)

        yield report


@contextmanager
def show_status(text: str) -> Iterator[Callable[[str], None]]:
    """Show a line with a spinner while the block runs; yield a function that replaces its text."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.text import Text

    def one_line(text: str) -> Text:
        return Text(text, no_wrap=True, overflow="ellipsis")

    with Console(stderr=True).status(one_line(text)) as status:
        yield lambda text: status.update(one_line(text))


@contextmanager
def on_first_ctrl_c(action: Callable[[], object]) -> Iterator[None]:
    """Call `action` at the first Ctrl-C in the block; the second one raises `KeyboardInterrupt` as usual."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        action()

    previous = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
