"""The database under the store: where it is, how it is opened, and its transactions."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from plyground.errors import ParseError, StoreError
from plyground.store.migrate import LOCK, VERSION_TABLE, migrate
from plyground.store.models import Base

VARIABLE = "PLYGROUND_STORE"
"""The environment variable that says where the store is."""
PATIENCE = 30
"""Seconds that a writer waits for another one."""


def store_url(where: str | None = None) -> URL:
    """The address of a store: as given, else as `VARIABLE` says, else a file in the user's data folder.

    A text without ``://`` is the path of a file.
    """
    where = where or os.environ.get(VARIABLE) or str(platformdirs.user_data_path("plyground") / "store.sqlite")
    if "://" not in where:
        return URL.create("sqlite", database=str(Path(where).expanduser().absolute()))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as error:  # the address is not shown: it may hold a password
        raise ParseError(f"the address of the store is not one: {_ACCEPTED}") from error
    kind = url.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite" or url.database in (None, "", ":memory:"):
        raise ParseError(f"store {url.render_as_string()[:80]!r}: {_ACCEPTED}")
    return url.set(drivername="sqlite")


_ACCEPTED = "accepted is a file, sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"


class Database:
    """Transactions on the tables; whatever goes wrong in one undoes all of it and becomes a `StoreError`."""

    def __init__(self, url: URL) -> None:
        self.url = url
        with self._errors():
            self._engine = _engine(url)
            self._reading = self._engine
            if url.drivername != "sqlite":  # where every transaction sees one state anyway
                self._reading = self._engine.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            self._writing = self._engine.execution_options(writes=True)
            try:
                with self._writing.begin() as connection:
                    migrate(connection, str(self))
            except BaseException:
                self.close()
                raise

    def __str__(self) -> str:
        if self.url.drivername == "sqlite":
            return str(self.url.database)
        return self.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One unchanging view of the tables."""
        with self._errors(), Session(self._reading) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """All changes or none; they are on disk when the block is left."""
        with self._errors(), Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Give every connection back."""
        self._engine.dispose()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise StoreError(f"the store {self}: {_first_line(error.orig)}") from error
        except SQLAlchemyError as error:
            raise StoreError(f"the store {self}: {_first_line(error)}") from error
        except sqlite3.Error as error:
            raise StoreError(f"the store {self}: {_first_line(error)}") from error
        except OSError as error:
            raise StoreError(f"the store {self}: {error.strerror or error}") from error


def insert_new(session: Session, table: type[Base], unique: Sequence[str], values: list[dict[str, Any]]) -> list[Any]:
    """Insert rows, passing over those whose `unique` columns are there already; those columns of the inserted ones.

    Another program may insert the same rows at the same time: only one of the two is told that it did.
    """
    if not values:
        return []
    into: Any = sqlite.insert(table)
    if session.get_bind().dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        into = postgresql.insert(table)
    returned = [getattr(table, name) for name in unique]
    return list(session.execute(into.on_conflict_do_nothing(index_elements=unique).returning(*returned), values))


def one_at_a_time(session: Session) -> None:
    """Wait for others who asked for the same, until the end of the transaction.

    Two that insert the same rows in different orders would else wait for each other. SQLite has one writer anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK + 1})


def _engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": PATIENCE})
        except ModuleNotFoundError as error:
            raise StoreError("PostgreSQL needs a package more: pip install 'plyground[postgresql]'") from error
    file = Path(str(url.database))
    file.parent.mkdir(parents=True, exist_ok=True)
    _check_ours(file)
    engine = create_engine(url, connect_args={"timeout": PATIENCE})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _check_ours(file: Path) -> None:
    """An error if the file is there and holds something else; it is looked at without being changed."""
    if not file.exists() or file.stat().st_size == 0:
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and VERSION_TABLE not in tables:
        raise StoreError(f"{file} is no store of Plyground's but the database of another program")


def _set_up_sqlite(connection: Any, _: object) -> None:
    """Readers and one writer at a time (WAL); a commit is on disk when it returns (FULL)."""
    connection.isolation_level = None  # transactions begin in `_begin_sqlite`
    connection.create_function("lower", 1, _lower, deterministic=True)
    for setting in ("busy_timeout = 30000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}").close()


def _lower(text: str | None) -> str | None:
    """A text in small letters, of every alphabet; what SQLite has by itself knows the English one."""
    return None if text is None else text.lower()


def _begin_sqlite(connection: Connection) -> None:
    """Who is going to write waits for the other writers now: once it has read, it would be refused."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _first_line(error: object) -> str:
    return str(error).strip().split("\n")[0][:300]
