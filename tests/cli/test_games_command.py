"""`plyground games`, and the games that other commands keep."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from cli.command_line import COMMAND, call, environment, error_line, run, run_json
from plyground import Outcome
from plyground.records import HUMAN, Record
from plyground.records.json import load, write_all
from plyground.records.pdn import write as write_pdn
from plyground.records.pgn import write as write_pgn
from plyground.store import Filter, Store
from records.samples import random_games


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store with three games in it: 1 checkers, 2 chess, 3 Connect Four."""
    file = tmp_path / "games.sqlite"
    with Store(str(file)) as store:
        store.records.add(random_games("checkers", 1)[0], tags=["old"])
        store.records.add(
            Record("chess", ("e2e4",), players={"white": HUMAN, "black": "[red]Easy"}), tags=["old", "mine"]
        )
        store.records.add(Record("connect4", outcome=Outcome("red", "resignation")))
    return file


def games(file: Path, *arguments: str) -> str:
    """What `plyground games` prints; it must end well."""
    done = call("games", *arguments, PLYGROUND_STORE=str(file))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def listed(file: Path, *options: str) -> list[int]:
    return [one["id"] for one in json.loads(games(file, "list", "--json", *options))["games"]]


def test_the_command_is_there(file: Path) -> None:
    done = run("games", "list", "--store", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == games(file, "list")


def test_the_list_is_a_table(file: Path) -> None:
    table = games(file, "list")
    assert "3 of 3 games" in table
    for word in ("checkers", "white human, black [red]Easy", "unfinished", "red wins: resignation", "mine, old"):
        assert word in table
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
def test_the_list_is_filtered_and_paged(file: Path, options: tuple[str, ...], ids: list[int]) -> None:
    assert listed(file, *options) == ids


def test_an_empty_list_says_so(tmp_path: Path) -> None:
    assert games(tmp_path / "new.sqlite", "list") == "No game is there.\n"


def test_the_next_page_is_told(file: Path) -> None:
    assert games(file, "list", "--limit", "2").endswith("The next page: --before 2\n")


def test_a_game_is_shown(file: Path) -> None:
    shown = games(file, "show", "2")
    assert "Game 2: chess, unfinished\nwhite: human\nblack: [red]Easy\ntags: mine, old\n" in shown
    assert "\ne4\n" in shown
    assert json.loads(games(file, "show", "2", "--json"))["moves"] == ["e2e4"]


def test_boards_are_shown_on_request(file: Path) -> None:
    shown = games(file, "show", "1", "--boards")
    plies = len(json.loads(games(file, "show", "1", "--json"))["moves"])
    assert len(re.findall(r"^\d+\. (black|white) plays ", shown, flags=re.MULTILINE)) == plies


def test_a_number_that_no_game_has_is_one_line(file: Path) -> None:
    assert error_line("games", "show", "99", "--store", file, code=2, here=True) == "no game has the number 99"


def test_a_file_that_is_no_store_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("not a database, but long enough to be read as one" * 10)
    assert "file is not a database" in error_line("games", "list", "--store", tmp_path / "x", code=4, here=True)


@pytest.mark.parametrize("suffix", ["json", "pdn"])
def test_games_are_imported_exported_and_imported_unchanged(tmp_path: Path, suffix: str) -> None:
    records = random_games("checkers", 30)
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    first.write_text({"json": write_all, "pdn": write_pdn}[suffix](records))
    store = tmp_path / "one.sqlite"
    assert games(store, "import", str(first)) == f"{first}: 30 games imported.\n"
    assert games(store, "import", str(first)) == f"{first}: 0 games imported, 30 there already.\n"
    done = call("games", "export", "-o", second, "--store", store)
    assert (done.returncode, done.stderr) == (0, f"30 games written to {second}.\n")
    assert second.read_text() == first.read_text()
    with Store(str(store)) as opened:
        assert [opened.records.get(number).record for number in opened.records.ids()[::-1]] == records


def test_latin_1_is_read(tmp_path: Path) -> None:
    source = tmp_path / "old.PDN"
    source.write_bytes('[Event "Café"]\r\n1. 11-15 *\r\n'.encode("latin-1"))
    games(tmp_path / "s", "import", str(source))
    assert json.loads(games(tmp_path / "s", "show", "1", "--json"))["headers"] == {"Event": "Café"}


def test_a_broken_game_is_told_and_the_others_are_imported(tmp_path: Path) -> None:
    source, missing = tmp_path / "some.pgn", tmp_path / "missing.pgn"
    source.write_text("1. e4 *\n\n1. e4 e5\n2. Ke3 *\n\n1. d4 *\n")
    store = tmp_path / "s"
    done = call("games", "import", source, missing, "--tag", "new", "--store", store)
    assert done.returncode == 1
    assert done.stdout == f"{source}: 2 games imported, 1 broken.\n"
    assert "line 4: illegal san: 'Ke3'" in done.stderr
    assert f"{missing}: it cannot be read" in done.stderr
    assert listed(store, "--tag", "new") == [2, 1]
    done = call("games", "import", source, "--json", "--store", store)
    (report,) = json.loads(done.stdout)
    assert (report["imported"], report["known"], len(report["broken"])) == (0, 2, 1)


def test_the_format_is_the_suffix_or_named(tmp_path: Path) -> None:
    source = tmp_path / "games.txt"
    source.write_text(write_pgn(random_games("chess", 3, plies=10)))
    done = call("games", "import", source, "--store", tmp_path / "s")
    assert done.returncode == 1
    assert "its suffix names no format; there are: json, pdn, pgn" in done.stderr
    assert "3 games imported" in games(tmp_path / "s", "import", str(source), "--format", "pgn")
    assert games(tmp_path / "s", "export", "--format", "PGN") == source.read_text()


def test_some_games_are_exported(file: Path) -> None:
    assert json.loads(games(file, "export", "2"))["game"] == "chess"
    assert [one["game"] for one in json.loads(games(file, "export", "--tag", "old"))["games"]] == ["checkers", "chess"]
    assert "cannot be written as PGN" in error_line(
        "games", "export", "--format", "pgn", "--store", file, code=2, here=True
    )
    assert "not both" in error_line("games", "export", "1", "--tag", "old", "--store", file, code=2, here=True)


def test_an_export_overwrites_nothing_unless_told(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("precious")
    assert "--force" in error_line("games", "export", "1", "-o", target, "--store", file, code=2, here=True)
    assert target.read_text() == "precious"
    assert call("games", "export", "1", "-o", target, "--force", "--store", file).returncode == 0
    assert load(target).game == "checkers"


def test_tags_are_changed_and_listed(file: Path) -> None:
    assert games(file, "tag", "3", "--add", "fine", "--add", "mine") == "fine: 1 game\nmine: 2 games\nold: 2 games\n"
    games(file, "tag", "--tag", "old", "--remove", "old")
    assert json.loads(games(file, "tag", "--json")) == {"fine": 1, "mine": 2}
    assert "say which games" in error_line("games", "tag", "--add", "x", "--store", file, code=2, here=True)


def test_deleting_asks_first(file: Path) -> None:
    assert "--yes" in error_line("games", "delete", "1", "--store", file, code=2, here=True)
    assert "say which games" in error_line("games", "delete", "--yes", "--store", file, code=2, here=True)
    assert listed(file) == [3, 2, 1]
    assert games(file, "delete", "--tag", "mine", "--yes") == "1 game deleted.\n"
    assert "no game has the number 2" in error_line(
        "games", "delete", "1", "2", "--yes", "--store", file, code=2, here=True
    )
    assert listed(file) == [3, 1]


@pytest.mark.parametrize("command", ["list", "show", "import", "export", "delete", "tag"])
def test_every_command_explains_itself(command: str) -> None:
    assert f" games {command} [OPTIONS]" in call("games", command, "--help").stdout


def kept(file: Path) -> list[Record]:
    """The games of a store, the oldest first."""
    with Store(str(file)) as store:
        return [one.record for one in store.records.find(Filter())][::-1]


def play(file: Path, *arguments: str | Path, lines: str) -> subprocess.CompletedProcess[str]:
    return run("play", *arguments, "--store", file, stdin="".join(f"{line}\n" for line in lines.split("|")))


def test_an_abandoned_game_is_kept(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--seed", "7", lines="11-15|9-13|quit")
    (record,) = kept(tmp_path / "s")
    assert (record.players, record.seed, record.outcome) == ({"black": HUMAN, "white": "Medium"}, 7, None)
    assert len(record.moves) == 4


def test_a_finished_game_is_kept_once(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--position", "B:W6,14:B1", lines="1x17|quit")
    (record,) = kept(tmp_path / "s")
    assert record.outcome == Outcome("black", "no moves")


def test_a_game_that_goes_on_after_its_end_is_kept_as_it_was_left(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--seed", "7", lines="11-15|resign|undo|9-13|quit")
    (record,) = kept(tmp_path / "s")
    assert (record.outcome, len(record.moves)) == (None, 4)


def test_each_game_of_a_session_is_kept(tmp_path: Path) -> None:
    play(tmp_path / "s", "tictactoe", "--agent", "random", lines="b2|new|a1|resign|new|quit")
    first, second = kept(tmp_path / "s")
    assert (first.moves[0], first.outcome) == ("b2", None)
    assert (second.moves[0], second.outcome) == ("a1", Outcome("o", "resignation"))


def test_a_board_that_was_only_looked_at_is_not_kept(tmp_path: Path) -> None:
    play(tmp_path / "s", "checkers", "--side", "white", lines="?|quit")
    assert not (tmp_path / "s").exists()


def test_a_store_that_fails_loses_no_game(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("this is no database, whatever it may look like" * 10)
    done = run("play", "checkers", "--store", broken, stdin="11-15\nquit\n", XDG_DATA_HOME=str(tmp_path / "data"))
    assert done.returncode == 0
    told = re.search(r"file is not a database\. The game is in (\S+): plyground games import \S+\n", done.stderr)
    assert told is not None
    assert load(Path(told[1])).moves[0] == "11-15"
    assert games(tmp_path / "s", "import", told[1]).endswith("1 game imported.\n")


def test_a_game_in_a_file_is_not_written_twice_when_the_store_fails(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    done = play(tmp_path, "checkers", "--save", saved, lines="11-15|quit")
    assert f"The game is in {saved}" in done.stderr
    assert load(saved).moves[0] == "11-15"


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGHUP])
def test_a_game_whose_window_is_closed_is_kept(tmp_path: Path, name: signal.Signals) -> None:
    master, terminal = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "play", "checkers", "--store", tmp_path / "s"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment(),
    ) as player:
        os.close(terminal)
        os.write(master, b"11-15\n")
        output = b""
        while b"white plays" not in output:
            output += os.read(master, 10_000)
        time.sleep(0.2)
        player.send_signal(name)
        assert player.wait(30) == 0
    os.close(master)
    (record,) = kept(tmp_path / "s")
    assert record.moves[0] == "11-15"


def test_a_match_keeps_its_games_when_it_is_asked_to(tmp_path: Path) -> None:
    arguments = (
        "match",
        "tictactoe",
        "random",
        "random",
        "--games",
        "4",
        "--seed",
        "3",
        "--store",
        str(tmp_path / "s"),
    )
    run_json(*arguments)
    assert not (tmp_path / "s").exists()
    report: Any = run_json(*arguments, "--save")
    assert [list(record.moves) for record in kept(tmp_path / "s")] == [one["moves"] for one in report["games"]]
    run_json(*arguments, "--save")
    assert len(kept(tmp_path / "s")) == 4
