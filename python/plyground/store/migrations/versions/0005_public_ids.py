"""Add public ids of records, versions of visitors' games, and the secrets of a server."""

import json
import secrets

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

BATCH = 1000
"""Number of rows that are read at a time."""


def upgrade() -> None:
    op.add_column("records", sa.Column("public_id", sa.String(length=22), nullable=False, server_default=""))
    op.add_column("visitor_games", sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
    connection = op.get_bind()
    _fill_public_ids(connection)
    _fill_versions(connection)
    op.create_index("ix_records_public_id", "records", ["public_id"], unique=True)


def _fill_public_ids(connection: sa.Connection) -> None:
    records = sa.table("records", sa.column("id", sa.BigInteger()), sa.column("public_id", sa.String()))
    last = 0
    while ids := connection.scalars(
        sa.select(records.c.id).where(records.c.id > last).order_by(records.c.id).limit(BATCH)
    ).all():
        connection.execute(
            records.update().where(records.c.id == sa.bindparam("row")).values(public_id=sa.bindparam("new")),
            [{"row": record_id, "new": secrets.token_urlsafe(12)} for record_id in ids],
        )
        last = ids[-1]


def _fill_versions(connection: sa.Connection) -> None:
    """Move the version of each game from its state into the new column."""
    names = ("id", "state", "version")
    games = sa.table("visitor_games", *map(sa.column, names))
    last = ""
    while rows := connection.execute(
        sa.select(games.c.id, games.c.state).where(games.c.id > last).order_by(games.c.id).limit(BATCH)
    ).all():
        for game_id, text in rows:
            state = json.loads(text)
            version = state.pop("version", 1)
            changed = json.dumps(state, separators=(",", ":"))
            connection.execute(games.update().where(games.c.id == game_id).values(state=changed, version=version))
        last = rows[-1][0]
