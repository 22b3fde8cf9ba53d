"""Sets of weights: files, what is refused, and what a search makes of them."""

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
from plyground._engine import Weights, count_patterns, measure, terms
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


def test_checkers_starts_with_the_ten_classic_terms() -> None:
    assert [(name, start) for name, _, start in terms(START)] == TEN


@pytest.mark.parametrize("id", IDS)
def test_terms_stay_near_one_in_random_games_and_some_are_never_nothing(id: str) -> None:  # noqa: A002
    position = game(id).start()
    count = len(terms(position))
    assert 3 <= count <= 16
    largest = [0.0] * count
    for seed in range(20):
        rng, one = Rng(seed), position
        while one.outcome is None:
            one = one.play_random(rng)
            measured = measure(one)
            assert len(measured) == count
            largest = [max(most, abs(value)) for most, value in zip(largest, measured, strict=True)]
    bound = 4 if id == "chess" else 1.6  # random games of chess see several queens
    assert all(0 < most <= bound for most in largest), largest


def test_a_score_is_weights_times_terms_for_the_side_to_move() -> None:
    position = START.play("11-15").play("23-18").play("8-11")
    values = [start for _, _, start in terms(position)]
    score = sum(weight * term for weight, term in zip(values, measure(position), strict=True))
    weights = Weights.of_terms(position, values)
    assert weights.judge(position) == pytest.approx(-1000 * score, abs=1), "white moves"
    assert weights.judge(position.play("27-23")) != 0


def test_every_set_of_the_package_loads_and_plays() -> None:
    for one in map(game, IDS):
        assert names(one.id)[0] == "default"
        for name in names(one.id):
            assert load(name, one.id).game == one.id
            analysis = agent(f"alphabeta(weights={name})").analyse(one.start(), Limit(depth=2), seed=0)
            assert analysis.best.move in one.start().moves
    assert {"aggressor", "best", "leaf", "rookie", "trained", "turtle", "veteran"} < set(names("checkers"))


def test_sets_of_the_package_are_small_and_say_how_they_were_made() -> None:
    for name in names("checkers")[1:]:
        weights = load(name, "checkers")
        assert len(to_bytes(weights)) < 300_000
        assert weights.about
        if weights.method != "hand":
            assert weights.games > 0
            assert weights.settings["games"] == weights.games


def test_weights_change_what_is_played() -> None:
    position = START.play("11-15")
    chosen = {
        agent(f"alphabeta(weights={name})").analyse(position, Limit(depth=3), seed=0).value
        for name in ("default", "aggressor", "turtle", "best")
    }
    assert len(chosen) == 4


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    mine = WeightSet(
        "checkers", "terms", dict(TEN), method="td", games=3, seed=2**64 - 1, settings={"games": 3}, about="x"
    )
    save(file, mine)
    assert load(str(file), "checkers") == mine
    assert from_bytes(to_bytes(mine)) == mine
    patterns = WeightSet("checkers", "patterns", table=b"\1\0\2\0" * count_patterns(START))
    save(file, patterns)
    assert load_file(file) == patterns
    assert [one.name for one in tmp_path.iterdir()] == ["mine.safetensors"]


def test_another_program_reads_the_files() -> None:
    data = to_bytes(load("trained", "checkers"))
    [(name, tensor)] = deserialize(data)  # type: ignore[no-untyped-call]
    assert (name, tensor["dtype"], tensor["shape"]) == ("weights", "F64", [10])
    assert bytes(tensor["data"]) == data[-80:]


def test_bad_files_are_refused_with_what_is_accepted(tmp_path: Path) -> None:
    good = to_bytes(load("default", "checkers"))
    tensors, header = read(good)
    several = {"weights": tensors["weights"], "more": tensors["weights"]}
    infinite = {"weights": Tensor("F64", (10,), b"\0\0\0\0\0\0\xf0\x7f" * 10)}
    cases = {
        "header is cut off": good[:5],
        "is not JSON": b"\x08\0\0\0\0\0\0\0notjson!",
        "do not fill": good + b"more",
        "does not say that it holds weights": write(tensors, {**header, "format": "other"}),
        "no game is called": write(tensors, {**header, "game": "halma"}),
        "terms are not those of checkers": write(tensors, {**header, "terms": "[]"}),
        "kind 'odd'": write(tensors, {**header, "kind": "odd"}),
        "accepted is F64": write({"weights": Tensor("F64", (9,), b"\0" * 72)}, header),
        "accepted is I16": write(tensors, {**header, "kind": "patterns"}),
        "other arrays": write(several, header),
        "no finite number": write(infinite, header),
        "how it was made": write(tensors, {**header, "made": json.dumps({"games": "many"})}),
    }
    for message, data in cases.items():
        file = tmp_path / "bad.safetensors"
        file.write_bytes(data)
        with pytest.raises(WeightsError, match=message):
            load_file(file)
    with pytest.raises(WeightsError, match="No such file"):
        load("nowhere.safetensors", "checkers")
    with pytest.raises(WeightsError, match="accepted here are those of chess"):
        file.write_bytes(good)
        load(str(file), "chess")
    with pytest.raises(UnknownNameError, match="there are: default, "):
        load("../secret", "checkers")


@given(some.binary(max_size=300))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    with suppress(PlygroundError):
        from_bytes(len(data).to_bytes(8, "little") + data)


@given(some.integers(0, 10_000), some.integers(0, 255))
def test_a_damaged_file_is_refused_or_harmless(place: int, byte: int) -> None:
    data = bytearray(to_bytes(load("default", "checkers")))
    data[place % len(data)] = byte
    with suppress(PlygroundError):
        from_bytes(bytes(data))


def test_the_engine_refuses_weights_of_another_game_or_size() -> None:
    with pytest.raises(WeightsError, match="9 weights; accepted are 10: piece_count"):
        Weights.of_terms(START, [1.0] * 9)
    with pytest.raises(WeightsError, match="king_count is NaN"):
        Weights.of_terms(START, [1.0, float("nan")] + [0.0] * 8)
    with pytest.raises(WeightsError, match="patterns"):
        Weights.of_patterns(START, b"1234")
    weights = Weights.of_terms(START, [1.0] * 10)
    with pytest.raises(WeightsError, match="of checkers and the position is of chess"):
        weights.judge(game("chess").start())


def test_weights_and_evaluation_exclude_each_other() -> None:
    with pytest.raises(ParseError, match="exclude each other"):
        agent("alphabeta(weights=default, evaluation=material)")


def test_a_rating_is_written_into_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    save(file, replace(load("turtle", "checkers"), date="2026-11-15", rating={}))
    told = run_json("weights", "rate", "checkers", str(file), "--games", "20", "--depth", "2")
    rated = load_file(file)
    assert rated.rating == {key: round(value, 1) for key, value in told["rating"].items()}
    assert rated.rating["low"] < rated.rating["elo"] < rated.rating["high"]
    assert (rated.rating["games"], rated.rating["depth"], rated.date) == (20, 2, "2026-11-15")
    assert rated.values == load("turtle", "checkers").values


def test_sets_of_the_package_say_when_they_were_made_and_how_strong_they_are() -> None:
    for name in names("checkers"):
        if name != "default":
            weights = load(name, "checkers")
            assert weights.date
            assert weights.rating["games"] == 400
