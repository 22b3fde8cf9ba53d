"""`plyground play`: storing and resuming games, and file formats."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.command_line import error_line, run, stored_games
from plyground.records import Record
from plyground.records.pdn import read as read_pdn
from plyground.records.pdn import write as write_pdn
from plyground.store import Store


def play(*arguments: str | Path, lines: str, directory: Path | None = None) -> str:
    """Play a session with these input lines, separated by |, check that it succeeds, and return its output."""
    result = run("play", *arguments, stdin="".join(f"{line}\n" for line in lines.split("|")), directory=directory)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The path of a store that does not exist yet."""
    return tmp_path / "store.sqlite"


@pytest.mark.parametrize("ending", ["quit", "hint"], ids=["quit", "end of input"])
def test_leaving_a_game_says_where_it_is_stored_and_how_to_resume_it(store: Path, ending: str) -> None:
    output = play("checkers", "--seed", "1", "--store", store, lines=f"11-15|{ending}")
    command = f"plyground play checkers --load 1 --store {store}"
    assert output.endswith(f"The game is stored as game 1. Resume it with: {command}\n")


def test_a_game_without_moves_is_not_stored(store: Path) -> None:
    assert "stored as" not in play("checkers", "--store", store, lines="quit")


def test_a_stored_game_is_resumed_in_place(store: Path) -> None:
    first = play("chess", "--seed", "9", "--store", store, lines="e4")
    second = play("chess", "--load", "1", "--store", store, lines="a3|quit")
    uninterrupted = play("chess", "--seed", "9", lines="e4|a3")
    replies = [re.findall(r"black plays (\S+)", output) for output in (first, second, uninterrupted)]
    assert replies[0] + replies[1] == replies[2]
    assert "you are white, Medium is black" in second
    (record,) = stored_games(store)
    assert record.moves[::2] == ("e2e4", "a2a3")


def test_an_imported_game_is_continued_as_a_new_one(store: Path) -> None:
    with Store(str(store)) as opened:
        opened.records.add(Record("chess", ("e2e4", "e7e5"), players={"white": "Anna", "black": "Boris"}))
    output = play("chess", "--load", "1", "--store", store, lines="d4|quit")
    assert "you are white, Medium is black" in output
    imported, continued = stored_games(store)
    assert imported.moves == ("e2e4", "e7e5")
    assert continued.moves[:3] == ("e2e4", "e7e5", "d2d4")
    assert continued.players == {"white": "human", "black": "Medium"}


def test_a_finished_stored_game_is_not_changed(store: Path) -> None:
    output = play("checkers", "--store", store, lines="11-15|resign|quit")
    assert "The game is stored as game 1. Review it with: plyground review 1" in output
    assert "stored as game 2" in play("checkers", "--load", "1", "--store", store, lines="undo|quit")
    finished, continued = stored_games(store)
    assert finished.outcome is not None
    assert continued.outcome is None


def test_an_unknown_id_is_an_error(store: Path) -> None:
    assert error_line("play", "chess", "--load", "7", "--store", store, code=2).startswith("game 7")


def test_the_recorded_player_is_the_one_who_moved(store: Path, tmp_path: Path) -> None:
    output = play("connect4", "--seed", "2", "--store", store, lines="4|level hard|quit")
    (record,) = stored_games(store)
    assert record.players["yellow"] == "Medium"
    assert f"--load 1 --level Hard --store {store}" in output
    file = tmp_path / "game.json"
    play("connect4", "--load", "1", "--level", "Hard", "--store", store, "--save", file, lines="4|quit")
    saved = json.loads(file.read_text())
    assert saved["players"]["yellow"] == "Hard"
    assert saved["headers"]["Opponents"] == "Medium from ply 1; Hard from ply 3"


def test_taking_back_the_moves_of_an_opponent_removes_it_from_the_record(store: Path) -> None:
    play("connect4", "--seed", "2", "--store", store, lines="4|level hard|4|undo|level easy|4|quit")
    (record,) = stored_games(store)
    assert record.players["yellow"] == "Easy"
    assert record.headers["Opponents"] == "Medium from ply 1; Easy from ply 3"


def test_the_level_after_the_end_of_the_game_is_not_recorded(store: Path) -> None:
    play("checkers", "--store", store, lines="11-15|resign|level easy|quit")
    assert stored_games(store)[0].players["white"] == "Medium"


def test_the_file_extension_chooses_the_format(tmp_path: Path) -> None:
    file = tmp_path / "game.pdn"
    play("checkers", "--seed", "1", lines=f"11-15|save {file}|9-13|quit")
    (record,) = read_pdn(file.read_text()).records
    assert record.moves[::2] == ("11-15", "9-13")
    assert record.players == {"black": "human", "white": "Medium"}
    output = play("checkers", "--load", file, "--save", file, lines="quit")
    assert "you are black, Medium is white" in output
    assert file.read_text().startswith("[Event ")


def test_chess_is_saved_as_pgn_from_the_start(tmp_path: Path) -> None:
    play("chess", "--seed", "1", "--save", tmp_path / "game.pgn", lines="Nf3|quit")
    assert "\n1. Nf3 " in (tmp_path / "game.pgn").read_text()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("game.pgn", "only chess games can be exported as PGN"),
        ("game.txt", "unknown file extension; available: .json, .pdn, .pgn"),
    ],
)
def test_a_format_that_cannot_hold_the_game_is_an_error(tmp_path: Path, name: str, message: str) -> None:
    assert message in error_line("play", "checkers", "--save", tmp_path / name, code=2)
    assert message in play("checkers", lines=f"save {tmp_path / name}|quit")
    assert not (tmp_path / name).exists()


def test_a_file_with_several_games_requires_a_number(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(write_pdn([Record("checkers", ("11-15",)), Record("checkers", ("9-13",))]))
    assert "contains 2 games" in error_line("play", "checkers", "--load", file, code=2)
    assert "white> moves\n" in play("checkers", "--load", file, "--number", "2", "--side", "white", lines="moves|quit")
