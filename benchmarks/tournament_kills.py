"""Kill a tournament with SIGKILL at random moments and resume it; no finished game may be lost, changed or repeated.

python benchmarks/tournament_kills.py --kills 200

At the end, the games are compared with those of the same tournament without kills.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from figures import Figures, scaled
from plyground.arena import LocalExecutor

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from arena.killed_tournament import KilledTournament

PLAYERS = ["Rand=random", "alphabeta(depth=3)", "alphabeta(depth=2)", "flat(playouts=20)"]


def kill_tournament(kills: int, seed: int, *, progress: bool = False) -> tuple[int, int, int]:
    """Return the numbers of kills, games, and lost or changed games.

    Raise AssertionError if a kill loses or repeats a finished game.
    """
    rng = Random(seed)  # noqa: S311
    games = max(2, kills // 2)
    with tempfile.TemporaryDirectory() as folder:
        killed = KilledTournament(f"{folder}/store.sqlite", "checkers", PLAYERS, games=games, max_plies=10_000)
        done = 0
        while done < kills and killed.kill_after(rng.randrange(3)):
            done += 1
            if progress and done % 10 == 0:
                typer.echo(f"{done} kills, {len(killed.finished)} games finished", err=True)
        killed.finish()
        schedule = killed.plan().schedule().scheduled_games()
        expected = {scheduled.key: record.moves for scheduled, record in LocalExecutor(2).run(schedule)}
        played = killed.moves()
    return done, len(expected), sum(played.get(key) != moves for key, moves in expected.items())


def tournament_kills(effort: float) -> Figures:
    """Return the numbers of kills and of lost or changed games."""
    done, _, changed = kill_tournament(scaled(200, effort, minimum=4), seed=1)
    return {"kills": done, "lost or changed games": changed}


def main(
    kills: Annotated[int, typer.Option(min=1, help="Number of kills.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the kill times.")] = 1,
) -> None:
    """Kill a tournament repeatedly; the exit code is 1 if a game was lost or changed."""
    started = time.monotonic()
    done, games, changed = kill_tournament(kills, seed, progress=True)
    typer.echo(f"{done} kills, {games} games, {changed} lost or changed, {time.monotonic() - started:.0f} s")
    raise typer.Exit(changed > 0 or done < kills)


if __name__ == "__main__":
    typer.run(main)
