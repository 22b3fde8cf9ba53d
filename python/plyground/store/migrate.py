"""Bringing the tables of a store to the form this program knows.

Migrations are Alembic's, in `migrations/versions`. Alembic is imported only where there is something to do.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from plyground.errors import StoreError
from plyground.store.models import Base

HEAD = "0003"
"""The newest migration; revisions are numbered, so that a newer store is known to be newer."""
VERSION_TABLE = "plyground_version"
MIGRATIONS = Path(__file__).with_name("migrations")
LOCK = 7_598_543_120
"""The number of the lock in PostgreSQL under which one program at a time migrates."""


def migrate(connection: Connection, name: str, *, folder: Path = MIGRATIONS, head: str = HEAD) -> None:
    """Create the tables, or upgrade older ones, within the connection's transaction; newer ones are refused."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    version = _version(connection, name)
    if version == head:
        return
    if version is not None and version > head:
        raise StoreError(
            f"the store {name} was made by a newer Plyground (its form is {version}); this one knows forms up to "
            f"{head}: update it with pip install --upgrade plyground"
        )
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(folder))
    options = {"version_table": VERSION_TABLE, "fn": lambda revision, _: scripts._upgrade_revs(head, revision)}
    context = MigrationContext.configure(connection, opts=options)
    with Operations.context(context):
        context.run_migrations()


def _version(connection: Connection, name: str) -> str | None:
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        version: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608
        return version
    if taken := sorted(Base.metadata.tables.keys() & tables):
        raise StoreError(f"{name} is no store of Plyground's, and has tables of the same names: {', '.join(taken)}")
    return None
