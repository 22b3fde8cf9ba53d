"""Create the initial tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "agents",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_agents"),
        sa.UniqueConstraint("digest", name="uq_agents_digest"),
    )
    op.create_table(
        "records",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("start", sa.Text(), nullable=True),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("started", sa.Text(), nullable=True),
        sa.Column("headers", sa.Text(), nullable=True),
        sa.Column("analyses", sa.LargeBinary(), nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
        sa.UniqueConstraint("digest", name="uq_records_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_records_created", "records", ["created"], unique=False)
    op.create_index("ix_records_game_id_id", "records", ["game_id", "id"], unique=False)
    op.create_index("ix_records_owner_id", "records", ["owner", "id"], unique=False)
    op.create_table(
        "runs",
        sa.Column("id", ID, nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("finished", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tournaments",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_table(
        "checkpoints",
        sa.Column("run_id", ID, nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_checkpoints_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "step", name="pk_checkpoints"),
    )
    op.create_table(
        "jobs",
        sa.Column("id", ID, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("record_id", ID, nullable=True),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_jobs_record_id"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_jobs_tournament_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("tournament_id", "key", name="uq_jobs_tournament_id_key"),
    )
    op.create_index("ix_jobs_record_id", "jobs", ["record_id"], unique=False)
    op.create_table(
        "metrics",
        sa.Column("run_id", ID, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_metrics_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "name", "step", name="pk_metrics"),
    )
    op.create_table(
        "ratings",
        sa.Column("pool", sa.String(length=200), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("agent_id", ID, nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=False),
        sa.Column("high", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["agent_id"], ["agents.id"], name="fk_ratings_agent_id"),
        sa.PrimaryKeyConstraint("pool", "game", "agent_id", name="pk_ratings"),
    )
    op.create_table(
        "seats",
        sa.Column("record_id", ID, nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("agent_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["agent_id"], ["agents.id"], name="fk_seats_agent_id"),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_seats_record_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record_id", "side", name="pk_seats"),
    )
    op.create_index("ix_seats_agent_id", "seats", ["agent_id"], unique=False)
    op.create_table(
        "tags",
        sa.Column("record_id", ID, nullable=False),
        sa.Column("tag", sa.String(length=100), nullable=False),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_tags_record_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record_id", "tag", name="pk_tags"),
    )
    op.create_index("ix_tags_tag", "tags", ["tag"], unique=False)
