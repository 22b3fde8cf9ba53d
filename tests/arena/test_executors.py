"""The same games wherever they are played, also when workers are killed."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import UnknownNameError, WorkerError
from plyground.agents import agent
from plyground.arena import GameJob, LocalExecutor, Match, RayExecutor, Rules, Schedule, SerialExecutor, executor
from plyground.arena.openings import openings
from plyground.games import game
from plyground.records import Record


def schedule(
    games: int = 4, players: tuple[str, ...] = ("random", "alphabeta(depth=1)", "flat(playouts=2)")
) -> Schedule:
    return Schedule(Rules("checkers", max_plies=60), players, openings(game("checkers")), games, seed=5)


def moves(played: Iterator[tuple[GameJob, Record]]) -> dict[str, tuple[tuple[str, ...], int | None]]:
    found = [(job.key, (record.moves, record.seed)) for job, record in played]
    assert len(found) == len(dict(found))
    return dict(found)


@pytest.fixture(scope="module")
def expected() -> dict[str, tuple[tuple[str, ...], int | None]]:
    return moves(SerialExecutor().run(schedule().jobs()))


@pytest.mark.parametrize("processes", [1, 3])
def test_processes_play_the_same_games(processes: int, expected: dict[str, tuple[tuple[str, ...], int | None]]) -> None:
    assert moves(LocalExecutor(processes).run(schedule().jobs())) == expected


def test_ray_plays_the_same_games(expected: dict[str, tuple[tuple[str, ...], int | None]]) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from arena.test_executors import RayExecutor, moves, schedule\n"
        "print(repr(moves(RayExecutor(2).run(schedule().jobs()))))"
    )
    program = [sys.executable, "-c", code, str(Path(__file__).parents[1])]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert ast.literal_eval(done.stdout.splitlines()[-1]) == expected


def workers() -> list[int]:
    """The numbers of the processes that this one started as workers."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            mine = entry.name.isdigit() and f"PPid:\t{os.getpid()}\n" in (entry / "status").read_text()
            if mine and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_games_of_killed_workers_are_played_again(
    expected: dict[str, tuple[tuple[str, ...], int | None]],
) -> None:
    found, killed = {}, 0
    for job, record in LocalExecutor(2).run(schedule().jobs()):
        assert job.key not in found
        found[job.key] = (record.moves, record.seed)
        if len(found) in (2, 5, 9):
            os.kill(workers()[0], signal.SIGKILL)
            killed += 1
    assert killed == 3
    assert found == expected


def test_a_game_that_ends_every_worker_is_an_error(tmp_path: Path) -> None:
    bad = tmp_path / "deadly.py"
    bad.write_text(
        "import os, sys\n"
        "from plyground.arena import LocalExecutor, GameJob, Rules\n"
        "def die():\n"
        "    os.kill(os.getpid(), 9)\n"
        "if __name__ == '__main__':\n"
        "    from plyground import WorkerError\n"
        "    job = GameJob('0-1/0', Rules('chess'), ('random', 'random'), (0, 1), (), 1)\n"
        "    try:\n"
        "        list(LocalExecutor(1, die).run([job]))\n"
        "    except WorkerError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, bad], capture_output=True, text=True, timeout=60, check=False)
    assert "the game 0-1/0 (random against random) ended 3 processes, the last by signal 9" in done.stdout, done.stderr


def test_an_error_in_a_game_reaches_us_as_it_is() -> None:
    (job,) = Schedule(Rules("chess"), ["random", "deepblue"], games=1).jobs()
    with pytest.raises(UnknownNameError, match="deepblue"):
        list(LocalExecutor(1).run([job]))


def test_nobody_is_left_when_we_stop_in_the_middle() -> None:
    games = LocalExecutor(2).run(schedule(40).jobs())
    next(games)
    assert len(workers()) == 2
    games.close()  # type: ignore[attr-defined]
    assert workers() == []


def test_workers_end_with_who_started_them(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(
        "from plyground.arena import LocalExecutor, Rules, Schedule\n"
        "if __name__ == '__main__':\n"
        "    slow = Schedule(Rules('chess'), ['mcts(seconds=60)', 'mcts(seconds=50)'])\n"
        "    for _ in LocalExecutor(1).run(slow.jobs()): pass\n"
    )
    starter = subprocess.Popen([sys.executable, script])
    children: list[str] = []
    deadline = time.monotonic() + 60
    while not children and time.monotonic() < deadline:
        time.sleep(0.2)
        text = Path(f"/proc/{starter.pid}/task/{starter.pid}/children").read_text()
        children = [one for one in text.split() if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
    time.sleep(3)
    starter.kill()
    starter.wait()
    while time.monotonic() < deadline and any(running(child) for child in children):
        time.sleep(0.2)
    assert children
    assert not any(running(child) for child in children)


def running(process: str) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def test_a_match_on_processes_has_the_same_games_in_the_same_order() -> None:
    match = Match(
        game("checkers"), agent("random"), agent("alphabeta(depth=1)"), 6, 3, openings=openings(game("checkers"))
    )
    assert list(match.play_on(LocalExecutor(2))) == list(match.play())


def test_unknown_executors_are_told_the_known() -> None:
    with pytest.raises(UnknownNameError, match="local, ray, serial"):
        executor("cloud")
    assert isinstance(executor("ray", 3), RayExecutor)
    assert isinstance(WorkerError("x"), Exception)
