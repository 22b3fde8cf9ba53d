"""Training runs: saving, interrupting and resuming, in Python and on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from plyground import ParseError, WeightsError
from plyground.learn import FitLearner, FitSettings, TdLearner, TdSettings, train
from plyground.store import Store
from plyground.weights import WeightSet, load
from timeouts import SUBPROCESS_S

PLYGROUND = Path(sys.executable).with_name("plyground")


def run(*arguments: str, folder: Path, code: int = 0) -> str:
    environment = {**os.environ, "PLYGROUND_STORE": str(folder / "store.sqlite")}
    done = subprocess.run(
        [PLYGROUND, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SUBPROCESS_S,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_a_run_is_saved_with_its_curve(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.sqlite")) as store:
        reported: list[int] = []
        learner = TdLearner("tictactoe", TdSettings(games=50, depth=1), 1)
        trained = train(learner, store, report=lambda played, _: reported.append(played))
        assert reported == [20, 40, 50] == list(trained.curve)
        assert isinstance(trained.weights, WeightSet)
        assert trained.curve[50]["weight/threats"] == trained.weights.values["threats"]
        assert 0 <= trained.curve[20]["score"] <= 1
        assert trained.run is not None
        stored = store.runs.get(trained.run)
        assert stored.finished is not None
        assert stored.settings["games"] == 50
        assert trained.resumed == 0


class InterruptionError(Exception):
    """Raised to interrupt a run."""


@pytest.mark.parametrize("method", ["td", "fit"])
def test_resuming_an_interrupted_run_gives_the_same_result(tmp_path: Path, method: str) -> None:
    def learner() -> TdLearner | FitLearner:
        if method == "td":
            return TdLearner("checkers", TdSettings(games=70, depth=1, refresh_games=7), 2)
        fit = FitLearner("checkers", FitSettings(games=60, generation=25, depth=1, epochs=1), 2)
        fit.checkpoint_interval = 10
        return fit

    def stop(played: int, _: object) -> None:
        if played >= 40:
            raise InterruptionError

    with Store(str(tmp_path / "one.sqlite")) as store:
        expected = train(learner(), store)
    with Store(str(tmp_path / "two.sqlite")) as store:
        with pytest.raises(InterruptionError):
            train(learner(), store, report=stop)
        result = train(learner(), store, resume=True)
        assert result.resumed == 40
        assert result.weights == expected.weights
        assert result.curve == expected.curve
        with pytest.raises(ParseError, match="run 1 with these settings is finished"):
            train(learner(), store, resume=True)


def test_resuming_with_other_settings_is_an_error_that_names_the_differences(tmp_path: Path) -> None:
    def stop(_: int) -> bool:
        return False

    with Store(str(tmp_path / "store.sqlite")) as store:
        stopped = train(TdLearner("tictactoe", TdSettings(games=30, depth=1), 1), store, proceed=stop)
        assert stopped.run is not None
        assert (stopped.is_finished, store.runs.steps(stopped.run)) == (False, [1])
        with pytest.raises(ParseError, match="run 1 has seed 1, not 2, games 30, not 40"):
            train(TdLearner("tictactoe", TdSettings(games=40, depth=1), 2), store, resume=True)
        with pytest.raises(ParseError, match="no interrupted td run for connect4 has these settings"):
            train(TdLearner("connect4", TdSettings(games=30, depth=1), 1), store, resume=True)
        assert len(store.runs.all()) == 1
    message = run("train", "td", "tictactoe", "--games", "40", "--depth", "1", "--resume", folder=tmp_path, code=2)
    assert "run 1 has seed 1, not 0, games 30, not 40" in message


def test_resuming_a_killed_command_gives_the_same_result(tmp_path: Path) -> None:
    arguments = ["train", "td", "checkers", "--games", "400", "--depth", "3", "--seed", "4", "--out"]
    run(*arguments, "expected.safetensors", folder=tmp_path)
    resumed = tmp_path / "resumed"
    resumed.mkdir()
    # The child kills itself after its second checkpoint. The first one is saved at once, later ones every half second.
    script = (
        "import os, signal\n"
        "from plyground.learn import TdLearner, TdSettings, train\n"
        "from plyground.store import Store\n"
        "def report(games, _):\n"
        "    if games >= 40: os.kill(os.getpid(), signal.SIGKILL)\n"
        "with Store('store.sqlite') as store:\n"
        "    train(TdLearner('checkers', TdSettings(games=400), seed=4), store, report=report)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], cwd=resumed, timeout=SUBPROCESS_S, check=False)
    assert killed.returncode == -signal.SIGKILL
    summary = json.loads(run(*arguments, "actual.safetensors", "--resume", "--json", folder=resumed))
    assert summary["resumed"] in (20, 40)
    assert (resumed / "actual.safetensors").read_bytes() == (tmp_path / "expected.safetensors").read_bytes()


def test_the_command_prints_a_summary_and_its_weights_can_play(tmp_path: Path) -> None:
    summary = json.loads(
        run(
            "train", "td", "connect4", "--games", "30", "--depth", "2", "--variant", "tdleaf", "--json", folder=tmp_path
        )
    )
    assert summary["method"] == "tdleaf"
    assert summary["file"] == "connect4-tdleaf.safetensors"
    assert [point["games"] for point in summary["curve"]] == [20, 30]
    assert json.loads((tmp_path / "connect4-tdleaf.json").read_text())["weights"] == summary["weights"]
    spec = "alphabeta(weights=connect4-tdleaf.safetensors, depth=2)"
    report = json.loads(run("match", "connect4", spec, "random", "--json", folder=tmp_path))
    assert report["wins"] + report["draws"] + report["losses"] == 2
    assert "30 games" in run("train", "td", "connect4", "--games", "30", "--depth", "1", folder=tmp_path)
    assert "variant must be td or tdleaf, got 'x'" in run(
        "train", "td", "chess", "--variant", "x", folder=tmp_path, code=2
    )
    assert "no patterns" in run("train", "fit", "chess", "--games", "1", folder=tmp_path, code=2)


def test_fits_from_the_command_line(tmp_path: Path) -> None:
    run("train", "fit", "checkers", "--games", "20", "--depth", "2", "--epochs", "1", folder=tmp_path)
    weights = load(str(tmp_path / "checkers-fit.safetensors"), "checkers")
    assert (weights.kind, weights.games, weights.method) == ("patterns", 20, "fit")


def test_weights_are_listed_shown_and_compared(tmp_path: Path) -> None:
    listed = json.loads(run("weights", "list", "--json", folder=tmp_path))
    assert {"default", "best"} <= {one["name"] for one in listed if one["game"] == "checkers"}
    assert "turtle" in run("weights", "list", "checkers", folder=tmp_path)
    shown = run("weights", "show", "checkers", "trained", folder=tmp_path)
    assert "back_row" in shown
    assert "difference in kings" in shown
    compared = run("weights", "compare", "checkers", "default", "rookie", "veteran", folder=tmp_path)
    assert "1.50" in compared
    assert "patterns" in run("weights", "show", "checkers", "best", folder=tmp_path)
    assert "compare requires feature weights" in run("weights", "compare", "checkers", "best", folder=tmp_path, code=2)
    assert "available: default" in run("weights", "show", "checkers", "nobody", folder=tmp_path, code=2)


def test_a_game_without_features_is_rejected() -> None:
    import plyground.examples.nim

    assert plyground.examples.nim
    with pytest.raises(WeightsError, match="nim has no features"):
        TdLearner("nim", TdSettings(), 0)
