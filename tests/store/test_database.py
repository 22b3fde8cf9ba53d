"""Opening new, old, newer and invalid stores; durability after kill -9."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import func, inspect, select, text

from plyground import ParseError, StoreError
from plyground.records import Record
from plyground.store import Store
from plyground.store.database import VARIABLE, store_url
from plyground.store.migrate import HEAD, MIGRATIONS, VERSION_TABLE, migrate
from plyground.store.models import Base, RecordRow
from store.postgresql import Server
from store.schemas import FOLDER, check

NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9999", "{HEAD}"


def upgrade() -> None:
    op.add_column("records", sa.Column("note", sa.Text(), nullable=True))
"""


def test_migrations_create_the_tables_of_the_models(store: Store) -> None:
    with store._database._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_head_is_the_newest_migration() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [HEAD]


@pytest.mark.parametrize("dump", sorted(FOLDER.glob("*.sqlite.sql")), ids=lambda dump: dump.name)
def test_upgrades_sqlite_stores_of_every_released_schema(dump: Path, tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(dump.read_text())
    with Store(str(file)) as store:
        check(store)


@pytest.mark.parametrize("dump", sorted(FOLDER.glob("*.postgresql.sql")), ids=lambda dump: dump.name)
def test_upgrades_postgresql_stores_of_every_released_schema(dump: Path, postgresql: Server) -> None:
    url = postgresql.new_database()
    with postgresql.connect(store_url(url).database or "") as connection:
        connection.execute(dump.read_bytes())
    with Store(url) as store:
        check(store)


def test_there_is_a_dump_of_the_current_schema() -> None:
    assert {file.name for file in FOLDER.glob(f"{HEAD}.*")} == {f"{HEAD}.sqlite.sql", f"{HEAD}.postgresql.sql"}


def test_an_upgraded_store_keeps_its_games(store: Store, tmp_path: Path) -> None:
    number = store.records.add(Record("chess", ("e2e4",))).id
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    (folder / "versions" / "9999_note.py").write_text(NEXT)
    with store._database._writing.begin() as connection:
        migrate(connection, "it", folder=folder, head="9999")
        assert "note" in {column["name"] for column in inspect(connection).get_columns("records")}
        assert connection.execute(text("SELECT version_num FROM plyground_version")).scalar() == "9999"
    assert store.records.get(number).record.moves == ("e2e4",)
    with pytest.raises(StoreError, match=rf"by a newer version of Plyground \(schema version 9999\).*up to {HEAD}"):
        Store(url_of(store))


def test_a_failed_upgrade_leaves_the_store_unchanged(store: Store, tmp_path: Path) -> None:
    store.records.add(Record("chess"))
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    (folder / "versions" / "9999_note.py").write_text(NEXT + '    op.execute("nonsense")\n')
    with pytest.raises(Exception, match="nonsense"), store._database._writing.begin() as connection:
        migrate(connection, "it", folder=folder, head="9999")
    with Store(url_of(store)) as again:
        assert again.records.count() == 1


def url_of(store: Store) -> str:
    return store._database.url.render_as_string(hide_password=False)


def test_several_threads_can_create_a_store_at_the_same_time(location: str) -> None:
    errors: list[BaseException] = []

    def open_store(seed: int) -> None:
        try:
            with Store(location) as store:
                store.records.add(Record("chess", seed=seed))
        except BaseException as error:  # noqa: BLE001  asserted below
            errors.append(error)

    threads = [Thread(target=open_store, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with Store(location) as store:
        assert store.records.count() == 4


def test_a_read_transaction_sees_a_consistent_snapshot(store: Store) -> None:
    count = select(func.count(RecordRow.id))
    with store._database.reading() as session:
        assert session.scalar(count) == 0
        store.records.add(Record("chess"))
        assert session.scalar(count) == 0
    assert store.records.count() == 1


WRITER = """
import sys
from plyground.records import Record
from plyground.store import ScheduledGame, Store
store = Store(sys.argv[1])
name = sys.argv[2]
store.tournaments.create(name, "tictactoe", {}, [ScheduledGame(str(n)) for n in range(10_000)])
for game in store.tournaments.remaining(name):
    record = Record("tictactoe", ("b2", "a1"), seed=int(game.key), headers={"Round": name})
    record_id = store.records.add(record).id
    assert store.tournaments.finish_game(name, game.key, record).id == record_id
    print(record_id, game.key, flush=True)
"""


def test_acknowledged_writes_survive_kill_9(location: str) -> None:
    for attempt in range(3):
        name = f"t{attempt}"
        acknowledged = []
        with subprocess.Popen([sys.executable, "-c", WRITER, location, name], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for line in writer.stdout:
                acknowledged.append(line.split())
                if len(acknowledged) == 15 + 7 * attempt:
                    os.kill(writer.pid, signal.SIGKILL)
            assert writer.wait() == -signal.SIGKILL
        assert len(acknowledged) >= 15
        with Store(location) as store:
            results = {game.key: game.record_id for game in store.tournaments.results(name)}
            for record_id, key in acknowledged:
                record = store.records.get(int(record_id)).record
                assert (record.moves, record.seed) == (("b2", "a1"), int(key))
                assert results[key.decode()] == int(record_id)
            remaining = store.tournaments.remaining(name)
            assert len(remaining) + len(results) == 10_000
            assert not {game.key for game in remaining} & results.keys()
    if "://" not in location:
        with closing(sqlite3.connect(location)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_sqlite_uses_wal_full_sync_and_foreign_keys(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.sqlite")) as store, store._database.reading() as session:
        settings = {
            name: session.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}


@pytest.mark.parametrize("content", [b"precious text, not a database" * 100, b"\0" * 4096])
def test_refuses_a_file_that_is_not_a_database(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "precious"
    file.write_bytes(content)
    with pytest.raises(StoreError, match="precious: file is not a database"):
        Store(str(file))
    assert file.read_bytes() == content


def test_refuses_another_programs_database(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("CREATE TABLE precious (x); INSERT INTO precious VALUES (1);")
    before = file.read_bytes()
    with pytest.raises(StoreError, match=r"other\.sqlite is not a Plyground store"):
        Store(str(file))
    assert file.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["other.sqlite"]


def test_refuses_another_programs_tables_with_the_same_names(postgresql: Server) -> None:
    location = postgresql.new_schema()
    with Store(location) as store, store._database._writing.begin() as connection:
        connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
    with pytest.raises(StoreError, match=r"not a Plyground store, but contains tables with names .*: agents, "):
        Store(location)


def test_shares_a_database_with_another_programs_tables(postgresql: Server) -> None:
    location = postgresql.new_database()
    with postgresql.connect(store_url(location).database or "") as connection:
        connection.execute("CREATE TABLE theirs (x integer)")
    with Store(location) as store:
        assert store.records.add(Record("chess")).is_new


def test_reports_a_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"Not a directory|File exists"):
        Store(str(tmp_path / "file" / "store.sqlite"))


def test_reports_an_unreachable_server_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        Store(f"postgresql://someone:secret@/games?host={tmp_path}")
    assert "someone:***@" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_resolves_the_location_of_the_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, "from/variable.sqlite")
    assert store_url("given.sqlite").database == str(Path.cwd() / "given.sqlite")
    assert store_url().database == str(Path.cwd() / "from/variable.sqlite")
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert store_url().database == str(tmp_path / "plyground/store.sqlite")
    assert store_url("sqlite:////a/b.sqlite").database == "/a/b.sqlite"
    assert store_url("postgresql://user@host/games").drivername == "postgresql+psycopg"
    for wrong in ("mysql://host/games", "sqlite://", "sqlite:///:memory:", "://", "postgresql://host:port/games"):
        with pytest.raises(ParseError, match="must be a file, sqlite:///FILE or postgresql://"):
            store_url(wrong)
