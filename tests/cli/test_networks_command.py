"""`plyground networks`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import plyground
from cli.command_line import error_line, run, run_json
from networks.random_networks import random_network
from plyground import ParseError, Position, networks
from plyground.networks import engine_network, load_file, save
from plyground.networks import export as onnx_export


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A network for connect4."""
    path = tmp_path / "net.safetensors"
    save(path, random_network("connect4"))
    return path


def test_a_file_is_listed_with_its_parameters(file: Path) -> None:
    (listed,) = run_json("networks", "list", file)
    assert (listed["name"], listed["game"], listed["method"]) == (str(file), "connect4", "random")
    assert listed["parameters"] == load_file(file).parameters
    assert f"{listed['parameters']:,}" in run("networks", "list", file).stdout


def test_the_list_of_a_game_contains_its_networks() -> None:
    names = [one["name"] for one in run_json("networks", "list", "connect4")]
    assert names == networks.names("connect4")


def test_a_network_is_shown_with_its_architecture(file: Path) -> None:
    report = run_json("networks", "show", "connect4", file)
    assert (report["width"], report["hidden"], report["buckets"], report["bucket_pieces"]) == (32, 16, 2, 8)
    assert report["arrays"]["features.weight"] == [plyground.game("connect4").features, 32]
    output = run("networks", "show", "connect4", file).stdout
    assert "Value head: 2 buckets of 8 pieces" in output
    assert "Policy: 16 hidden values" in output


def test_a_rating_is_written_to_the_file(file: Path) -> None:
    arguments = ("--agent", "alphabeta(depth=1)", "--against", "random", "--games", "12")
    report = run_json("networks", "rate", "connect4", file, *arguments)
    rated = load_file(file)
    assert rated.rating == {key: round(value, 1) for key, value in report["rating"].items()}
    assert rated.rating["low"] < rated.rating["elo"] < rated.rating["high"]
    assert rated.tensors == random_network("connect4").tensors


def test_a_network_of_another_game_is_rejected(file: Path) -> None:
    for command in ("show", "rate", "export"):
        error = error_line("networks", command, "checkers", str(file), code=2)
        assert "expected a network for checkers, got a network for connect4" in error


def positions(spec: str) -> list[Position]:
    """Return the positions of two random games."""
    rng, found = plyground.Rng(4), []
    for _ in range(2):
        position = plyground.game(spec).start()
        while position.outcome is None and position.ply < 60:
            found.append(position)
            position = position.play_random(rng)
    return found


@pytest.mark.parametrize(("spec", "hidden"), [("connect4", 16), ("checkers", 16), ("chess", 8), ("tictactoe", 0)])
def test_an_exported_model_computes_what_the_engine_does(spec: str, hidden: int, tmp_path: Path) -> None:
    network = random_network(spec, hidden=hidden, buckets=4)
    save(tmp_path / "net.safetensors", network)
    out = tmp_path / "net.onnx"
    report = run_json("networks", "export", spec, tmp_path / "net.safetensors")
    assert report == {"file": str(out), "bytes": out.stat().st_size}
    model = ReferenceEvaluator(onnx.load(out))
    tested = positions(spec)
    features = plyground.game(spec).features
    inputs = {name: np.zeros((len(tested), features), np.float32) for name in ("own", "other")}
    for row, position in enumerate(tested):
        inputs["own"][row, position.active_features] = 1
        inputs["other"][row, position.opponent_features] = 1
    results, *policies = (np.asarray(one) for one in model.run(None, inputs))
    engine = engine_network(network, tested[0])
    for row, position in enumerate(tested):
        expected, logits = engine.predict(position, exact=True)
        assert results[row].tolist() == pytest.approx(expected, abs=1e-3)
        if hidden:
            found = [policies[0][row, action] for action in position.actions]
            assert found == pytest.approx(logits, abs=1e-3)
    assert len(policies) == (hidden > 0)


def test_equal_networks_are_exported_as_equal_files() -> None:
    first, second = (onnx_export.export_onnx(random_network("tictactoe")) for _ in range(2))
    assert first == second


def test_the_error_without_onnx_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_export, "find_spec", lambda _: None)
    with pytest.raises(ParseError, match=r"install it with: pip install 'plyground\[onnx\]'"):
        onnx_export.export_onnx(random_network("tictactoe"))
