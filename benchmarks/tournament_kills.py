"""Kill -9 a tournament at random moments, resuming it each time: no finished game may be lost or doubled.

python benchmarks/tournament_kills.py --kills 200

At the end the games are compared with those of the same tournament played without a kill.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from plyground.arena import LocalExecutor, Rules, entrants
from plyground.arena.tournament import Plan

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from arena.tournament_runs import Killings

PLAYERS = ["Rand=random", "alphabeta(depth=3)", "alphabeta(depth=2)", "flat(playouts=20)"]


def main(kills: Annotated[int, typer.Option(min=1)] = 200, seed: int = 1) -> None:
    """Print how many kills there were and whether every game is what it should be."""
    games = max(2, kills // 2)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["checkers", *PLAYERS, "--games", str(games)]
        killings = Killings(Path(folder) / "killed.sqlite", arguments, Random(seed))  # noqa: S311
        done = 0
        while done < kills and killings.kill_once(longest=0.2):
            done += 1
            if done % 10 == 0:
                typer.echo(f"{done} kills, {len(killings.known)} games finished", err=True)
        while killings.begin().wait() != 0:
            pass
        killings.check()
        plan = Plan(Rules("checkers"), entrants("checkers", PLAYERS), games=games)
        expected = {job.key: record.moves for job, record in LocalExecutor(2).run(plan.schedule().jobs())}
        same = killings.games() == expected
    took = time.monotonic() - began
    told = "the same as without a kill" if same else "NOT the same as without a kill"
    typer.echo(f"{done} kills, {len(expected)} games, none lost, none doubled, {told}, {took:.0f} s")
    if not same or done < kills:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
