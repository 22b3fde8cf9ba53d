"""Add visitors' games, links for sharing them, and server jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "plays",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("is_watched", sa.Boolean(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("record_id", ID, nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("updated", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_plays_record_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_plays"),
    )
    op.create_index("ix_plays_owner_updated", "plays", ["owner", "updated"], unique=False)
    op.create_index("ix_plays_record_id", "plays", ["record_id"], unique=False)
    op.create_table(
        "works",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name="pk_works"),
    )
    op.create_table(
        "shares",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("play_id", sa.String(length=40), nullable=True),
        sa.Column("record_id", ID, nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["play_id"], ["plays.id"], name="fk_shares_play_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_shares_record_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_shares"),
    )
    op.create_index("ix_shares_play_id", "shares", ["play_id"], unique=False)
    op.create_index("ix_shares_record_id", "shares", ["record_id"], unique=False)
