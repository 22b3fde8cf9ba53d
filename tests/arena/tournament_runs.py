"""A tournament as a process that is killed and resumed, and what must hold after each kill."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from plyground.store import Store

COMMAND = Path(sys.executable).with_name("plyground")
NAME = "killed"


@dataclass
class Killings:
    """Kill a tournament again and again; every finished game must stay what it was."""

    store: Path
    arguments: list[str]
    """Of ``plyground tournament run``: game, players, options."""
    rng: Random
    known: dict[str, int] = field(default_factory=dict)
    """The record of each job that was finished when last looked at."""

    def begin(self) -> subprocess.Popen[bytes]:
        """Run it, or resume it where it was begun."""
        with Store(str(self.store)) as store:
            begun = any(one.name == NAME for one in store.tournaments.all())
        verb = ["resume", NAME] if begun else ["run", *self.arguments, "--name", NAME]
        program = [str(COMMAND), "tournament", *verb, "--processes", "2", "--store", str(self.store), "--json"]
        return subprocess.Popen(program, stdout=subprocess.DEVNULL)

    def kill_once(self, longest: float) -> bool:
        """Kill it at a random moment: mostly within so many seconds of the first game it finishes, sometimes before.

        Whether it had not ended by itself.
        """
        running = self.begin()
        patience = self.rng.choice([self.rng.uniform(0, 3), 60, 60])
        deadline = time.monotonic() + patience
        while running.poll() is None and self.finished() <= len(self.known) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(self.rng.uniform(0, longest))
        lived = running.poll() is None
        running.kill()
        running.wait()
        self.check()
        return lived

    def finished(self) -> int:
        """Games that are on disk; 0 while nothing is there."""
        with closing(sqlite3.connect(self.store, timeout=30)) as connection, suppress(sqlite3.OperationalError):
            return int(connection.execute("SELECT count(record_id) FROM jobs").fetchone()[0])
        return 0

    def check(self) -> None:
        """No finished game is lost, changed or doubled."""
        with Store(str(self.store)) as store:
            if not store.tournaments.all():
                return
            results = store.tournaments.results(NAME)
            now = {one.key: one.record_id for one in results}
            left = {job.key for job in store.tournaments.jobs_left(NAME)}
            assert len(now) == len(results), "a job is finished twice"
            assert now.items() >= self.known.items(), "a finished game was lost or played again"
            assert left.isdisjoint(now), "a finished game is still to be played"
            assert len(left) + len(now) == store.tournaments.get(NAME).jobs
            assert len(set(now.values())) == len(now) == store.records.count(), "a game is there twice"
            self.known = now

    def games(self) -> dict[str, tuple[str, ...]]:
        """The moves of each finished game."""
        with Store(str(self.store)) as store:
            return {one.key: store.records.get(one.record_id).record.moves for one in store.tournaments.results(NAME)}
