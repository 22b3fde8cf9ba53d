"""Dumps of stores of every released form: `python tests/store/schemas.py` writes that of the present one.

A dump that was released is never written again: it stands for the stores that people have.
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
from plyground.store import Checkpoint, Job, Metric, Play, Rating, Review, Store, Work
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
PLAY = Play("abc", "f00", "checkers", {"moves": ["11-15"]})
REVIEW = Review("r1", 1, "f00", 0.2, [{"ply": 0, "move": "11-15", "lost": 0.25}])
WORK = Work("run", "1", "f00", "running")


def fill(store: Store) -> None:
    """Something in every table."""
    store.records.add(RECORD, tags=["first"], owner="f00")
    store.tournaments.create("spring", "checkers", {"games": 2}, [Job("1", {"seed": 1}), Job("2", {"seed": 2})])
    store.tournaments.finish_job("spring", "1", Record("checkers", ("11-15",), players={"black": "random"}))
    store.ratings.put("spring", "checkers", [Rating("random", 1000, 900, 1100, 1)])
    run = store.runs.begin("td", "checkers", {"lambda": 0.7}, seed=1).id
    store.runs.report(run, [Metric(1, "loss", 0.5)])
    store.runs.keep(run, Checkpoint(1, {"kind": "linear"}, data=b"\0\1"))
    store.plays.add(PLAY)
    store.plays.share("5a1e", play=PLAY.id)
    store.works.put(WORK)
    assert store.reviews.keep(REVIEW, RECORD)


def check(store: Store) -> None:
    """What `fill` put in is there."""
    assert store.records.get(1).record == RECORD
    assert store.records.get(1).tags == ("first",)
    assert store.records.get(1).owner == "f00"
    assert [job.key for job in store.tournaments.jobs_left("spring")] == ["2"]
    assert store.tournaments.results("spring")[0].players == {"black": "random"}
    assert store.ratings.get("spring", "checkers") == [Rating("random", 1000, 900, 1100, 1)]
    assert store.runs.metrics(1) == [Metric(1, "loss", 0.5)]
    assert store.runs.checkpoint(1).data == b"\0\1"
    assert store.records.add(RECORD).is_new  # numbers go on where they stood
    if store.works.all():  # since form 0002
        assert store.works.all() == [WORK]
        assert replace(store.plays.get("abc"), updated=None) == PLAY
        assert store.plays.shared("5a1e") == ("abc", None)
    if store.reviews.get("r1"):  # since form 0003
        assert store.reviews.of(1, "f00") == REVIEW


def main() -> None:
    """Write the dumps of the present form."""
    from store.postgresql import program, running_server

    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/store.sqlite"
        with Store(file) as store:
            fill(store)
        with closing(sqlite3.connect(file)) as connection:
            (FOLDER / f"{HEAD}.sqlite.sql").write_text("\n".join(connection.iterdump()) + "\n")
    with running_server() as server:
        address = server.new_database()
        with Store(address) as store:
            fill(store)
        dump = [program("pg_dump"), "--inserts", "--no-owner", "-h", str(server.folder), "-U", "plyground", "test0"]
        text = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
    lines = [line for line in text.splitlines() if line and not line.startswith(("--", "\\"))]
    (FOLDER / f"{HEAD}.postgresql.sql").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
