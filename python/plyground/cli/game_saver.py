"""Saves games to the store as they are played; if the store fails, saves them to a file."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import typer

from plyground import PlygroundError, StoreError, UnknownNameError
from plyground.records import Record
from plyground.records.json import save

if TYPE_CHECKING:
    from plyground.store import Store


@dataclass
class GameSaver:
    """Saves games to the store. Opens the store lazily because opening is slow."""

    address: str | None = None
    """Location of the store, as for `plyground.store.Store`."""
    store: Store | None = None
    record_id: int | None = None
    """ID of the current game in the store."""
    saved: Record | None = None
    """The current game as it was last saved."""

    def begin_game(self) -> None:
        """Start a new game: the next record does not replace the previous one."""
        self.record_id = self.saved = None

    def save(self, record: Record) -> None:
        """Save a finished game."""
        self.begin_game()
        self.save_current(record)

    def save_current(self, record: Record, file: Path | None = None) -> None:
        """Save the current game, replacing its earlier version. `file` is a file that already contains it."""
        if record == self.saved:
            return
        try:
            self.record_id = self._write(record)
        except PlygroundError as error:
            written = file if file is not None else save_to_fallback_file(record)
            typer.echo(
                f"{error}. The game was saved to {written}. Import it with: plyground games import {written}", err=True
            )
        self.saved = record

    def _write(self, record: Record) -> int:
        from plyground.store import Store

        if self.store is None:
            self.store = Store(self.address)
        if self.record_id is not None:
            try:
                self.store.records.replace(self.record_id, record)
            except UnknownNameError:  # deleted in the meantime
                return self.store.records.add(record).id
            return self.record_id
        return self.store.records.add(record).id


def save_to_fallback_file(record: Record) -> Path:
    """Save a game to a new file in the first writable folder and return its path."""
    for folder in (platformdirs.user_data_path("plyground"), Path.cwd(), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = Path(tempfile.mkdtemp(prefix="game-", dir=folder)) / "game.json"
            save(file, record)
        except (OSError, PlygroundError):
            continue
        return file
    raise StoreError("the game could not be saved to the store or to a file")
