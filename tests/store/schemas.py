"""Dumps of stores with every released schema. `python tests/store/schemas.py` writes dumps of the current schema.

The dump of a released schema must never be rewritten: it represents existing stores.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from plyground import Outcome
from plyground.records import HUMAN, Record
from plyground.store import Checkpoint, Job, Metric, Rating, Review, ScheduledGame, Store, VisitorGame
from plyground.store.migrate import HEAD

FOLDER = Path(__file__).with_name("schemas")
RECORD = Record(
    "checkers",
    ("11-15", "23-18"),
    players={"black": HUMAN, "white": "random"},
    outcome=Outcome("white", "resignation"),
    seed=2**64 - 1,
    started="2026-01-31T12:00:00+00:00",
    headers={"Event": "Café"},
)
VISITOR_GAME = VisitorGame("abc", "f00", "checkers", {"moves": ["11-15"]})
REVIEW = Review("r1", 1, "f00", 0.2, [{"ply": 0, "move": "11-15", "value_loss": 0.25}])
JOB = Job("training", "1", "f00", "running")


def fill(store: Store) -> None:
    """Add a row to every table."""
    store.records.add(RECORD, tags=["first"], owner="f00")
    games = [ScheduledGame("1", {"seed": 1}), ScheduledGame("2", {"seed": 2})]
    store.tournaments.create("spring", "checkers", {"games": 2}, games)
    store.tournaments.finish_game("spring", "1", Record("checkers", ("11-15",), players={"black": "random"}))
    store.ratings.put("spring", "checkers", [Rating("random", 1000, 900, 1100, 1)])
    run = store.runs.create("td", "checkers", {"lambda": 0.7}, seed=1).id
    store.runs.save(run, [Metric(1, "loss", 0.5)])
    store.runs.save(run, checkpoints=[Checkpoint(1, {"kind": "linear"}, data=b"\0\1")])
    store.visitor_games.add(VISITOR_GAME)
    store.visitor_games.share("5a1e", visitor_game_id=VISITOR_GAME.id)
    store.jobs.put(JOB)
    assert store.reviews.save(REVIEW, RECORD)


def check(store: Store) -> None:
    """Assert that the store contains the rows that `fill` added, and can be written to."""
    assert store.records.get(1).record == RECORD
    assert store.records.get(1).tags == ("first",)
    assert store.records.get(1).owner == "f00"
    public_ids = [store.records.get(number).public_id for number in (1, 2)]
    assert store.records.ids_of(public_ids) == [1, 2]
    assert len(set(public_ids)) == 2
    assert store.tournaments.results("spring")[0].public_id == public_ids[1]
    assert [game.key for game in store.tournaments.remaining("spring")] == ["2"]
    assert store.tournaments.results("spring")[0].players == {"black": "random"}
    assert store.ratings.get("spring", "checkers") == [Rating("random", 1000, 900, 1100, 1)]
    assert store.runs.metrics(1) == [Metric(1, "loss", 0.5)]
    assert store.runs.checkpoint(1).data == b"\0\1"
    assert store.records.add(RECORD).is_new
    store.tournaments.create("autumn", "checkers", {}, [ScheduledGame("1")])
    assert store.secrets.get("key") == store.secrets.get("key")
    if store.jobs.all():  # since schema 0002
        assert store.jobs.all() == [JOB]
        assert replace(store.visitor_games.get("abc"), updated=None) == VISITOR_GAME
        assert store.visitor_games.shared("5a1e") == ("abc", None)
    if store.reviews.get("r1"):  # since schema 0003
        assert store.reviews.find(1, "f00") == REVIEW


def main() -> None:
    """Write the dumps of the current schema."""
    from store.postgresql import program, running_server

    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/store.sqlite"
        with Store(file) as store:
            fill(store)
        with closing(sqlite3.connect(file)) as connection:
            (FOLDER / f"{HEAD}.sqlite.sql").write_text("\n".join(connection.iterdump()) + "\n")
    with running_server() as server:
        with Store(server.new_database()) as store:
            fill(store)
        dump = [program("pg_dump"), "--inserts", "--no-owner", "-h", str(server.folder), "-U", "plyground", "test0"]
        text = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
    lines = [line for line in text.splitlines() if line and not line.startswith(("--", "\\"))]
    (FOLDER / f"{HEAD}.postgresql.sql").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
