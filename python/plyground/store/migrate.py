"""Creates and upgrades the tables with the Alembic migrations in `migrations/versions`.

Alembic is imported only if there is a migration to run.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from plyground.errors import StoreError
from plyground.store.models import Base

HEAD = "0005"
"""The newest revision. Revisions are zero-padded numbers, so a newer one compares greater."""
VERSION_TABLE = "plyground_version"
MIGRATIONS = Path(__file__).with_name("migrations")
LOCK = 7_598_543_120
"""Key of the PostgreSQL advisory lock that serialises migrations."""


def migrate(connection: Connection, name: str, *, folder: Path = MIGRATIONS, head: str = HEAD) -> None:
    """Create or upgrade the tables within the connection's transaction; raise `StoreError` for a newer schema."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    version = _version(connection, name)
    if version == head:
        return
    if version is not None and version > head:
        raise StoreError(
            f"store {name} was written by a newer version of Plyground (schema version {version}); this one supports "
            f"schema versions up to {head}. Upgrade with: pip install --upgrade plyground"
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
    """Return the revision of the schema, or None if the database is empty."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        version: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608
        return version
    if taken := sorted(Base.metadata.tables.keys() & tables):
        raise StoreError(
            f"{name} is not a Plyground store, but contains tables with names that a store uses: {', '.join(taken)}"
        )
    return None
