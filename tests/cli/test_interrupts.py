"""Ctrl-C and progress in a terminal."""

from __future__ import annotations

import re
import shlex
import signal
from pathlib import Path

import pytest

from cli.command_line import run_in_process, stored_games
from cli.terminal import Terminal
from plyground.cli.progress import on_first_ctrl_c
from plyground.learn import TdLearner
from plyground.store import Store

ENDLESS = "mcts(simulations=1000000000000)"


def test_ctrl_c_makes_the_opponent_move_at_once(tmp_path: Path) -> None:
    terminal = Terminal("play", "connect4", "--agent", ENDLESS, "--store", tmp_path / "store", NO_COLOR="1")
    terminal.wait_for("red> ")
    terminal.type("4\n")
    terminal.wait_for(".   .   .  (r)  .   .   .")  # the player's move is drawn before the opponent starts thinking
    terminal.wait_for(f"{ENDLESS} is thinking")
    terminal.wait_for("simulations (Ctrl-C: move now)")
    terminal.interrupt()
    terminal.wait_for("yellow plays")
    terminal.wait_for("red> ")
    terminal.type("quit\n")
    assert terminal.exit_code() == 0
    (record,) = stored_games(tmp_path / "store")
    assert len(record.moves) == 2


def test_ctrl_c_twice_leaves_the_game(tmp_path: Path) -> None:
    terminal = Terminal("play", "checkers", "--store", tmp_path / "store")
    terminal.wait_for("black> ")
    terminal.type("11-15\n")
    terminal.wait_for("white plays")
    terminal.send_signal_at_prompt("black> ", signal.SIGINT)
    terminal.wait_for("Press Ctrl-C again or type quit to leave the game.")
    terminal.send_signal_at_prompt("black> ", signal.SIGINT)
    terminal.wait_for("Resume it with: plyground play checkers --load 1")
    assert terminal.exit_code() == 0
    assert "Traceback" not in terminal.output
    assert stored_games(tmp_path / "store")[0].moves[0] == "11-15"


def test_only_the_second_ctrl_c_raises() -> None:
    presses: list[int] = []
    raised = False
    try:
        with on_first_ctrl_c(lambda: presses.append(1)):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raised = True
    assert (presses, raised) == ([1], True)


def test_ctrl_c_stops_a_hint_without_leaving_the_game() -> None:
    terminal = Terminal("play", "connect4", "--agent", ENDLESS)
    terminal.wait_for("red> ")
    terminal.type("hint\n")
    terminal.wait_for("is looking for a hint")
    terminal.wait_for("simulations (Ctrl-C: stop)")
    terminal.interrupt()
    terminal.wait_for("would play")
    terminal.type("quit\n")
    assert terminal.exit_code() == 0


def test_an_analysis_shows_its_best_move_so_far_and_ctrl_c_prints_the_result() -> None:
    terminal = Terminal("analyse", "chess", "--seconds", "100000")
    found = None
    while found is None:
        terminal.wait_for("(Ctrl-C: stop)")
        found = re.search(r"simulations, best so far \(\d+\.\d%\): [KQRBN]?[a-h]", terminal.output)
    terminal.interrupt()
    terminal.wait_for("white to move")
    assert terminal.exit_code() == 0
    assert re.search(r"[\d,]+ simulations and [\d,]+ nodes", terminal.output)


def test_ctrl_c_ends_perft_with_the_count_so_far() -> None:
    terminal = Terminal("perft", "chess", "40")
    terminal.wait_for("Counting")
    terminal.interrupt()
    terminal.wait_for("nodes/s")
    terminal.wait_for("Interrupted: 0 of 20 root moves counted completely.")
    assert terminal.exit_code() == 130
    assert "Traceback" not in terminal.output


