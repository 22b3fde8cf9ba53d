"""Endgame tables of checkers: where they are, building and opening them.

Tables of up to four pieces are made on first use, in about a second; more by `plyground tables build`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_data_path

from plyground._engine import Tables, build_tables
from plyground.errors import TablesError

MOST_PIECES = 6
"""Tables can be built for up to so many pieces."""
AT_FIRST_USE = 4
"""Tables of so many pieces are built when somebody wants tables and there are none."""
OWN_FOLDER = "PLYGROUND_TABLES"
"""The environment variable that names another folder."""

_lock = threading.RLock()
"""Threads open and make tables one after the other."""
_open: dict[Path, Tables] = {}
_in_use: Path | None = None


def default_folder() -> Path:
    """Where tables are unless somebody says otherwise: in the user's data folder."""
    named = os.environ.get(OWN_FOLDER)
    return Path(named) if named else user_data_path("plyground", appauthor=False) / "tables" / "checkers"


def build(
    pieces: int,
    folder: Path | None = None,
    *,
    threads: int | None = None,
    again: bool = False,
    report: Callable[[int, int], object] | None = None,
) -> Tables:
    """Build what is missing of the tables of up to so many pieces, and open them.

    `again` builds what is there too. `report` is called now and then with the positions done and to do; Ctrl-C ends the
    build, and what is done of it stays.
    """
    if not 2 <= pieces <= MOST_PIECES:
        raise TablesError(f"tables of {pieces} pieces: accepted is 2 to {MOST_PIECES}")
    folder = folder or default_folder()
    build_tables(folder, pieces, threads=threads or os.cpu_count() or 1, again=again, report=report)
    _open.pop(folder, None)
    return tables(folder)


def tables(folder: Path | None = None) -> Tables:
    """The tables in a folder, opened once; small ones are built where they are missing."""
    folder = folder or default_folder()
    with _lock:
        if folder not in _open:
            opened = Tables(folder) if any(folder.glob("*.table")) else None
            # In the folder that all programs share somebody may just be building them.
            if opened is None or (folder == default_folder() and opened.pieces < AT_FIRST_USE):
                build_tables(folder, AT_FIRST_USE, threads=os.cpu_count() or 1)
                opened = Tables(folder)
            _open[folder] = opened
        return _open[folder]


def use(folder: Path | None = None) -> Tables:
    """The tables in a folder, made the ones that `Position.exact` and searches of this process ask.

    >>> import plyground
    >>> from plyground.exact.tables import use
    >>> use().pieces >= 4
    True
    >>> plyground.game("checkers").position("B:WK10:BK1").exact
    {'winner': None, 'distance': None}
    """
    global _in_use
    folder = folder or default_folder()
    with _lock:
        opened = tables(folder)
        if _in_use != folder:
            opened.use()
            _in_use = folder
        return opened
