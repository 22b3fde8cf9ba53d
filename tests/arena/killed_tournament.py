"""A tournament whose process is killed and resumed, with checks after each kill."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from plyground.arena import LocalExecutor, Rules, entrants
from plyground.arena.tournament import Plan, Tournament
from plyground.store import Store

NAME = "killed"


@dataclass
class KilledTournament:
    """Kills a tournament repeatedly and checks that no finished game is lost, changed or duplicated."""

    store: str
    """Path of the store."""
    game: str
    players: list[str]
    games: int
    """Games per pairing."""
    max_plies: int
    finished: dict[str, int] = field(default_factory=dict)
    """Record IDs of the games that had finished by the last check, by game key."""

    def plan(self) -> Plan:
        """Return the tournament's plan."""
        rules = Rules(self.game, max_plies=self.max_plies)
        return Plan(rules, entrants(self.game, self.players), games=self.games)

    def start(self) -> subprocess.Popen[str]:
        """Start or resume the tournament in a process that prints a line at the start and after each game."""
        arguments = {key: value for key, value in vars(self).items() if key != "finished"}
        command = [sys.executable, "-m", "arena.killed_tournament", json.dumps(arguments)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])

    def kill_after(self, games: int) -> bool:
        """Run the tournament and kill it after `games` more games; return False if it finishes first."""
        with self.start() as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(games + 1)]
            process.kill()
        self.check()
        return all(lines)

    def finish(self) -> None:
        """Resume the tournament and play all remaining games."""
        with self.start() as process:
            process.communicate()
        assert process.returncode == 0
        self.check()

    def check(self) -> None:
        """Assert that no finished game is lost, changed or duplicated."""
        with Store(self.store) as store:
            if not store.tournaments.all():
                return
            results = store.tournaments.results(NAME)
            finished = {game.key: game.record_id for game in results}
            remaining = {game.key for game in store.tournaments.remaining(NAME)}
            assert len(finished) == len(results), "a game was finished twice"
            assert finished.items() >= self.finished.items(), "a finished game was lost or replayed"
            assert remaining.isdisjoint(finished), "a finished game is still scheduled"
            assert len(remaining) + len(finished) == store.tournaments.get(NAME).games
            assert len(set(finished.values())) == len(finished) == store.records.count(), "a record is duplicated"
            self.finished = finished

    def moves(self) -> dict[str, tuple[str, ...]]:
        """Return the moves of each finished game."""
        with Store(self.store) as store:
            results = store.tournaments.results(NAME)
            return {game.key: store.records.get(game.record_id).record.moves for game in results}


def main() -> None:
    """Create or resume a tournament, printing a line at the start and after each finished game."""
    run = KilledTournament(**json.loads(sys.argv[1]))
    with Store(run.store) as store:
        exists = any(tournament.name == NAME for tournament in store.tournaments.all())
        tournament = Tournament(store, NAME) if exists else Tournament.create(store, NAME, run.plan())
        print("started", flush=True)  # noqa: T201
        for scheduled, _ in tournament.play(LocalExecutor(2)):
            print(scheduled.key, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
