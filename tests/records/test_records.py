"""Records in memory and on disk."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Outcome, ParseError, PlygroundError, Rng, game, games
from plyground.agents import Limit, agent
from plyground.records import HUMAN, Record
from plyground.records.files import LARGEST
from plyground.records.json import load, read, read_all, save, write, write_all
from records.samples import random_games

RECORD = Record(
    "checkers",
    ("11-15", "23-18"),
    players={"black": HUMAN, "white": "random"},
    seed=2**64 - 1,
    started="2026-01-31T12:00:00+00:00",
)


@pytest.mark.parametrize("name", [game.id for game in games()])
def test_what_is_written_is_read(name: str) -> None:
    position, rng = game(name).start(), Rng(1)
    while position.outcome is None:
        position = position.play_random(rng)
    record = Record.from_position(position, {}, seed=1)
    assert read(write(record)) == record
    assert record.to_position() == position


def test_a_game_from_a_position_keeps_its_start() -> None:
    position = game("checkers").position("B:W6,14:B1", ["1x17"])
    record = Record.from_position(position, {})
    assert record.start is not None
    assert read(write(record)).to_position().history == ["1x17"]


def test_the_usual_start_is_not_written() -> None:
    assert Record.from_position(game("chess").start().play("e4"), {}).start is None


def test_a_game_can_end_otherwise_than_by_the_rules() -> None:
    resigned = Outcome("white", "resignation")
    record = Record.from_position(game("checkers").start(), {}, outcome=resigned)
    assert read(write(record)).outcome == resigned


def test_the_rules_decide_before_anything_else() -> None:
    won = game("connect4").position("1212121")
    assert Record.from_position(won, {}, outcome=Outcome(None, "ply limit")).outcome == Outcome("red", "line")


def test_a_saved_record_is_loaded(tmp_path: Path) -> None:
    save(tmp_path / "game.json", RECORD)
    assert load(tmp_path / "game.json") == RECORD
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(write(RECORD)), **fields})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: it is not JSON"),
        ("{\n  nonsense", "line 2, column 3: it is not JSON"),
        ("[" * 100_000, "it is not a game record"),
        ("1" * 10_000, "it is not a game record"),
        ("[]", 'accepted is an object with "format": "plyground-game"'),
        ('{"format": "plyground-game", "format": 1}', "given twice"),
        (changed(format="pgn"), "it is not a game record"),
        (changed(version=2), "version: it is 2; accepted is 1"),
        (changed(extra=1), "'extra' is not a field; accepted are game, start, moves"),
        (changed(game=None), "game: null; accepted is a printable text"),
        (changed(game="go"), 'no game is called "go"'),
        (changed(start="x"), "is not a position"),
        (changed(moves="11-15"), 'moves: "11-15"; accepted is a list'),
        (changed(moves=["11-15", 4]), "moves, ply 2: 4; accepted is a printable text"),
        (changed(moves=["11-15", "11-15"]), 'ply 2 of 2: move "11-15" is illegal'),
        (changed(moves=["11-15", "\ud800"]), "moves, ply 2"),
        (changed(moves=["11-15"] * 20_001), "accepted is a list of at most 20000 moves"),
        (changed(outcome="1-0"), 'outcome: "1-0"; accepted is null or an object with winner and reason'),
        (changed(outcome={"winner": "red", "reason": "line"}), "outcome: 'red' is no side of checkers"),
        (changed(players=[]), "players: []; accepted is an object"),
        (changed(players={"red": "human"}), "players: 'red' is no side of checkers; accepted are black and white"),
        (changed(players={"black": 1}), "players.black: 1; accepted is a printable text"),
        (changed(seed=-1), "seed: -1; accepted is null or a whole number"),
        (changed(seed=True), "seed: true; accepted is null or a whole number"),
        (changed(seed=1.5), "seed: 1.5; accepted is null or a whole number"),
        (changed(started="yesterday"), 'started: "yesterday"; accepted is null or a date and time'),
    ],
)
def test_what_is_no_record_is_refused_and_told_where(text: str, message: str) -> None:
    with pytest.raises(PlygroundError) as caught:
        read(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_an_outcome_against_the_rules_is_refused() -> None:
    won = Record.from_position(game("connect4").position(moves=list("1212121")), {})
    with pytest.raises(ParseError, match="by the rules the game ended: red wins: line"):
        read(json.dumps({**json.loads(write(won)), "outcome": {"winner": "yellow", "reason": "line"}}))


def test_errors_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(b"\xff")
    with pytest.raises(ParseError, match=r"game\.json: byte 0 is not UTF-8"):
        load(file)
    file.write_text("{")
    with pytest.raises(ParseError, match=r"game\.json: line 1"):
        load(file)
    with pytest.raises(PlygroundError, match="cannot be read: No such file"):
        load(tmp_path / "missing.json")


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with file.open("wb") as sparse:
        sparse.truncate(LARGEST + 1)
    with pytest.raises(ParseError, match="longer than 50000000 bytes"):
        load(file)


def test_what_is_not_a_file_is_not_written(tmp_path: Path) -> None:
    for path in (Path(os.devnull), tmp_path):
        with pytest.raises(PlygroundError, match="not a file"):
            save(path, RECORD)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    save(tmp_path / "game.json", RECORD)
    (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
    save(tmp_path / "link.json", Record("chess"))
    assert (tmp_path / "link.json").is_symlink()
    assert load(tmp_path / "game.json") == Record("chess")


def test_a_save_that_fails_leaves_the_file_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "game.json", RECORD)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PlygroundError, match="cannot be written: No space left on device"):
        save(tmp_path / "game.json", Record("chess"))
    assert load(tmp_path / "game.json") == RECORD
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    save(file, RECORD)
    code = (
        "import itertools, pathlib, sys\n"
        "from plyground.records import Record\n"
        "from plyground.records.json import save\n"
        "for n in itertools.count():\n"
        "    save(pathlib.Path(sys.argv[1]), Record('checkers', ('11-15', '23-18') * (n % 2), seed=n))\n"
        "    print(n, flush=True)\n"
    )
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.02)
            writer.send_signal(signal.SIGKILL)
        assert load(file).game == "checkers"


def with_thoughts() -> Record:
    position = game("connect4").position(moves=["4", "4"])
    thoughts = {
        0: agent("mcts").analyse(position.replay(0), Limit(simulations=100), seed=1),
        2: agent("alphabeta").analyse(position, Limit(depth=3), seed=1),
    }
    return Record.from_position(position, {}, analyses=thoughts, headers={"Event": "Café"})


def test_analyses_and_headers_come_back() -> None:
    record = with_thoughts()
    assert read(write(record)) == record
    assert read_all(write_all([record, RECORD])).records == (record, RECORD)


def damaged(field: str, value: Any) -> str:
    """A record with thoughts in which one field of the first analysis, or of its first move, is another."""
    data = json.loads(write(with_thoughts()))
    thought = data["analyses"]["0"]
    (thought["moves"][0] if field in ("share", "visits", "known", "line", "strange") else thought)[field] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed(analyses=[]), "analyses: accepted is an object from plies to analyses"),
        (changed(analyses={"3": {}}), "analyses: '3' is no ply; accepted are whole numbers from 0 to 2"),
        (changed(analyses={"²": {}}), "is no ply"),
        (changed(analyses={"1": 5}), "analyses.1: 5; accepted is an object with moves"),
        (changed(analyses={"1": {}}), "analyses.1.moves: accepted are the legal moves in their order: "),
        (changed(headers={"Event": ""}), 'headers.Event: ""; accepted is a printable text'),
        (changed(headers=1), "headers: 1; accepted is an object from names to texts"),
        (changed(headers={str(n): "x" for n in range(101)}), "headers: "),
        (damaged("moves", []), "analyses.0.moves: accepted are the legal moves in their order: 1 2 3 4 5 6 7"),
        (damaged("share", 1.5), "analyses.0.moves[0].share: 1.5; accepted is a number from 0 to 1"),
        (damaged("share", float("nan")), "analyses.0.moves[0].share: NaN; accepted is a number"),
        (damaged("visits", -1), "analyses.0.moves[0].visits: -1; accepted is a whole number"),
        (damaged("known", "perhaps"), 'known: "perhaps"; accepted is null or one of win, draw, loss'),
        (damaged("line", [1]), "analyses.0.moves[0].line[0]: 1; accepted is a printable text"),
        (damaged("strange", 1), "'strange' is not a field of analyses.0.moves[0]; accepted are move, share"),
        (damaged("choice", 7), "choice is the index of a move"),
        (damaged("results", [1, 2]), "results are three counts"),
        (damaged("seconds", "1"), 'analyses.0.seconds: "1"; accepted is a number'),
    ],
)
def test_what_is_no_analysis_is_refused_and_told_where(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_an_analysis_of_another_position_is_refused() -> None:
    thoughts = with_thoughts().analyses
    with pytest.raises(ParseError, match=r"analyses\.1: it is not of the position after 1 of 1 moves"):
        Record("connect4", ("1",), analyses={1: thoughts[2]}).check()


@pytest.mark.parametrize("name", ["tictactoe", "connect4(columns=8)", "chess", "checkers"])
def test_many_games_come_back_from_one_file(name: str) -> None:
    games = random_games(name, 100, plies=60)
    assert read_all(write_all(games)).records == tuple(games)


def test_one_game_in_a_file_is_written_as_before() -> None:
    assert write_all([RECORD]) == write(RECORD)
    assert read_all(write_all([])).records == ()


def test_a_broken_game_of_many_is_told_with_its_place() -> None:
    data = json.loads(write_all([RECORD, RECORD, RECORD]))
    data["games"][1]["moves"][1] = "1-32"
    data["games"].append(5)
    reading = read_all(json.dumps(data))
    assert reading.records == (RECORD, RECORD)
    assert str(reading.broken[0]).startswith('games[1]: ply 2 of 2: move "1-32" is illegal')
    assert str(reading.broken[1]).startswith("games[3]: it: 5; accepted is an object with game")


@pytest.mark.parametrize(
    "text",
    ["5", "[]", "{}", '{"format": "plyground-games", "version": 1}', '{"format": "plyground-games", "games": []}'],
)
def test_what_is_no_file_of_games_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        read_all(text)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from([*json.loads(write(with_thoughts())), "players", "strange"]), ANYTHING)
def test_no_field_breaks_the_reader(field: str, value: Any) -> None:
    source = json.dumps({**json.loads(write(with_thoughts())), field: value})
    for reader in (read, read_all):
        with contextlib.suppress(PlygroundError):
            reader(source)


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    for reader in (read, read_all):
        with contextlib.suppress(ParseError):
            reader(text)