def test_perft_shows_the_nodes_counted_so_far() -> None:
    terminal = Terminal("perft", "chess", "40")
    while not re.search(r"0/20.* [\d,]{5,} nodes", terminal.output):
        terminal.wait_for(" nodes")
    terminal.interrupt()
    assert terminal.exit_code() == 130


def test_the_solver_shows_bounds_and_ctrl_c_prints_them() -> None:
    terminal = Terminal("solve", "connect4(columns=8, rows=7)", "")
    terminal.wait_for("The score is between")
    terminal.interrupt()
    assert terminal.exit_code() == 130
    assert re.search(r"Interrupted\. The score is between [+-]\d+ and [+-]\d+ after [\d,]+ nodes\.", terminal.output)


def wait_for_games(terminal: Terminal, total: int) -> None:
    """Wait until the progress bar shows at least one game."""
    while not re.search(rf"[1-9]\d*/{total}", terminal.output):
        terminal.wait_for(f"/{total}")


def test_an_interrupted_match_prints_its_score_and_saves_every_counted_game(tmp_path: Path) -> None:
    arguments = ("match", "tictactoe", "random", "random", "--games", "1000000", "--save")
    terminal = Terminal(*arguments, "--store", tmp_path / "store")
    wait_for_games(terminal, 1_000_000)
    terminal.interrupt()
    terminal.wait_for("Elo difference A - B")
    terminal.wait_for("Interrupted after ")
    assert terminal.exit_code() == 130
    found = re.search(r"Interrupted after ([\d,]+) of 1,000,000 games", terminal.output)
    assert found is not None
    assert len(stored_games(tmp_path / "store")) >= int(found[1].replace(",", ""))


def test_ctrl_c_ends_a_training_run_after_the_current_game(tmp_path: Path) -> None:
    store = tmp_path / "store"
    arguments = ("train", "td", "checkers", "--games", "1000000", "--depth", "4", "--store", store)
    terminal = Terminal(*arguments, COLUMNS="200")
    wait_for_games(terminal, 1_000_000)
    terminal.interrupt()
    terminal.wait_for("Resume with: ")
    assert terminal.exit_code() == 130
    found = re.search(r"Interrupted and saved after ([\d,]+) games?\. Resume with: plyground (.*)", terminal.output)
    assert found is not None
    assert shlex.split(found[2]) == [*map(str, arguments), "--resume"]
    with Store(str(store)) as opened:
        assert opened.runs.steps(1)[-1] == int(found[1].replace(",", ""))


def test_a_resumed_training_run_has_the_result_of_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("train", "td", "checkers", "--games", "30", "--depth", "1", "--store", str(tmp_path / "store"))
    out, expected = tmp_path / "weights.safetensors", tmp_path / "expected.safetensors"
    assert run_in_process(*arguments, "--out", expected).returncode == 0
    play = TdLearner.play

    def play_and_press_ctrl_c_after_the_third_game(self: TdLearner) -> None:
        play(self)
        if self.games_played == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(TdLearner, "play", play_and_press_ctrl_c_after_the_third_game)
    interrupted = run_in_process(*arguments, "--out", out)
    assert interrupted.returncode == 130
    found = re.search(r"Interrupted and saved after 3 games\. Resume with: plyground (.*)", interrupted.stderr)
    assert found is not None
    resumed = run_in_process(*shlex.split(found[1]))
    assert (resumed.returncode, resumed.stderr) == (0, "")
    assert "Resumed after 3 games." in resumed.stdout
    assert out.read_bytes() == expected.read_bytes()


def test_fitting_shows_its_phases(tmp_path: Path) -> None:
    arguments = ("train", "fit", "checkers", "--games", "60", "--generation", "30", "--depth", "1", "--epochs", "40")
    terminal = Terminal(*arguments, "--store", tmp_path / "store", "--out", tmp_path / "x.safetensors", COLUMNS="200")
    terminal.wait_for("Fitting to 30 games")
    terminal.wait_for("Fitting to 60 games")
    assert terminal.exit_code() == 0
