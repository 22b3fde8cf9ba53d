"""Training runs: kept, broken off, gone on with; from the command line too."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyground import WeightsError
from plyground.learn import FitLearner, FitSettings, TdLearning, TdSettings, train
from plyground.store import Store
from plyground.weights import load

PLYGROUND = Path(sys.executable).with_name("plyground")


def run(*words: str, folder: Path, code: int = 0) -> str:
    environment = {**os.environ, "PLYGROUND_STORE": str(folder / "store.sqlite")}
    done = subprocess.run(
        [PLYGROUND, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_a_run_is_kept_with_its_curve(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.sqlite")) as store:
        seen: list[int] = []
        learner = TdLearning("tictactoe", TdSettings(games=50, depth=1), 1)
        trained = train(learner, store, report=lambda played, _: seen.append(played))
        assert seen == [20, 40, 50] == list(trained.curve)
        assert trained.curve[50]["weight/threats"] == trained.weights.values["threats"]
        assert 0 <= trained.curve[20]["score"] <= 1
        kept = store.runs.get(trained.run)
        assert kept.finished is not None
        assert kept.settings["games"] == 50
        assert trained.resumed == 0


class BrokenError(Exception):
    """Stands for whatever ends a run."""


@pytest.mark.parametrize("method", ["td", "fit"])
def test_a_broken_run_goes_on_to_the_same_end(tmp_path: Path, method: str) -> None:
    def learner() -> TdLearning | FitLearner:
        if method == "td":
            return TdLearning("checkers", TdSettings(games=70, depth=1, refresh=7), 2)
        made = FitLearner("checkers", FitSettings(games=60, generation=25, depth=1, epochs=1), 2)
        made.every = 10
        return made

    def stop(played: int, _: object) -> None:
        if played >= 40:
            raise BrokenError

    with Store(str(tmp_path / "one.sqlite")) as store:
        whole = train(learner(), store)
    with Store(str(tmp_path / "two.sqlite")) as store:
        with pytest.raises(BrokenError):
            train(learner(), store, report=stop)
        again = train(learner(), store, resume=True)
        assert again.resumed == 40
        assert again.weights == whole.weights
        assert again.curve == whole.curve
        assert train(learner(), store, resume=True).resumed == 0, "a finished run is not gone on with"


def test_a_killed_command_goes_on_to_the_same_end(tmp_path: Path) -> None:
    words = ["train", "td", "checkers", "--games", "400", "--depth", "3", "--seed", "4", "--out"]
    run(*words, "whole.safetensors", folder=tmp_path)
    environment = {**os.environ, "PLYGROUND_STORE": str(tmp_path / "other.sqlite")}
    process = subprocess.Popen([PLYGROUND, *words, "cut.safetensors"], cwd=tmp_path, env=environment)
    with_checkpoint = False
    deadline = time.monotonic() + 60
    while not with_checkpoint and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
        if (tmp_path / "other.sqlite").exists():
            with Store(str(tmp_path / "other.sqlite")) as store:
                with_checkpoint = any(store.runs.steps(one.id) for one in store.runs.all())
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert with_checkpoint
    told = subprocess.run(
        [PLYGROUND, *words, "cut.safetensors", "--resume", "--json"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert json.loads(told.stdout)["resumed"] >= 20
    assert (tmp_path / "cut.safetensors").read_bytes() == (tmp_path / "whole.safetensors").read_bytes()


def test_the_command_reports_and_its_weights_play(tmp_path: Path) -> None:
    told = json.loads(
        run(
            "train", "td", "connect4", "--games", "30", "--depth", "2", "--variant", "tdleaf", "--json", folder=tmp_path
        )
    )
    assert told["method"] == "tdleaf"
    assert told["file"] == "connect4-tdleaf.safetensors"
    assert [point["games"] for point in told["curve"]] == [20, 30]
    assert json.loads((tmp_path / "connect4-tdleaf.json").read_text())["weights"] == told["weights"]
    spec = "alphabeta(weights=connect4-tdleaf.safetensors, depth=2)"
    report = json.loads(run("match", "connect4", spec, "random", "--json", folder=tmp_path))
    assert report["wins"] + report["draws"] + report["losses"] == 2
    assert "30 games" in run("train", "td", "connect4", "--games", "30", "--depth", "1", folder=tmp_path)
    assert "accepted is td or tdleaf" in run("train", "td", "chess", "--variant", "x", folder=tmp_path, code=2)
    assert "no patterns" in run("train", "fit", "chess", "--games", "1", folder=tmp_path, code=2)


def test_fitting_from_the_command_line(tmp_path: Path) -> None:
    run("train", "fit", "checkers", "--games", "20", "--depth", "2", "--epochs", "1", folder=tmp_path)
    weights = load(str(tmp_path / "checkers-fit.safetensors"), "checkers")
    assert (weights.kind, weights.games, weights.method) == ("patterns", 20, "fit")


def test_weights_are_listed_shown_and_compared(tmp_path: Path) -> None:
    listed = json.loads(run("weights", "list", "--json", folder=tmp_path))
    assert {"default", "best"} <= {one["name"] for one in listed if one["game"] == "checkers"}
    assert "turtle" in run("weights", "list", "checkers", folder=tmp_path)
    shown = run("weights", "show", "checkers", "trained", folder=tmp_path)
    assert "back_row" in shown
    assert "kings more" in shown
    compared = run("weights", "compare", "checkers", "default", "rookie", "veteran", folder=tmp_path)
    assert "1.50" in compared
    assert "patterns" in run("weights", "show", "checkers", "best", folder=tmp_path)
    assert "of patterns" in run("weights", "compare", "checkers", "best", folder=tmp_path, code=2)
    assert "there are: default" in run("weights", "show", "checkers", "nobody", folder=tmp_path, code=2)


def test_a_game_without_terms_is_refused() -> None:
    import plyground.examples.nim

    assert plyground.examples.nim
    with pytest.raises(WeightsError, match="no terms"):
        TdLearning("nim", TdSettings(), 0)
