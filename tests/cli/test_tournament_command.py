"""`plyground tournament` and `plyground openings`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from cli.command_line import COMMAND, call, environment, error_line
from plyground.learn import TdLearning, TdSettings, train
from plyground.store import Store

RUN = ("tournament", "run", "tictactoe", "Rand=random", "alphabeta(depth=1)", "flat(playouts=2)", "--games", "4")


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "store.sqlite")


def told(*arguments: str) -> Any:
    done = call(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_run_and_show_print_the_same_agents_and_cross_table(where: str) -> None:
    report = told(*RUN, "--store", where, "--executor", "serial", "--seed", "4")
    assert (report["name"], report["game"], report["games"], report["jobs"]) == ("tictactoe", "tictactoe", 12, 12)
    for agent in report["agents"]:
        assert agent["games"] == agent["wins"] + agent["draws"] + agent["losses"] == 8
        assert agent["low"] < agent["rating"] < agent["high"]
        assert {"name", "spec", "score", "elo", "superiority", "plies", "seconds"} < set(agent)
        against = report["cross_table"][agent["name"]].values()
        for key in ("wins", "draws", "losses"):
            assert sum(one[key] for one in against) == agent[key]
    shown = told("tournament", "show", "--store", where)
    assert shown == {key: value for key, value in report.items() if key != "seconds"}
    assert report["settings"]["seed"] == 4


def test_processes_give_the_same_table_as_one(where: str) -> None:
    timeless = []
    for name, options in (("one", ["--executor", "serial"]), ("two", ["--processes", "2"])):
        report = told(*RUN, "--store", where, "--name", name, *options)
        timeless.append([{**one, "seconds": 0} for one in report["agents"]])
    assert timeless[0] == timeless[1]
    listed = told("tournament", "list", "--store", where)
    assert [(one["name"], one["finished"]) for one in listed] == [("two", 12), ("one", 12)]
    assert call("tournament", "delete", "two", "--store", where).returncode == 0
    assert [one["name"] for one in told("tournament", "list", "--store", where)] == ["one"]


@pytest.mark.parametrize("options", [("--executor", "serial"), ("--processes", "2")], ids=["here", "processes"])
def test_checkpoints_of_training_runs_play(where: str, options: tuple[str, ...]) -> None:
    with Store(where) as store:
        train(TdLearning("tictactoe", TdSettings(games=40), seed=1), store)
    learned = "alphabeta(weights=run-1-20, depth=2)"
    report = told("tournament", "run", "tictactoe", learned, "random", "--games", "4", "--store", where, *options)
    assert {one["name"]: one["games"] for one in report["agents"]} == {learned: 4, "random": 4}
    wrong = call("tournament", "run", "tictactoe", "alphabeta(weights=run-9-20)", "random", "--store", where, *options)
    assert "no training run has the number 9" in wrong.stderr


def test_without_json_there_are_tables(where: str) -> None:
    done = call(*RUN, "--store", where, "--executor", "serial")
    assert done.returncode == 0
    for words in ("tictactoe: tictactoe, 12 of 12 games", "Rating", "95 %", "LOS", "Rand", "Against", "First move"):
        assert words in done.stdout
    again = call("tournament", "show", "tictactoe", "--store", where)
    assert done.stdout.partition(", played in")[0] in again.stdout + ", played in"


def test_a_name_that_is_taken_gets_a_number_unless_it_was_asked_for(where: str) -> None:
    for name in ("tictactoe", "tictactoe-2"):
        assert told(*RUN, "--store", where, "--executor", "serial", "--quick")["name"] == name
    line = error_line(*RUN, "--store", where, "--name", "tictactoe", code=4, here=True)
    assert "go on with it, or choose another name" in line


def test_ctrl_c_says_how_to_go_on_and_resume_finishes(where: str) -> None:
    slow = ["checkers", "random", "mcts(seconds=0.05)", "--games", "16", "--processes", "1"]  # 8 s on any machine
    running = subprocess.Popen(
        [COMMAND, "tournament", "run", *slow, "--name", "long one", "--store", where],
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(
        one["finished"] for one in told("tournament", "list", "--store", where)
    ):
        time.sleep(0.1)
    os.kill(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, "Broken off. Go on with: plyground tournament resume 'long one'\n")
    before = told("tournament", "show", "--store", where)["games"]
    assert 0 < before < 16
    assert told("tournament", "resume", "long one", "--store", where, "--processes", "2")["games"] == 16


def test_levels_are_a_roster(where: str) -> None:
    arguments = ("tournament", "run", "tictactoe", "random", "--roster", "levels", "--simulations", "5", "--quick")
    report = told(*arguments, "--games", "1", "--store", where, "--executor", "serial")
    assert {one["name"] for one in report["agents"]} == {
        *("Easy", "Medium", "Hard", "Expert", "Master", "Perfect"),
        "random",
    }


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "needs a game and two players"),
        (["chess", "random"], "needs a game and two players"),
        (["chess", "random", "random"], "twice"),
        (["chess", "random", "deepblue"], "there are: random"),
        (["chess", "--roster", "samuel"], "plays checkers"),
        (["--roster", "nobody"], "there are: samuel"),
        (["chess", "random", "flat", "--executor", "cloud"], "there are: local"),
        (["chess", "random", "flat", "--openings", "nowhere"], "start, deck or a file"),
        (["chess", "random", "flat", "--anchor", "mcts"], "does not play"),
        (["chess", "random", "flat", "--adjudication", "oracle"], "there are: none"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_is_accepted(arguments: list[str], why: str, where: str) -> None:
    assert why in error_line("tournament", "run", *arguments, "--store", where, code=2, here=True)


def test_where_there_is_no_tournament_that_is_said(where: str) -> None:
    assert "there is no tournament yet" in error_line("tournament", "show", "--store", where, code=2, here=True)
    assert "no tournament is called" in error_line("tournament", "resume", "x", "--store", where, code=2, here=True)


def test_games_of_ones_own_are_played_on_processes(where: str, tmp_path: Path) -> None:
    file = Path(__file__).parents[2] / "python/plyground/examples/nim.py"
    arguments = ["--game-file", str(file), "tournament", "run", "nim", "random", "flat(playouts=3)", "--games", "4"]
    done = subprocess.run(
        [COMMAND, *arguments, "--store", where, "--processes", "2", "--json"],
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["games"] == 4


def test_decks_are_listed_shown_and_made(tmp_path: Path) -> None:
    assert told("openings", "list")["checkers"] == 156
    assert len(told("openings", "show", "checkers")["openings"]) == 156
    made = tmp_path / "deck.txt"
    arguments = ("openings", "make", "connect4", "--plies", "3", "--count", "5", "--agent", "alphabeta(depth=4)")
    done = call(*arguments, "--margin", "0.1", "--output", made)
    assert done.stdout == f"5 openings are in {made}.\n"
    lines = made.read_text().splitlines()
    assert lines[0].startswith("# plyground openings make connect4 --plies 3 --count 5")
    shown = call("openings", "show", "connect4", "--deck", made).stdout
    assert shown.splitlines() == lines[1:]
    report = told(*arguments, "--margin", "0.1")
    assert [" ".join(moves) for moves in report["openings"]] == lines[1:]
