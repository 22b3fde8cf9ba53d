"""`plyground tournament` and `plyground openings`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from cli.command_line import COMMAND, environment, error_line, run_in_process, run_json
from plyground.arena import Executor
from plyground.arena.tournament import Tournament
from plyground.learn import TdLearner, TdSettings, train
from plyground.store import Store
from timeouts import SUBPROCESS_S

RUN = ("tournament", "run", "tictactoe", "Rand=random", "alphabeta(depth=1)", "flat(playouts=2)", "--games", "4")


INTERRUPTED = "Interrupted. Resume with: plyground tournament resume 'long one'\n"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """Path of a new store."""
    return str(tmp_path / "store.sqlite")


def test_run_and_show_report_the_same_standings(store: str) -> None:
    report = run_json(*RUN, "--store", store, "--executor", "serial", "--seed", "4", in_process=True)
    assert (report["name"], report["game"], report["games"], report["finished"]) == ("tictactoe", "tictactoe", 12, 12)
    for agent in report["agents"]:
        assert agent["games"] == agent["wins"] + agent["draws"] + agent["losses"] == 8
        assert agent["low"] < agent["rating"] < agent["high"]
        assert {"name", "spec", "score", "elo", "superiority", "plies", "seconds"} < set(agent)
        against = report["cross_table"][agent["name"]].values()
        for key in ("wins", "draws", "losses"):
            assert sum(result[key] for result in against) == agent[key]
    shown = run_json("tournament", "show", "--store", store, in_process=True)
    assert shown == {key: value for key, value in report.items() if key != "seconds"}
    assert report["settings"]["seed"] == 4


def test_processes_do_not_change_the_standings(store: str) -> None:
    reports = []
    for name, options in (("one", ["--executor", "serial"]), ("two", ["--processes", "2"])):
        report = run_json(*RUN, "--store", store, "--name", name, *options, in_process=True)
        reports.append([{**agent, "seconds": 0} for agent in report["agents"]])
    assert reports[0] == reports[1]
    tournaments = run_json("tournament", "list", "--store", store, in_process=True)
    assert [(entry["name"], entry["finished"]) for entry in tournaments] == [("two", 12), ("one", 12)]
    assert run_in_process("tournament", "delete", "two", "--store", store).returncode == 0
    assert [entry["name"] for entry in run_json("tournament", "list", "--store", store, in_process=True)] == ["one"]


@pytest.mark.parametrize("options", [("--executor", "serial"), ("--processes", "2")], ids=["serial", "processes"])
def test_training_checkpoints_can_play(store: str, options: tuple[str, ...]) -> None:
    with Store(store) as opened:
        train(TdLearner("tictactoe", TdSettings(games=40), seed=1), opened)
    learned = "alphabeta(weights=run-1-20, depth=2)"
    report = run_json(
        "tournament", "run", "tictactoe", learned, "random", "--games", "4", "--store", store, *options, in_process=True
    )
    assert {agent["name"]: agent["games"] for agent in report["agents"]} == {learned: 4, "random": 4}
    result = run_in_process(
        "tournament", "run", "tictactoe", "alphabeta(weights=run-9-20)", "random", "--store", store, *options
    )
    assert "training run 9 not found" in result.stderr


def test_prints_standings_and_head_to_head_results(store: str) -> None:
    result = run_in_process(*RUN, "--store", store, "--executor", "serial")
    assert result.returncode == 0
    for text in ("tictactoe: tictactoe, 12 of 12 games", "Rating", "95% interval", "LOS", "Rand"):
        assert text in result.stdout
    for text in ("Head-to-head results", "First-move advantage"):
        assert text in result.stdout
    shown = run_in_process("tournament", "show", "tictactoe", "--store", store)
    assert shown.stdout == re.sub(r", played in [\d.]+ s", "", result.stdout)


def test_default_names_are_numbered_and_given_names_must_be_new(store: str) -> None:
    for name in ("tictactoe", "tictactoe-2"):
        assert run_json(*RUN, "--store", store, "--executor", "serial", "--quick", in_process=True)["name"] == name
    message = error_line(*RUN, "--store", store, "--name", "tictactoe", code=4, in_process=True)
    assert "already exists; resume it or choose another name" in message


def test_ctrl_c_stops_a_tournament(store: str) -> None:
    with Store(store):  # create the database before both processes use it
        pass
    # At least 20 moves of 0.05 s per game: the tournament cannot end before it is interrupted.
    players = ("random", "mcts(seconds=0.05)")
    arguments = ("checkers", *players, "--games", "1000", "--processes", "1", "--name", "long one", "--store", store)
    process = subprocess.Popen(
        [COMMAND, "tournament", "run", *arguments], env=environment(), stderr=subprocess.PIPE, text=True
    )
    while finished_games(store) == 0:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=SUBPROCESS_S)
    assert (process.returncode, errors) == (130, INTERRUPTED)
    assert 0 < finished_games(store) < 1000


def finished_games(store: str) -> int:
    with Store(store) as opened:
        return sum(tournament.finished for tournament in opened.tournaments.all())


def test_resumes_an_interrupted_tournament(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    serial = ("--store", store, "--executor", "serial")
    complete = run_json(*RUN, *serial, "--name", "complete", in_process=True)

    def play_three_games(tournament: Tournament, executor: Executor) -> Iterator[object]:
        yield from islice(play(tournament, executor), 3)
        raise KeyboardInterrupt

    play = Tournament.play
    with monkeypatch.context() as patch:
        patch.setattr(Tournament, "play", play_three_games)
        interrupted = run_in_process(*RUN, *serial, "--name", "long one")
    assert (interrupted.returncode, interrupted.stderr) == (130, INTERRUPTED)
    assert run_json("tournament", "show", "long one", "--store", store, in_process=True)["finished"] == 3
    resumed = run_json("tournament", "resume", "long one", *serial, in_process=True)
    assert resumed["finished"] == 12
    assert resumed["cross_table"] == complete["cross_table"]


def test_baselines_are_added_unless_they_already_play(store: str) -> None:
    run = ("tournament", "run", "tictactoe", "--baselines", "--games", "1", "--executor", "serial", "--store", store)
    report = run_json(*run, "solver", "random", in_process=True)
    assert {agent["name"] for agent in report["agents"]} == {"solver", "random", "Flat Monte Carlo"}


def test_the_levels_of_a_game_form_a_roster(store: str) -> None:
    arguments = ("tournament", "run", "tictactoe", "random", "--roster", "levels", "--simulations", "5", "--quick")
    report = run_json(*arguments, "--games", "1", "--store", store, "--executor", "serial", in_process=True)
    assert {agent["name"] for agent in report["agents"]} == {
        *("Easy", "Medium", "Hard", "Expert", "Master", "Perfect"),
        "random",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "requires a game and at least two players"),
        (["chess", "random"], "requires a game and at least two players"),
        (["chess", "random", "random"], "twice"),
        (["chess", "random", "deepblue"], "available: mcts"),
        (["chess", "--roster", "samuel"], "is for checkers, not for chess"),
        (["--roster", "nobody"], "available: samuel"),
        (["chess", "random", "flat", "--executor", "cloud"], "available: local"),
        (["chess", "random", "flat", "--openings", "nowhere"], "start, deck or a file"),
        (["chess", "random", "flat", "--anchor", "mcts"], "unknown anchor 'mcts'"),
        (["chess", "random", "flat", "--adjudication", "oracle"], "available: none"),
    ],
)
def test_invalid_arguments_are_one_line_errors(arguments: list[str], message: str, store: str) -> None:
    assert message in error_line("tournament", "run", *arguments, "--store", store, code=2, in_process=True)


def test_a_missing_tournament_is_an_error(store: str) -> None:
    assert "no tournaments yet" in error_line("tournament", "show", "--store", store, code=2, in_process=True)
    assert "unknown tournament" in error_line("tournament", "resume", "x", "--store", store, code=2, in_process=True)


def test_user_games_are_played_in_processes(store: str, tmp_path: Path) -> None:
    file = Path(__file__).parents[2] / "python/plyground/examples/nim.py"
    arguments = ["--game-file", str(file), "tournament", "run", "nim", "random", "flat(playouts=3)", "--games", "4"]
    result = subprocess.run(
        [COMMAND, *arguments, "--store", store, "--processes", "2", "--json"],
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SUBPROCESS_S,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["finished"] == 4


def test_lists_shows_and_makes_opening_decks(tmp_path: Path) -> None:
    assert run_json("openings", "list", in_process=True)["checkers"] == 156
    assert len(run_json("openings", "show", "checkers", in_process=True)["openings"]) == 156
    deck = tmp_path / "deck.txt"
    arguments = ("openings", "make", "connect4", "--plies", "3", "--count", "5", "--agent", "alphabeta(depth=4)")
    result = run_in_process(*arguments, "--margin", "0.1", "--output", deck)
    assert result.stdout == f"Wrote 5 openings to {deck}.\n"
    lines = deck.read_text().splitlines()
    assert lines[0].startswith("# plyground openings make connect4 --plies 3 --count 5")
    shown = run_in_process("openings", "show", "connect4", "--deck", deck).stdout
    assert shown.splitlines() == lines[1:]
    report = run_json(*arguments, "--margin", "0.1", in_process=True)
    assert [" ".join(moves) for moves in report["openings"]] == lines[1:]
