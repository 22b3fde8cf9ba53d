"""`plyground games`, and games saved by other commands."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from cli.command_line import error_line, run, run_in_process, run_json, stored_games
from plyground import Outcome
from plyground.records import HUMAN, Record
from plyground.records.json import load, write_all
from plyground.records.pdn import write as write_pdn
from plyground.records.pgn import write as write_pgn
from plyground.store import Store
from records.samples import random_games


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """A store with three games: 1 checkers, 2 chess, 3 Connect Four."""
    path = tmp_path / "games.sqlite"
    with Store(str(path)) as store:
        store.records.add(random_games("checkers", 1)[0], tags=["old"])
        store.records.add(
            Record("chess", ("e2e4",), players={"white": HUMAN, "black": "[red]Easy"}), tags=["old", "mine"]
        )
        store.records.add(Record("connect4", outcome=Outcome("red", "resignation")))
    return path


def run_games(store_path: Path, *arguments: str) -> str:
    """Run `plyground games`, check that it succeeds, and return its output."""
    result = run_in_process("games", *arguments, PLYGROUND_STORE=str(store_path))
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def list_ids(store_path: Path, *options: str) -> list[int]:
    return [game["id"] for game in json.loads(run_games(store_path, "list", "--json", *options))["games"]]


def test_runs_as_a_command(store_path: Path) -> None:
    result = run("games", "list", "--store", store_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == run_games(store_path, "list")


def test_list_prints_a_table_newest_first(store_path: Path) -> None:
    table = run_games(store_path, "list")
    assert "3 of 3 games" in table
    for text in ("checkers", "white human,", "[red]Easy", "unfinished", "red wins: resignation", "mine, old"):
        assert text in table
    assert table.index("connect4") < table.index("chess") < table.index("checkers")


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ((), [3, 2, 1]),
        (("--game", "chess"), [2]),
        (("--agent", "human"), [2]),
        (("--result", "red"), [3]),
        (("--result", "unfinished"), [2]),
        (("--tag", "old"), [2, 1]),
        (("--tag", "old", "--game", "checkers"), [1]),
        (("--since", "2020-01-31"), [3, 2, 1]),
        (("--since", "2990-01-31T12:00"), []),
        (("--until", "2020-01-31"), []),
        (("--limit", "1"), [3]),
        (("--limit", "1", "--before", "3"), [2]),
    ],
)
def test_list_filters_and_pages(store_path: Path, options: tuple[str, ...], ids: list[int]) -> None:
    assert list_ids(store_path, *options) == ids


def test_list_reports_an_empty_store(tmp_path: Path) -> None:
    assert run_games(tmp_path / "new.sqlite", "list") == "No games found.\n"


def test_list_shows_how_to_get_the_next_page(store_path: Path) -> None:
    assert run_games(store_path, "list", "--limit", "2").endswith("Next page: --before 2\n")


def test_show_prints_a_game(store_path: Path) -> None:
    shown = run_games(store_path, "show", "2")
    assert (
        "Game 2: chess, unfinished\nwhite: human\nblack: [red]Easy\nopening: B00 King's Pawn Game\ntags: mine, old\n"
        in shown
    )
    assert "\ne4\n" in shown
    assert json.loads(run_games(store_path, "show", "2", "--json"))["moves"] == ["e2e4"]


def test_show_draws_the_board_after_every_move_with_boards(store_path: Path) -> None:
    shown = run_games(store_path, "show", "1", "--boards")
    plies = len(json.loads(run_games(store_path, "show", "1", "--json"))["moves"])
    assert len(re.findall(r"^\d+\. (black|white) plays ", shown, flags=re.MULTILINE)) == plies


def test_an_unknown_id_is_a_one_line_error(store_path: Path) -> None:
    assert error_line("games", "show", "99", "--store", store_path, code=2, in_process=True) == "game 99 not found"


def test_a_file_that_is_not_a_store_is_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("not a database, but long enough to be read as one" * 10)
    assert "file is not a database" in error_line("games", "list", "--store", tmp_path / "x", code=4, in_process=True)


@pytest.mark.parametrize("suffix", ["json", "pdn"])
def test_import_and_export_preserve_games(tmp_path: Path, suffix: str) -> None:
    records = random_games("checkers", 30)
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    first.write_text({"json": write_all, "pdn": write_pdn}[suffix](records))
    store = tmp_path / "store.sqlite"
    assert run_games(store, "import", str(first)) == f"{first}: 30 games imported.\n"
    assert run_games(store, "import", str(first)) == f"{first}: 0 games imported, 30 already stored.\n"
    result = run_in_process("games", "export", "-o", second, "--store", store)
    assert (result.returncode, result.stderr) == (0, f"30 games written to {second}.\n")
    assert second.read_text() == first.read_text()
    with Store(str(store)) as opened:
        assert [opened.records.get(number).record for number in opened.records.ids()[::-1]] == records


def test_imports_latin_1(tmp_path: Path) -> None:
    source = tmp_path / "old.PDN"
    source.write_bytes('[Event "Café"]\r\n1. 11-15 *\r\n'.encode("latin-1"))
    run_games(tmp_path / "s", "import", str(source))
    assert json.loads(run_games(tmp_path / "s", "show", "1", "--json"))["headers"] == {"Event": "Café"}


def test_import_reports_invalid_games_and_imports_the_others(tmp_path: Path) -> None:
    source, missing = tmp_path / "some.pgn", tmp_path / "missing.pgn"
    source.write_text("1. e4 *\n\n1. e4 e5\n2. Ke3 *\n\n1. d4 *\n")
    store = tmp_path / "s"
    result = run_in_process("games", "import", source, missing, "--tag", "new", "--store", store)
    assert result.returncode == 1
    assert result.stdout == f"{source}: 2 games imported, 1 invalid.\n"
    assert 'line 4: move "Ke3" is illegal' in result.stderr
    assert f"{missing}: cannot be read" in result.stderr
    assert list_ids(store, "--tag", "new") == [2, 1]
    result = run_in_process("games", "import", source, "--json", "--store", store)
    (report,) = json.loads(result.stdout)
    assert (report["imported"], report["duplicates"], len(report["failed"])) == (0, 2, 1)


def test_the_format_is_determined_by_the_extension_or_an_option(tmp_path: Path) -> None:
    source = tmp_path / "games.txt"
    source.write_text(write_pgn(random_games("chess", 3, plies=10)))
    result = run_in_process("games", "import", source, "--store", tmp_path / "s")
    assert result.returncode == 1
    assert "unknown file extension; available: .json, .pdn, .pgn" in result.stderr
    assert "3 games imported" in run_games(tmp_path / "s", "import", str(source), "--format", "pgn")
    assert run_games(tmp_path / "s", "export", "--format", "PGN") == source.read_text()


def test_exports_selected_games(store_path: Path) -> None:
    assert json.loads(run_games(store_path, "export", "2"))["game"] == "chess"
    tagged = json.loads(run_games(store_path, "export", "--tag", "old"))["games"]
    assert [game["game"] for game in tagged] == ["checkers", "chess"]
    assert "only chess games can be exported as PGN" in error_line(
        "games", "export", "--format", "pgn", "--store", store_path, code=2, in_process=True
    )
    assert "not both" in error_line(
        "games", "export", "1", "--tag", "old", "--store", store_path, code=2, in_process=True
    )


def test_export_overwrites_a_file_only_with_force(store_path: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("precious")
    assert "--force" in error_line("games", "export", "1", "-o", target, "--store", store_path, code=2, in_process=True)
    assert target.read_text() == "precious"
    assert run_in_process("games", "export", "1", "-o", target, "--force", "--store", store_path).returncode == 0
    assert load(target).game == "checkers"


def test_adds_removes_and_lists_tags(store_path: Path) -> None:
    assert (
        run_games(store_path, "tag", "3", "--add", "fine", "--add", "mine")
        == "fine: 1 game\nmine: 2 games\nold: 2 games\n"
    )
    run_games(store_path, "tag", "--tag", "old", "--remove", "old")
    assert json.loads(run_games(store_path, "tag", "--json")) == {"fine": 1, "mine": 2}
    assert "select games by ID" in error_line(
        "games", "tag", "--add", "x", "--store", store_path, code=2, in_process=True
    )


def test_delete_requires_confirmation_and_a_selection(store_path: Path) -> None:
    assert "--yes" in error_line("games", "delete", "1", "--store", store_path, code=2, in_process=True)
    assert "select games by ID" in error_line(
        "games", "delete", "--yes", "--store", store_path, code=2, in_process=True
    )
    assert list_ids(store_path) == [3, 2, 1]
    assert run_games(store_path, "delete", "--tag", "mine", "--yes") == "1 game deleted.\n"
    assert "game 2 not found" in error_line(
        "games", "delete", "1", "2", "--yes", "--store", store_path, code=2, in_process=True
    )
    assert list_ids(store_path) == [3, 1]


@pytest.mark.parametrize("command", ["list", "show", "import", "export", "delete", "tag"])
def test_every_command_has_help(command: str) -> None:
    assert f" games {command} [OPTIONS]" in run_in_process("games", command, "--help").stdout


def play(store_path: Path, *arguments: str | Path, lines: str) -> subprocess.CompletedProcess[str]:
    return run("play", *arguments, "--store", store_path, stdin="".join(f"{line}\n" for line in lines.split("|")))


def test_saves_an_unfinished_game(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--seed", "7", lines="11-15|9-13|quit")
    (record,) = stored_games(tmp_path / "s")
    assert (record.players, record.seed, record.outcome) == ({"black": HUMAN, "white": "Medium"}, 7, None)
    assert len(record.moves) == 4


def test_saves_a_finished_game_once(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--position", "B:W6,14:B1", lines="1x17|quit")
    (record,) = stored_games(tmp_path / "s")
    assert record.outcome == Outcome("black", "no moves")


def test_a_game_continued_after_its_end_replaces_the_finished_one(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--seed", "7", lines="11-15|resign|undo|9-13|quit")
    (record,) = stored_games(tmp_path / "s")
    assert (record.outcome, len(record.moves)) == (None, 4)


def test_saves_every_game_of_a_session(tmp_path: Path) -> None:
    play(tmp_path / "s", "tictactoe", "--agent", "random", lines="b2|new|a1|resign|new|quit")
    first, second = stored_games(tmp_path / "s")
    assert (first.moves[0], first.outcome) == ("b2", None)
    assert (second.moves[0], second.outcome) == ("a1", Outcome("o", "resignation"))


def test_does_not_save_a_game_without_a_human_move(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--side", "white", lines="?|quit")
    assert not (tmp_path / "s").exists()


def test_a_game_is_saved_to_a_file_if_the_store_fails(tmp_path: Path) -> None:
    corrupted = tmp_path / "corrupted"
    corrupted.write_text("not a database, but long enough to be read as one" * 10)
    result = run("play", "checkers", "--store", corrupted, stdin="11-15\nquit\n", XDG_DATA_HOME=str(tmp_path / "data"))
    assert result.returncode == 0
    message = r"file is not a database\. The game was saved to (\S+)\. Import it with: plyground games import \1\n"
    match = re.search(message, result.stderr)
    assert match is not None
    assert load(Path(match[1])).moves[0] == "11-15"
    assert run_games(tmp_path / "s", "import", match[1]).endswith("1 game imported.\n")


def test_a_game_already_in_a_file_is_not_saved_again_if_the_store_fails(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    result = play(tmp_path, "checkers", "--save", saved, lines="11-15|quit")
    assert f"The game was saved to {saved}" in result.stderr
    assert load(saved).moves[0] == "11-15"


def test_a_match_saves_its_games_if_requested(tmp_path: Path) -> None:
    store = ("--store", tmp_path / "s")
    arguments = ("match", "tictactoe", "random", "random", "--games", "4", "--seed", "3", *store)
    run_json(*arguments)
    assert not (tmp_path / "s").exists()
    report = run_json(*arguments, "--save")
    assert [list(record.moves) for record in stored_games(tmp_path / "s")] == [
        game["moves"] for game in report["games"]
    ]
    run_json(*arguments, "--save")
    assert len(stored_games(tmp_path / "s")) == 4


def test_games_are_listed_with_their_opening(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(str(path)) as store:
        store.records.add(Record("chess", ("e2e4", "c7c5")))
    assert "B20 Sicilian Defense" in run_games(path, "list")
    assert "opening: B20 Sicilian Defense" in run_games(path, "show", "1")
    (listed,) = json.loads(run_games(path, "list", "--json"))["games"]
    assert listed["opening"] == {"eco": "B20", "name": "Sicilian Defense"}
