"""The database of a store: location, connections and transactions."""

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
"""Environment variable with the location of the store."""
TIMEOUT_S = 30
"""Timeout for locks and connections, in seconds."""


def store_url(location: str | None = None) -> URL:
    """Return the URL of a store.

    The location defaults to the environment variable `VARIABLE`, then to a file in the user's data directory. A
    location without ``://`` is the path of a file.
    """
    location = location or os.environ.get(VARIABLE) or str(platformdirs.user_data_path("plyground") / "store.sqlite")
    if "://" not in location:
        return URL.create("sqlite", database=str(Path(location).expanduser().absolute()))
    try:
        url = make_url(location)
    except (ArgumentError, ValueError) as error:  # the URL is not shown because it may contain a password
        raise ParseError(f"the store location {_ALLOWED}, got an invalid URL") from error
    kind = url.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite" or url.database in (None, "", ":memory:"):
        raise ParseError(f"the store location {_ALLOWED}, got {url.render_as_string()[:80]!r}")
    return url.set(drivername="sqlite")


_ALLOWED = "must be a file, sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"


class Database:
    """Transactions on the tables. Failed transactions are rolled back, and database errors become `StoreError`."""

    def __init__(self, url: URL) -> None:
        self.url = url
        with self._errors():
            self._engine = _engine(url)
            self._reading = self._engine
            if url.drivername != "sqlite":  # SQLite transactions are always serializable
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
        """Open a read-only transaction with a consistent snapshot of the tables."""
        with self._errors(), Session(self._reading) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a transaction that is committed to disk when the block exits normally."""
        with self._errors(), Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def check(self) -> None:
        """Raise `StoreError` if the database does not answer a query."""
        with self.reading() as session:
            session.execute(text("SELECT 1"))

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise StoreError(f"store {self}: {_first_line(error.orig)}") from error
        except SQLAlchemyError as error:
            raise StoreError(f"store {self}: {_first_line(error)}") from error
        except sqlite3.Error as error:
            raise StoreError(f"store {self}: {_first_line(error)}") from error
        except OSError as error:
            raise StoreError(f"store {self}: {error.strerror or error}") from error


def insert_new(session: Session, table: type[Base], unique: Sequence[str], values: list[dict[str, Any]]) -> list[Any]:
    """Insert rows, ignoring those that conflict on the `unique` columns; return those columns of the inserted rows.

    If two concurrent transactions insert the same row, only one of them returns it.
    """
    if not values:
        return []
    returned = [getattr(table, name) for name in unique]
    into = _insert(session, table).on_conflict_do_nothing(index_elements=unique)
    return list(session.execute(into.returning(*returned), values))


def replace_rows(session: Session, table: type[Base], unique: Sequence[str], values: list[dict[str, Any]]) -> None:
    """Insert rows; each replaces the row with the same `unique` columns, if there is one."""
    if values:
        into = _insert(session, table)
        others = {name: into.excluded[name] for name in values[0] if name not in unique}
        session.execute(into.on_conflict_do_update(index_elements=unique, set_=others), values)


def _insert(session: Session, table: type[Base]) -> Any:
    """Return an INSERT statement of the database's dialect."""
    if session.get_bind().dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    return sqlite.insert(table)


def serialize_writers(session: Session) -> None:
    """Hold an advisory lock until the end of the transaction.

    It prevents deadlocks between transactions that insert the same rows in different orders. SQLite needs no such lock
    because it allows only one writer at a time.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK + 1})


def _engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": TIMEOUT_S})
        except ModuleNotFoundError as error:
            raise StoreError(
                "PostgreSQL requires the `postgresql` extra: pip install 'plyground[postgresql]'"
            ) from error
    file = Path(str(url.database))
    file.parent.mkdir(parents=True, exist_ok=True)
    _check_is_store(file)
    engine = create_engine(url, connect_args={"timeout": TIMEOUT_S})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _check_is_store(file: Path) -> None:
    """Raise `StoreError` if the file is another program's database. The file is opened read-only."""
    if not file.exists() or file.stat().st_size == 0:
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=TIMEOUT_S)) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and VERSION_TABLE not in tables:
        raise StoreError(f"{file} is not a Plyground store but another program's database")


def _set_up_sqlite(connection: Any, _: object) -> None:
    """WAL allows reads during a write; with synchronous=FULL, a commit is on disk when it returns."""
    connection.isolation_level = None  # `_begin_sqlite` starts transactions
    connection.create_function("lower", 1, _lower, deterministic=True)
    for setting in ("busy_timeout = 30000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}").close()


def _lower(text: str | None) -> str | None:
    """Lowercase all letters; SQLite's built-in function handles only ASCII."""
    return None if text is None else text.lower()


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at the start: upgrading a read transaction fails if another connection has written since."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _first_line(error: object) -> str:
    return str(error).strip().split("\n")[0][:300]
