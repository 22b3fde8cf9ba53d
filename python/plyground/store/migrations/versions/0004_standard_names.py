"""Rename tables, fields in stored JSON, and agent options to standard terms.

Tables: jobs -> scheduled_games, works -> jobs, plays -> visitor_games. The migration copies rows into new tables
because SQLite cannot rename constraints.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

RUN_SETTINGS = {
    "rate": "learning_rate",
    "random_share": "random_fraction",
    "refresh": "refresh_games",
    "terminal": "terminal_value",
    "opening": "opening_plies",
    "decay": "weight_decay",
    "blend": "search_weight",
}
REVIEWED_PLY = {"lost": "value_loss", "line": "pv", "words": "comment"}
JOB_KINDS = {"run": "training"}
JOB_STATES = {"waiting": "queued"}
OPTIONS = (
    (re.compile(r"\bleaf\s*=\s*estimate\b"), "leaf=heuristic"),
    (re.compile(r"\bplayout_estimate\s*=\s*true\b"), "cutoff=heuristic"),
    (re.compile(r"\bplayout_estimate\s*=\s*false\b"), "cutoff=draw"),
    (re.compile(r"\botherwise\s*="), "fallback="),
)
OLD_OPTIONS = ("estimate", "otherwise")
"""Rows that contain none of these strings need no change to their agent options."""
SPEC = re.compile(r"[a-z][a-z0-9_-]*\(.*\)", re.DOTALL)


def upgrade() -> None:
    _rename_tables()
    connection = op.get_bind()
    _convert_json(connection, "runs", "settings", lambda settings: _rename(settings, RUN_SETTINGS))
    _convert_json(connection, "tournaments", "settings", _tournament_settings)
    _convert_json(connection, "scheduled_games", "payload", _payload, OLD_OPTIONS)
    _convert_json(connection, "visitor_games", "state", _visitor_game, OLD_OPTIONS)
    _convert_reviews(connection)
    _convert_agents(connection)


def _rename_tables() -> None:
    op.create_table(
        "scheduled_games",
        sa.Column("id", ID, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("record_id", ID, nullable=True),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_scheduled_games_record_id"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_scheduled_games_tournament_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_scheduled_games"),
        sa.UniqueConstraint("tournament_id", "key", name="uq_scheduled_games_tournament_id_key"),
    )
    op.create_index("ix_scheduled_games_record_id", "scheduled_games", ["record_id"], unique=False)
    columns = "id, tournament_id, key, payload, record_id"
    op.execute(f"INSERT INTO scheduled_games ({columns}) SELECT {columns} FROM jobs")  # noqa: S608
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "SELECT setval(pg_get_serial_sequence('scheduled_games', 'id'), "
            "COALESCE((SELECT MAX(id) FROM scheduled_games), 0) + 1, false)"
        )
    op.drop_table("jobs")

    op.create_table(
        "visitor_games",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("is_watched", sa.Boolean(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("record_id", ID, nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("updated", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_visitor_games_record_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_visitor_games"),
    )
    op.create_index("ix_visitor_games_owner_updated", "visitor_games", ["owner", "updated"], unique=False)
    op.create_index("ix_visitor_games_record_id", "visitor_games", ["record_id"], unique=False)
    columns = "id, owner, game, is_watched, is_over, state, record_id, created, updated"
    op.execute(f"INSERT INTO visitor_games ({columns}) SELECT {columns} FROM plays")  # noqa: S608

    old_shares = sa.table("shares", *map(sa.column, ("digest", "play_id", "record_id")), _datetime("created"))
    shares = [row._asdict() for row in op.get_bind().execute(sa.select(old_shares))]
    op.drop_table("shares")
    op.drop_table("plays")
    new_shares = op.create_table(
        "shares",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("visitor_game_id", sa.String(length=40), nullable=True),
        sa.Column("record_id", ID, nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["visitor_game_id"], ["visitor_games.id"], name="fk_shares_visitor_game_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_shares_record_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_shares"),
    )
    op.create_index("ix_shares_visitor_game_id", "shares", ["visitor_game_id"], unique=False)
    op.create_index("ix_shares_record_id", "shares", ["record_id"], unique=False)
    op.bulk_insert(new_shares, [_rename(share, {"play_id": "visitor_game_id"}) for share in shares])

    old_jobs = sa.table("works", *map(sa.column, ("kind", "key", "owner", "state", "error")), _datetime("created"))
    jobs: dict[tuple[str, str], dict[str, Any]] = {}
    for row in op.get_bind().execute(sa.select(old_jobs).order_by(old_jobs.c.created)):
        kind, state = JOB_KINDS.get(row.kind, row.kind), JOB_STATES.get(row.state, row.state)
        jobs[kind, row.key] = {**row._asdict(), "kind": kind, "state": state}
    op.drop_table("works")
    new_jobs = op.create_table(
        "jobs",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name="pk_jobs"),
    )
    op.bulk_insert(new_jobs, list(jobs.values()))


def _convert_json(
    connection: sa.Connection,
    table_name: str,
    column_name: str,
    convert: Callable[[Any], Any],
    containing: tuple[str, ...] = (),
) -> None:
    """Rewrite a JSON column; with `containing`, only rows that contain one of these strings."""
    table = sa.table(table_name, sa.column("id"), sa.column(column_name))
    column = table.c[column_name]
    query = sa.select(table.c.id, column)
    if containing:
        query = query.where(sa.or_(*(column.contains(text, autoescape=True) for text in containing)))
    for row_id, text in connection.execute(query).all():
        changed = json.dumps(convert(json.loads(text)), separators=(",", ":"))
        if changed != text:
            connection.execute(table.update().where(table.c.id == row_id).values({column_name: changed}))


def _convert_reviews(connection: sa.Connection) -> None:
    table = sa.table("reviews", sa.column("id"), sa.column("plies", sa.LargeBinary()))
    for review_id in connection.scalars(sa.select(table.c.id)).all():
        data = connection.scalar(sa.select(table.c.plies).where(table.c.id == review_id))
        plies = [_reviewed_ply(ply) for ply in json.loads(zlib.decompress(data or b""))]
        changed = zlib.compress(json.dumps(plies, separators=(",", ":")).encode(), 6)
        connection.execute(table.update().where(table.c.id == review_id).values(plies=changed))


def _convert_agents(connection: sa.Connection) -> None:
    """Rename options in agent specs; if the renamed agent already exists, merge the two."""
    agents = sa.table("agents", sa.column("id"), sa.column("digest"), sa.column("spec"))
    seats = sa.table("seats", *map(sa.column, ("record_id", "side", "number", "agent_id")))
    ratings = sa.table("ratings", *map(sa.column, ("pool", "game", "agent_id")))
    query = sa.select(agents.c.id, agents.c.spec).where(
        sa.or_(*(agents.c.spec.contains(text, autoescape=True) for text in OLD_OPTIONS))
    )
    changed_records: set[int] = set()
    for agent_id, old in connection.execute(query.order_by(agents.c.id)).all():
        spec = _spec(old)
        if spec == old:
            continue
        changed_records.update(connection.scalars(sa.select(seats.c.record_id).where(seats.c.agent_id == agent_id)))
        digest = _sha256(spec)
        existing = connection.scalar(sa.select(agents.c.id).where(agents.c.digest == digest))
        if existing is None:
            connection.execute(agents.update().where(agents.c.id == agent_id).values(spec=spec, digest=digest))
            continue
        connection.execute(seats.update().where(seats.c.agent_id == agent_id).values(agent_id=existing))
        other = ratings.alias()
        in_same_pool = sa.exists().where(
            other.c.pool == ratings.c.pool, other.c.game == ratings.c.game, other.c.agent_id == existing
        )
        connection.execute(ratings.delete().where(ratings.c.agent_id == agent_id, in_same_pool))
        connection.execute(ratings.update().where(ratings.c.agent_id == agent_id).values(agent_id=existing))
        connection.execute(agents.delete().where(agents.c.id == agent_id))
    _convert_record_digests(connection, sorted(changed_records))


def _convert_record_digests(connection: sa.Connection, record_ids: list[int]) -> None:
    """Recompute record digests, which include the players; of two games that become equal, one keeps its old digest."""
    names = ("id", "digest", "game", "start", "moves", "plies", "winner", "reason", "seed", "started", "headers")
    records = sa.table("records", *map(sa.column, (*names, "owner")))
    seats = sa.table("seats", *map(sa.column, ("record_id", "side", "number", "agent_id")))
    agents = sa.table("agents", sa.column("id"), sa.column("spec"))
    for record_id in record_ids:
        row = connection.execute(sa.select(records).where(records.c.id == record_id)).one()
        players = connection.execute(
            sa.select(seats.c.side, agents.c.spec)
            .join(agents, agents.c.id == seats.c.agent_id)
            .where(seats.c.record_id == record_id)
            .order_by(seats.c.number)
        ).all()
        data = {
            "game": row.game,
            "start": row.start,
            "moves": row.moves.split("\n") if row.plies else [],
            "outcome": None if row.reason is None else {"winner": row.winner, "reason": row.reason},
            "players": {row[0]: row[1] for row in players},
            "seed": row.seed + 2**64 if row.seed is not None and row.seed < 0 else row.seed,
            "started": row.started,
        }
        if row.headers:
            data["headers"] = json.loads(row.headers)
        digest = _sha256(json.dumps([row.owner, data], sort_keys=True))
        if connection.scalar(sa.select(records.c.id).where(records.c.digest == digest)) is None:
            connection.execute(records.update().where(records.c.id == record_id).values(digest=digest))


def _tournament_settings(settings: Any) -> Any:
    settings = _rename(settings, {"form": "version"})
    anchor = settings.get("anchor")
    entrants = []
    for entrant in settings.get("agents") or []:
        if not isinstance(entrant, dict):  # the settings were not written by the arena
            return settings
        renamed = {key: _spec(text) for key, text in entrant.items()}
        if anchor is not None and anchor.startswith(entrant["name"]):
            rating = anchor.removeprefix(entrant["name"])
            if not rating or rating.startswith("="):
                settings["anchor"] = renamed["name"] + rating
        entrants.append(renamed)
    return {**settings, "agents": entrants} if "agents" in settings else settings


def _payload(payload: Any) -> Any:
    return {**payload, "players": [_spec(text) for text in payload["players"]]} if "players" in payload else payload


def _visitor_game(state: Any) -> Any:
    if "players" not in state:
        return state
    players = {side: None if text is None else _spec(text) for side, text in state["players"].items()}
    return {**state, "players": players}


def _reviewed_ply(ply: Any) -> Any:
    renamed = _rename(ply, REVIEWED_PLY)
    if isinstance(renamed.get("exact"), dict):
        renamed["exact"] = _rename(renamed["exact"], {"known": "result"})
    return renamed


def _rename(data: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in data.items()}


def _spec(text: str) -> str:
    """Rename the options of an agent spec; other strings, such as people's names, are unchanged."""
    if SPEC.fullmatch(text):
        for pattern, replacement in OPTIONS:
            text = pattern.sub(replacement, text)
    return text


def _datetime(name: str) -> Any:
    return sa.column(name, sa.DateTime())


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
