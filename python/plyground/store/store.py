"""The store: one attribute for each kind of stored data."""

from __future__ import annotations

from types import TracebackType

from plyground.store.database import Database, store_url
from plyground.store.jobs import Jobs
from plyground.store.ratings import Ratings
from plyground.store.records import Records
from plyground.store.reviews import Reviews
from plyground.store.runs import Runs
from plyground.store.secrets import Secrets
from plyground.store.tournaments import Tournaments
from plyground.store.visitor_games import VisitorGames


class Store:
    """An open store. Every call is one transaction; when it returns, its changes are on disk.

    `location` is the path of an SQLite file or the URL of a PostgreSQL database. It defaults to the environment
    variable PLYGROUND_STORE, then to a file in the user's data directory. A missing store is created, and a store
    from an older version of Plyground is upgraded. A store may be shared between threads.

    >>> import tempfile
    >>> from plyground.records import Record
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.sqlite") as store:
    ...     added = store.records.add(Record("tictactoe", ("b2", "a1")), tags=["short"])
    ...     store.records.get(added.id).record.moves
    ('b2', 'a1')
    """

    def __init__(self, location: str | None = None) -> None:
        self._database = Database(store_url(location))
        self.records = Records(self._database)
        self.tournaments = Tournaments(self._database)
        self.ratings = Ratings(self._database)
        self.runs = Runs(self._database)
        self.visitor_games = VisitorGames(self._database)
        self.reviews = Reviews(self._database)
        self.jobs = Jobs(self._database)
        self.secrets = Secrets(self._database)

    def __str__(self) -> str:
        """The location of the store, without the password."""
        return str(self._database)

    def check(self) -> None:
        """Raise `StoreError` if the database does not answer."""
        self._database.check()

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
