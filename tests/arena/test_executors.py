"""Executors play the same games, even if workers are killed."""

from __future__ import annotations

import ast
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from plyground import UnknownNameError, WorkerError
from plyground.agents import agent
from plyground.arena import (
    LocalExecutor,
    Match,
    RayExecutor,
    Rules,
    Schedule,
    ScheduledGame,
    SerialExecutor,
    executor,
    workers,
)
from plyground.arena.openings import openings
from plyground.games import game
from plyground.records import Record

TIMEOUT_S = 300
"""Timeout for subprocesses; far longer than they take, even on a loaded machine."""
Games = dict[str, tuple[tuple[str, ...], int | None]]
"""The moves and the seed of each game, by key."""


def schedule(
    games: int = 4, players: tuple[str, ...] = ("random", "alphabeta(depth=1)", "flat(playouts=2)")
) -> Schedule:
    return Schedule(Rules("checkers", max_plies=60), players, openings(game("checkers")), games, seed=5)


def collect(finished: Iterator[tuple[ScheduledGame, Record]]) -> Games:
    games = [(scheduled.key, (record.moves, record.seed)) for scheduled, record in finished]
    assert len(games) == len(dict(games))
    return dict(games)


@pytest.fixture(scope="module")
def expected() -> Games:
    return collect(SerialExecutor().run(schedule().scheduled_games()))


@pytest.mark.parametrize("processes", [1, 3])
def test_local_workers_play_the_same_games(processes: int, expected: Games) -> None:
    assert collect(LocalExecutor(processes).run(schedule().scheduled_games())) == expected


def test_ray_plays_the_same_games(expected: Games) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from arena.test_executors import RayExecutor, collect, schedule\n"
        "print(repr(collect(RayExecutor(2).run(schedule().scheduled_games()))))"
    )
    program = [sys.executable, "-c", code, str(Path(__file__).parents[1])]
    for _ in range(5):
        done = subprocess.run(program, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        if "timed out during startup" not in done.stderr:  # Ray gives its node 30 seconds to start
            break
    assert done.returncode == 0, done.stderr[-2000:]
    assert ast.literal_eval(done.stdout.splitlines()[-1]) == expected


def worker_pids() -> list[int]:
    """Return the process IDs of the workers started by this process."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            is_child = entry.name.isdigit() and f"PPid:\t{os.getpid()}\n" in (entry / "status").read_text()
            if is_child and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_games_of_killed_workers_are_replayed(expected: Games) -> None:
    found: Games = {}
    kills = 0
    for scheduled, record in LocalExecutor(2).run(schedule().scheduled_games()):
        assert scheduled.key not in found
        found[scheduled.key] = (record.moves, record.seed)
        if len(found) in (2, 5, 9):
            os.kill(worker_pids()[0], signal.SIGKILL)
            kills += 1
    assert kills == 3
    assert found == expected


def kill_this_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_game_that_kills_every_worker_is_an_error() -> None:
    (scheduled, *_) = Schedule(Rules("chess"), ["random", "flat"], games=1).scheduled_games()
    with pytest.raises(WorkerError, match=r"game 0-1/0 \(random against flat\) crashed 3 .* with signal 9"):
        list(LocalExecutor(1, kill_this_process).run([scheduled]))


def fail(_: ScheduledGame) -> NoReturn:
    raise RuntimeError("boom")


def break_games() -> None:
    workers.__dict__["play_scheduled_game"] = fail


def test_an_unexpected_exception_in_a_game_becomes_a_worker_error() -> None:
    (scheduled,) = Schedule(Rules("chess"), ["random", "flat"], games=1).scheduled_games()
    with pytest.raises(WorkerError, match="game 0-1/0 failed: RuntimeError: boom"):
        list(LocalExecutor(1, break_games).run([scheduled]))


def test_a_plyground_error_in_a_game_is_raised_unchanged() -> None:
    (scheduled,) = Schedule(Rules("chess"), ["random", "deepblue"], games=1).scheduled_games()
    with pytest.raises(UnknownNameError, match="deepblue"):
        list(LocalExecutor(1).run([scheduled]))


def test_closing_the_iterator_ends_all_workers() -> None:
    games = LocalExecutor(2).run(schedule(40).scheduled_games())
    next(games)
    assert len(worker_pids()) == 2
    games.close()  # type: ignore[attr-defined]
    assert worker_pids() == []


SLOW_GAME = """
import functools, sys
from plyground.arena import LocalExecutor, Rules, Schedule, game

def announce(path):
    think = game.next_position
    def announced(*arguments, **options):
        global pipe
        pipe = open(path, "wb")
        return think(*arguments, **options)
    game.next_position = announced

if __name__ == "__main__":
    slow = Schedule(Rules("chess"), ["mcts(seconds=600)", "mcts(seconds=500)"])
    list(LocalExecutor(1, functools.partial(announce, sys.argv[1])).run(slow.scheduled_games()))
"""


def test_workers_exit_with_their_parent(tmp_path: Path) -> None:
    script, pipe = tmp_path / "slow.py", tmp_path / "pipe"
    script.write_text(SLOW_GAME)
    os.mkfifo(pipe)
    parent = subprocess.Popen([sys.executable, script, pipe])
    with pipe.open("rb") as reader:  # opens once the worker starts its search
        parent.kill()
        parent.wait()
        readable, _, _ = select.select([reader], [], [], TIMEOUT_S)
        assert readable, "the worker is still running"
        assert reader.read() == b""  # the worker exited, which closed its end of the pipe


def test_workers_play_a_match_with_the_same_games_in_the_same_order() -> None:
    match = Match(
        game("checkers"), agent("random"), agent("alphabeta(depth=1)"), 6, 3, openings=openings(game("checkers"))
    )
    assert list(match.play_on(LocalExecutor(2))) == list(match.play())


def test_executors_are_found_by_name() -> None:
    assert executor("serial") == SerialExecutor()
    assert executor("ray", 3) == RayExecutor(3)
    assert executor("local", 3) == LocalExecutor(3)
    with pytest.raises(UnknownNameError, match="unknown executor 'cloud'; available: local, ray, serial"):
        executor("cloud")
