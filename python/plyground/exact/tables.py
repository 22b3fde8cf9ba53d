"""Endgame tables for checkers: where they are stored, and how they are built and opened.

Tables of up to four pieces are built on first use, in about a second; larger ones by `plyground tables build`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_data_path

from plyground._engine import Tables, build_tables
from plyground.errors import TablesError

GAME = "checkers"
"""Id of the game that the tables are for."""
MAX_PIECES = 6
"""Maximum number of pieces in tables that can be built."""
DEFAULT_PIECES = 4
"""Maximum number of pieces in the tables built on first use."""
FOLDER_VARIABLE = "PLYGROUND_TABLES"
"""Environment variable that overrides the default folder."""

_lock = threading.RLock()
"""Serialises opening and building."""
_open: dict[Path, Tables] = {}
_active: Path | None = None


def default_folder() -> Path:
    """Return the folder set in `PLYGROUND_TABLES`, or a folder in the user's data directory."""
    folder = os.environ.get(FOLDER_VARIABLE)
    return Path(folder) if folder else user_data_path("plyground", appauthor=False) / "tables" / GAME


def build(
    pieces: int,
    folder: Path | None = None,
    *,
    threads: int | None = None,
    rebuild: bool = False,
    report: Callable[[int, int], object] | None = None,
) -> Tables:
    """Build the missing tables of up to `pieces` pieces and open them.

    `rebuild` replaces existing tables. `report` is called regularly with the number of positions done and the total.
    Ctrl-C interrupts the build; finished slices are kept.
    """
    if not 2 <= pieces <= MAX_PIECES:
        raise TablesError(f"pieces must be between 2 and {MAX_PIECES}, got {pieces}")
    folder = folder or default_folder()
    build_tables(folder, pieces, threads=threads or os.cpu_count() or 1, rebuild=rebuild, report=report)
    _open.pop(folder, None)
    return tables(folder)


def tables(folder: Path | None = None) -> Tables:
    """Return the tables in a folder, which is opened only once; small tables are built if there are none."""
    folder = folder or default_folder()
    with _lock:
        if folder not in _open:
            opened = Tables(folder) if any(folder.glob("*.table")) else None
            # In the shared default folder, another process may be building the tables right now.
            if opened is None or (folder == default_folder() and opened.pieces < DEFAULT_PIECES):
                build_tables(folder, DEFAULT_PIECES, threads=os.cpu_count() or 1)
                opened = Tables(folder)
            _open[folder] = opened
        return _open[folder]


def activate_tables(folder: Path | None = None) -> Tables:
    """Open the tables in a folder and make `Position.proven_value` and searches in this process use them.

    >>> import plyground
    >>> from plyground.exact.tables import activate_tables
    >>> activate_tables().pieces >= 4
    True
    >>> plyground.game("checkers").position("B:WK10:BK1").proven_value
    {'winner': None, 'distance': None}
    """
    global _active
    folder = folder or default_folder()
    with _lock:
        opened = tables(folder)
        if _active != folder:
            opened.activate()
            _active = folder
        return opened
