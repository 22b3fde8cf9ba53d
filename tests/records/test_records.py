"""Records in memory and on disk."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Outcome, ParseError, PlygroundError, Rng, game, games
from plyground.agents import Limit, agent
from plyground.records import HUMAN, Record
from plyground.records.files import MAX_FILE_BYTES
from plyground.records.json import load, read, read_all, save, write, write_all
from plyground.records.models import RENAMED
from records.samples import random_games

RECORD = Record(
    "checkers",
    ("11-15", "23-18"),
    players={"black": HUMAN, "white": "random"},
    seed=2**64 - 1,
    started="2026-01-31T12:00:00+00:00",
)


@pytest.mark.parametrize("name", [game.id for game in games()])
def test_games_round_trip(name: str) -> None:
    position, rng = game(name).start(), Rng(1)
    while position.outcome is None:
        position = position.play_random(rng)
    record = Record.from_position(position, {}, seed=1)
    assert read(write(record)) == record
    assert record.to_position() == position


def test_a_game_from_a_position_keeps_its_start_position() -> None:
    position = game("checkers").position("B:W6,14:B1", ["1x17"])
    record = Record.from_position(position, {})
    assert record.start is not None
    assert read(write(record)).to_position().history == ["1x17"]


def test_the_standard_start_position_is_omitted() -> None:
    assert Record.from_position(game("chess").start().play("e4"), {}).start is None


def test_a_game_can_end_by_resignation() -> None:
    resigned = Outcome("white", "resignation")
    record = Record.from_position(game("checkers").start(), {}, outcome=resigned)
    assert read(write(record)).outcome == resigned


def test_an_outcome_by_the_rules_takes_precedence() -> None:
    won = game("connect4").position("1212121")
    assert Record.from_position(won, {}, outcome=Outcome(None, "ply limit")).outcome == Outcome("red", "line")


def test_saved_records_can_be_loaded(tmp_path: Path) -> None:
    save(tmp_path / "game.json", RECORD)
    assert load(tmp_path / "game.json") == RECORD
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(write(RECORD)), **fields})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: invalid JSON"),
        ("{\n  nonsense", "line 2, column 3: invalid JSON"),
        ("[" * 100_000, "not a game record"),
        ("1" * 10_000, "not a game record"),
        ("[]", 'must be an object with "format": "plyground-game"'),
        ('{"format": "plyground-game", "format": 1}', "duplicate field 'format'"),
        (changed(format="pgn"), "not a game record"),
        (changed(version=3), "version must be 1 or 2, got 3"),
        (changed(extra=1), "unknown field 'extra'; allowed: game, start, moves"),
        (changed(game=None), "game must be a valid string, got null"),
        (changed(game="go"), "unknown game 'go'"),
        (changed(start="x"), "is not a valid FEN"),
        (changed(moves="11-15"), 'moves must be a valid list, got "11-15"'),
        (changed(moves=["11-15", 4]), "moves[1] must be a valid string, got 4"),
        (changed(moves=["11-15", "11-15"]), 'ply 2 of 2: move "11-15" is illegal'),
        (changed(moves=["11-15", "\ud800"]), "moves[1] must"),
        (changed(moves=["11-15"] * 20_001), "moves must have at most 20000 items"),
        (changed(outcome="1-0"), 'outcome must be an object with the fields winner, reason, got "1-0"'),
        (
            changed(outcome={"winner": "red", "reason": "line"}),
            "outcome.winner must be black or white in checkers, or null for a draw, got 'red'",
        ),
        (changed(players=[]), "players must be a valid object, got []"),
        (changed(players={"red": "human"}), "a side in players must be black or white in checkers, got 'red'"),
        (changed(players={"black": 1}), "players.black must be a valid string, got 1"),
        (changed(seed=-1), "seed must be greater than or equal to 0, got -1"),
        (changed(seed=True), "seed must be a valid integer, got true"),
        (changed(seed=1.5), "seed must be a valid integer, got 1.5"),
        (
            changed(started="yesterday"),
            'started must be a date or a date and time such as 2026-01-31T12:00:00+00:00, got "yesterday"',
        ),
    ],
)
def test_an_error_in_a_record_names_the_path_of_the_field(text: str, message: str) -> None:
    with pytest.raises(PlygroundError) as caught:
        read(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_an_outcome_that_contradicts_the_rules_is_rejected() -> None:
    won = Record.from_position(game("connect4").position(moves=list("1212121")), {})
    with pytest.raises(ParseError, match="outcome must be 'red wins: line' by the rules, got 'yellow wins: line'"):
        read(json.dumps({**json.loads(write(won)), "outcome": {"winner": "yellow", "reason": "line"}}))


def test_errors_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(b"\xff")
    with pytest.raises(ParseError, match=r"game\.json: byte 0 is not valid UTF-8"):
        load(file)
    file.write_text("{")
    with pytest.raises(ParseError, match=r"game\.json: line 1"):
        load(file)
    with pytest.raises(PlygroundError, match="cannot be read: No such file"):
        load(tmp_path / "missing.json")


def test_a_file_that_is_too_large_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with file.open("wb") as sparse:
        sparse.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(ParseError, match="must be at most 50000000 bytes long"):
        load(file)


def test_devices_and_folders_are_not_overwritten(tmp_path: Path) -> None:
    for path in (Path(os.devnull), tmp_path):
        with pytest.raises(PlygroundError, match="not a file"):
            save(path, RECORD)


def test_saving_follows_symbolic_links(tmp_path: Path) -> None:
    save(tmp_path / "game.json", RECORD)
    (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
    save(tmp_path / "link.json", Record("chess"))
    assert (tmp_path / "link.json").is_symlink()
    assert load(tmp_path / "game.json") == Record("chess")


def test_a_failed_save_keeps_the_previous_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "game.json", RECORD)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PlygroundError, match="cannot be written: No space left on device"):
        save(tmp_path / "game.json", Record("chess"))
    assert load(tmp_path / "game.json") == RECORD
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_a_killed_writer_leaves_a_complete_file(tmp_path: Path) -> None:
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
    for saves in (1, 2, 3, 10, 30):
        with subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for _ in range(saves):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
        assert load(file).game == "checkers"


def analysed_record() -> Record:
    position = game("connect4").position(moves=["4", "4"])
    analyses = {
        0: agent("mcts").analyse(position.replay(0), Limit(simulations=100), seed=1),
        2: agent("alphabeta").analyse(position, Limit(depth=3), seed=1),
    }
    return Record.from_position(position, {}, analyses=analyses, headers={"Event": "Café"})


def test_analyses_and_headers_round_trip() -> None:
    record = analysed_record()
    assert read(write(record)) == record
    assert read_all(write_all([record, RECORD])).records == (record, RECORD)


def with_field(field: str, value: Any) -> str:
    """Return the JSON of a record in which a field of the first analysis, or of its first move, has this value."""
    data = json.loads(write(analysed_record()))
    analysis = data["analyses"]["0"]
    (analysis["moves"][0] if field in ("share", "visits", "proven", "pv", "strange") else analysis)[field] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed(analyses=[]), "analyses must be a valid object, got []"),
        (changed(analyses={"3": {}}), "a ply in analyses must be between 0 and 2, got 3"),
        (changed(analyses={"²": {}}), "must be a ply number such as 12"),
        (changed(analyses={"1": 5}), "analyses.1 must be an object with the fields moves, best_index"),
        (changed(analyses={"1": {}}), "analyses.1.moves must list all legal moves in order: "),
        (changed(headers={"Event": ""}), 'headers.Event must have at least 1 character, got ""'),
        (changed(headers=1), "headers must be a valid object, got 1"),
        (changed(headers={str(n): "x" for n in range(101)}), "headers must have at most 100 items"),
        (with_field("moves", []), "analyses.0.moves must list all legal moves in order: 1 2 3 4 5 6 7"),
        (with_field("share", 1.5), "analyses.0.moves[0].share must be less than or equal to 1, got 1.5"),
        (with_field("share", float("nan")), "analyses.0.moves[0].share must be a finite number, got NaN"),
        (with_field("visits", -1), "analyses.0.moves[0].visits must be greater than or equal to 0, got -1"),
        (with_field("proven", "perhaps"), '''proven must be 'win', 'draw' or 'loss', got "perhaps"'''),
        (with_field("pv", [1]), "analyses.0.moves[0].pv[0] must be a valid string, got 1"),
        (with_field("strange", 1), "analyses.0.moves[0]: unknown field 'strange'; allowed: move, share"),
        (with_field("best_index", 7), "analyses.0.best_index must be less than 7, got 7"),
        (with_field("playout_results", [1, 2]), "analyses.0.playout_results[2] is required"),
        (with_field("seconds", "1"), 'analyses.0.seconds must be a valid number, got "1"'),
    ],
)
def test_an_error_in_an_analysis_names_the_path_of_the_field(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_version_1_with_its_old_field_names_is_read() -> None:
    position = game("tictactoe").position(moves=["b2", "b1"])
    analyses = {
        0: agent("mcts").analyse(position.replay(0), Limit(simulations=100), seed=1),
        2: agent("alphabeta").analyse(position, Limit(depth=9), seed=1),
    }
    record = Record.from_position(position, {}, analyses=analyses)
    data = json.loads(write(record))
    old = {new: name for name, new in RENAMED.items()}

    def downgrade(value: dict[str, Any]) -> dict[str, Any]:
        return {old.get(name, name): field for name, field in value.items()}

    data["version"] = 1
    for ply, analysis in data["analyses"].items():
        analysis["moves"] = [downgrade(move) for move in analysis["moves"]]
        data["analyses"][ply] = downgrade(analysis)
    assert {"choice", "depth", "deepest", "results", "lengths"} <= data["analyses"]["0"].keys()
    assert any({"known", "line"} <= move.keys() for move in data["analyses"]["2"]["moves"])
    assert read(json.dumps(data)) == record


def test_three_playout_counts_mean_that_no_playout_was_cut_off() -> None:
    record = read(with_field("playout_results", [5, 3, 2]))
    assert record.analyses[0].playout_results == (5, 3, 2, 0)


@pytest.mark.parametrize("field", ["players", "headers"])
def test_object_keys_are_checked_too(field: str) -> None:
    for key in ("", "\n", "x" * 1001, "\ud800"):
        with pytest.raises(ParseError, match=field):
            read(changed(**{field: {key: "x"}}))


def test_importing_the_reader_does_not_import_pydantic() -> None:
    code = (
        "import plyground.records.json, plyground.records.formats, sys; imported = 'pydantic' in sys.modules\n"
        "plyground.records.json.from_data({'game': 'chess'}); print(imported, 'pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


def test_an_analysis_of_another_position_is_rejected() -> None:
    analyses = analysed_record().analyses
    with pytest.raises(ParseError, match=r"analyses\.1 does not match the position after 1 of 1 moves"):
        Record("connect4", ("1",), analyses={1: analyses[2]}).check()


@pytest.mark.parametrize("name", ["tictactoe", "connect4(columns=8)", "chess", "checkers"])
def test_collections_round_trip(name: str) -> None:
    games = random_games(name, 100, plies=60)
    assert read_all(write_all(games)).records == tuple(games)


def test_a_single_game_is_not_written_as_a_collection() -> None:
    assert write_all([RECORD]) == write(RECORD)
    assert read_all(write_all([])).records == ()


def test_an_invalid_game_in_a_collection_is_reported_with_its_index() -> None:
    data = json.loads(write_all([RECORD, RECORD, RECORD]))
    data["games"][1]["moves"][1] = "1-32"
    data["games"].append(5)
    parsed = read_all(json.dumps(data))
    assert parsed.records == (RECORD, RECORD)
    assert str(parsed.failed[0]).startswith('game 2, games[1]: ply 2 of 2: move "1-32" is illegal')
    assert str(parsed.failed[1]).startswith("game 4, games[3]: a game must be an object with the fields game, start")


@pytest.mark.parametrize(
    "text",
    ["5", "[]", "{}", '{"format": "plyground-games", "version": 1}', '{"format": "plyground-games", "games": []}'],
)
def test_other_json_files_are_rejected(text: str) -> None:
    with pytest.raises(ParseError):
        read_all(text)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from([*json.loads(write(analysed_record())), "players", "strange"]), ANYTHING)
def test_reads_or_rejects_any_value_of_a_field(field: str, value: Any) -> None:
    source = json.dumps({**json.loads(write(analysed_record())), field: value})
    for reader in (read, read_all):
        with contextlib.suppress(PlygroundError):
            reader(source)


@given(st.text())
def test_reads_or_rejects_any_text(text: str) -> None:
    for reader in (read, read_all):
        with contextlib.suppress(ParseError):
            reader(text)
