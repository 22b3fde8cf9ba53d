"""Weights: files, validation, and use in searches."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from safetensors import deserialize

from cli.command_line import run_json
from plyground import ParseError, PlygroundError, Rng, UnknownNameError, WeightsError, game
from plyground._engine import Weights, evaluate_features, features, pattern_count
from plyground.agents import Limit, agent
from plyground.weights import WeightSet, load, load_file, names, save
from plyground.weights.safetensors import Tensor, read, write
from plyground.weights.sets import from_bytes, to_bytes

START = game("checkers").start()
IDS = ["checkers", "connect4", "tictactoe", "chess"]
TEN = [
    ("piece_count", 1.0),
    ("king_count", 1.5),
    ("back_row", 0.3),
    ("center_men", 0.1),
    ("center_kings", 0.3),
    ("advancement", 0.1),
    ("mobility", 0.05),
    ("opp_mobility", 0.05),
    ("vulnerable", 0.15),
    ("protected", 0.1),
]


def test_checkers_has_the_ten_samuel_features() -> None:
    assert [(name, start) for name, _, start in features(START)] == TEN


@pytest.mark.parametrize("id", IDS)
def test_every_feature_occurs_and_is_bounded(id: str) -> None:  # noqa: A002
    position = game(id).start()
    count = len(features(position))
    assert 3 <= count <= 16
    largest = [0.0] * count
    for seed in range(20):
        rng, one = Rng(seed), position
        while one.outcome is None:
            one = one.play_random(rng)
            values = evaluate_features(one)
            assert len(values) == count
            largest = [max(maximum, abs(value)) for maximum, value in zip(largest, values, strict=True)]
    bound = 4 if id == "chess" else 1.6  # random chess games can have several queens
    assert all(0 < maximum <= bound for maximum in largest), largest


def test_a_score_is_the_weighted_sum_of_features_for_the_side_to_move() -> None:
    position = START.play("11-15").play("23-18").play("8-11")
    values = [start for _, _, start in features(position)]
    score = sum(weight * value for weight, value in zip(values, evaluate_features(position), strict=True))
    weights = Weights.from_features(position, values)
    assert weights.evaluate(position) == pytest.approx(-1000 * score, abs=1), "white is to move"
    assert weights.evaluate(position.play("27-23")) != 0


def test_all_shipped_weights_load_and_play() -> None:
    for one in map(game, IDS):
        assert names(one.id)[0] == "default"
        for name in names(one.id):
            assert load(name, one.id).game == one.id
            analysis = agent(f"alphabeta(weights={name})").analyse(one.start(), Limit(depth=2), seed=0)
            assert analysis.best.move in one.start().moves
    assert {"aggressor", "best", "leaf", "rookie", "trained", "turtle", "veteran"} < set(names("checkers"))


def test_shipped_weights_are_small_and_documented() -> None:
    for name in names("checkers")[1:]:
        weights = load(name, "checkers")
        assert len(to_bytes(weights)) < 300_000
        assert weights.description
        if weights.method != "hand":
            assert weights.games > 0
            assert weights.settings["games"] == weights.games


def test_weights_change_the_evaluation() -> None:
    position = START.play("11-15")
    values = {
        agent(f"alphabeta(weights={name})").analyse(position, Limit(depth=3), seed=0).value
        for name in ("default", "aggressor", "turtle", "best")
    }
    assert len(values) == 4


def test_saved_weights_load_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    mine = WeightSet(
        "checkers", "features", dict(TEN), method="td", games=3, seed=2**64 - 1, settings={"games": 3}, description="x"
    )
    save(file, mine)
    assert load(str(file), "checkers") == mine
    assert from_bytes(to_bytes(mine)) == mine
    patterns = WeightSet("checkers", "patterns", table=b"\1\0\2\0" * pattern_count(START))
    save(file, patterns)
    assert load_file(file) == patterns
    assert [one.name for one in tmp_path.iterdir()] == ["mine.safetensors"]


@pytest.mark.parametrize("name", ["trained", "best"])
def test_files_in_the_first_format_still_load(name: str) -> None:
    weights = load(name, "checkers")
    tensors, header = read(to_bytes(weights))
    made = json.loads(header["made"])
    made["about"] = made.pop("description")
    header |= {"format": "plyground-weights-1", "made": json.dumps(made)}
    if weights.kind == "features":
        header |= {"kind": "terms", "terms": header.pop("features")}
    assert from_bytes(write(tensors, header)) == weights


def test_the_safetensors_library_reads_the_files() -> None:
    data = to_bytes(load("trained", "checkers"))
    [(name, tensor)] = deserialize(data)  # type: ignore[no-untyped-call]
    assert (name, tensor["dtype"], tensor["shape"]) == ("weights", "F64", [10])
    assert bytes(tensor["data"]) == data[-80:]


def test_invalid_files_are_rejected(tmp_path: Path) -> None:
    good = to_bytes(load("default", "checkers"))
    tensors, header = read(good)
    several = {"weights": tensors["weights"], "more": tensors["weights"]}
    infinite = {"weights": Tensor("F64", (10,), b"\0\0\0\0\0\0\xf0\x7f" * 10)}
    cases = {
        "header is truncated": good[:5],
        "is not JSON": b"\x08\0\0\0\0\0\0\0notjson!",
        "do not match the size": good + b"more",
        "not a weights file: the format must be plyground-weights-2": write(tensors, {**header, "format": "other"}),
        "unknown game 'halma'": write(tensors, {**header, "game": "halma"}),
        "the features must be those of checkers": write(tensors, {**header, "features": "[]"}),
        "kind must be features, patterns or qlearning, got 'odd'": write(tensors, {**header, "kind": "odd"}),
        "the array must be F64": write({"weights": Tensor("F64", (9,), b"\0" * 72)}, header),
        "the array must be I16": write(tensors, {**header, "kind": "patterns"}),
        "exactly one array": write(several, header),
        "must be a finite number": write(infinite, header),
        "header field 'made' is invalid": write(tensors, {**header, "made": json.dumps({"games": "many"})}),
    }
    for message, data in cases.items():
        file = tmp_path / "bad.safetensors"
        file.write_bytes(data)
        with pytest.raises(WeightsError, match=message):
            load_file(file)
    with pytest.raises(WeightsError, match="No such file"):
        load("nowhere.safetensors", "checkers")
    with pytest.raises(WeightsError, match="expected weights for chess, got weights for checkers"):
        file.write_bytes(good)
        load(str(file), "chess")
    with pytest.raises(UnknownNameError, match=r"unknown weights '../secret' for checkers; available: default, "):
        load("../secret", "checkers")


@given(some.binary(max_size=300))
def test_arbitrary_bytes_do_not_crash_the_reader(data: bytes) -> None:
    with suppress(PlygroundError):
        from_bytes(len(data).to_bytes(8, "little") + data)


@given(some.integers(0, 10_000), some.integers(0, 255))
def test_a_corrupted_file_is_rejected_or_harmless(place: int, byte: int) -> None:
    data = bytearray(to_bytes(load("default", "checkers")))
    data[place % len(data)] = byte
    with suppress(PlygroundError):
        from_bytes(bytes(data))


def test_the_engine_rejects_weights_for_another_game_or_of_another_size() -> None:
    with pytest.raises(WeightsError, match=r"must be 10 \(piece_count, .*\), got 9"):
        Weights.from_features(START, [1.0] * 9)
    with pytest.raises(WeightsError, match="king_count must be between -100 and 100, got NaN"):
        Weights.from_features(START, [1.0, float("nan")] + [0.0] * 8)
    with pytest.raises(WeightsError, match="number of pattern weights must be"):
        Weights.from_patterns(START, b"1234")
    weights = Weights.from_features(START, [1.0] * 10)
    with pytest.raises(WeightsError, match="expected weights for chess, got weights for checkers"):
        weights.evaluate(game("chess").start())


def test_weights_and_evaluation_cannot_be_combined() -> None:
    with pytest.raises(ParseError, match="cannot be combined"):
        agent("alphabeta(weights=default, evaluation=material)")


def test_a_rating_is_written_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    save(file, replace(load("turtle", "checkers"), date="2026-11-15", rating={}))
    output = run_json("weights", "rate", "checkers", str(file), "--games", "20", "--depth", "2")
    rated = load_file(file)
    assert rated.rating == {key: round(value, 1) for key, value in output["rating"].items()}
    assert rated.rating["low"] < rated.rating["elo"] < rated.rating["high"]
    assert (rated.rating["games"], rated.rating["depth"], rated.date) == (20, 2, "2026-11-15")
    assert rated.values == load("turtle", "checkers").values


def test_shipped_weights_have_a_date_and_a_rating() -> None:
    for name in names("checkers"):
        if name != "default":
            weights = load(name, "checkers")
            assert weights.date
            assert weights.rating["games"] == 400
