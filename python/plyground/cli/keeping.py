"""Games that are put into the store as they are played; a store that fails loses none of them."""

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
class Keeper:
    """Keeps games in the store, which is opened at the first one: that takes longer than all the rest."""

    where: str | None = None
    """The store's address, as `plyground.store.Store` takes it."""
    store: Store | None = None
    number: int | None = None
    """The number that the game being played has in the store."""
    kept: Record | None = None
    """The game being played as it was kept last."""

    def begin_game(self) -> None:
        """The next record is of another game."""
        self.number = self.kept = None

    def keep(self, record: Record) -> None:
        """Keep a finished game."""
        self.begin_game()
        self.keep_latest(record)

    def keep_latest(self, record: Record, file: Path | None = None) -> None:
        """Keep the game being played, in the place of what was kept of it before; `file` has it too."""
        if record == self.kept:
            return
        try:
            self.number = self._write(record)
        except PlygroundError as error:
            written = file if file is not None else write_aside(record)
            typer.echo(f"{error}. The game is in {written}: plyground games import {written}", err=True)
        self.kept = record

    def _write(self, record: Record) -> int:
        from plyground.store import Store

        if self.store is None:
            self.store = Store(self.where)
        if self.number is not None:
            try:
                self.store.records.replace(self.number, record)
            except UnknownNameError:  # it was deleted meanwhile
                return self.store.records.add(record).id
            return self.number
        return self.store.records.add(record).id


def write_aside(record: Record) -> Path:
    """Write a game to a file of its own where it can be written, and say where."""
    for folder in (platformdirs.user_data_path("plyground"), Path.cwd(), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = Path(tempfile.mkdtemp(prefix="game-", dir=folder)) / "game.json"
            save(file, record)
        except (OSError, PlygroundError):
            continue
        return file
    raise StoreError("the game could be kept neither in the store nor in a file")
