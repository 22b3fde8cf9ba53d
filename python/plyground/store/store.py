"""The store, opened: a room for each kind of thing that is kept."""

from __future__ import annotations

from types import TracebackType

from plyground.store.database import Database, store_url
from plyground.store.plays import Plays
from plyground.store.ratings import Ratings
from plyground.store.records import Records
from plyground.store.reviews import Reviews
from plyground.store.runs import Runs
from plyground.store.tournaments import Tournaments
from plyground.store.works import Works


class Store:
    """Where things are kept. Every call is one transaction: when it returns, what it wrote is on disk.

    `where` is a file, or the address of a PostgreSQL database; without it the environment variable PLYGROUND_STORE
    says it, else it is a file in the user's data folder. A store that is not there is made, one of an older Plyground
    is brought up to date. Threads may share a store.

    >>> import tempfile
    >>> from plyground.records import Record
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.sqlite") as store:
    ...     added = store.records.add(Record("tictactoe", ("b2", "a1")), tags=["short"])
    ...     store.records.get(added.id).record.moves
    ('b2', 'a1')
    """

    def __init__(self, where: str | None = None) -> None:
        self._database = Database(store_url(where))
        self.records = Records(self._database)
        self.tournaments = Tournaments(self._database)
        self.ratings = Ratings(self._database)
        self.runs = Runs(self._database)
        self.plays = Plays(self._database)
        self.reviews = Reviews(self._database)
        self.works = Works(self._database)

    def __str__(self) -> str:
        """Where it is; a password is not shown."""
        return str(self._database)

    def close(self) -> None:
        """Leave the database."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
