"""`plyground tables`: building, asking, damage, and being killed."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cli.command_line import COMMAND, environment, error_line, run, run_json


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of three pieces."""
    folder = tmp_path_factory.mktemp("tables")
    assert run("tables", "build", "--pieces", "3", "--folder", folder).returncode == 0
    return folder


def test_stats_are_the_known_ones(folder: Path) -> None:
    counts = run_json("tables", "stats", "--folder", str(folder))
    keys = ["pieces", "black_men", "black_kings", "white_men", "white_kings", "wins", "draws", "losses"]
    assert all(list(one) == keys for one in counts)
    for pieces, sums in {2: [716, 2_370, 402], 3: [100_250, 8_477, 87_305]}.items():
        slices = [one for one in counts if one["pieces"] == pieces]
        assert [sum(one[name] for one in slices) for name in ("wins", "draws", "losses")] == sums
    kings = {"pieces": 2, "black_men": 0, "black_kings": 1, "white_men": 0, "white_kings": 1}
    assert {**kings, "wins": 230, "draws": 654, "losses": 108} in counts


def test_people_read_tables_of_numbers(folder: Path) -> None:
    text = run("tables", "stats", "--folder", folder).stdout
    assert "100,250" in text
    assert run("tables", "probe", "B:WK6:BK1", "--folder", folder).stdout == "win in 1\n"
    assert run("tables", "probe", "B:WK10:BK1", "--folder", folder).stdout == "draw\n"


def test_probe_answers_in_json(folder: Path) -> None:
    assert run_json("tables", "probe", "B:WK6:BK1", "--folder", str(folder)) == {"value": "win", "distance": 1}


def test_too_many_pieces_and_no_fen_are_errors(folder: Path) -> None:
    assert "3 in all" in error_line("tables", "probe", "B:W21-32:B1-12", "--folder", folder, code=2)
    assert "not a position" in error_line("tables", "probe", "what", "--folder", folder, code=2)


def test_verify_says_that_nothing_contradicts(folder: Path) -> None:
    report = run_json("tables", "verify", "--samples", "20000", "--folder", str(folder))
    assert report == {"pieces": 3, "samples": 40_000, "contradictions": 0}


def damage_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0x10
    file.write_bytes(content)


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def change_version(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[8] += 1
    file.write_bytes(content)


def replace_by_a_foreign_file(file: Path) -> None:
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(1000))


def exchange(file: Path) -> None:
    file.write_bytes(file.with_name("2k0m-0k1m.table").read_bytes())


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (damage_byte, "check sum"),
        (truncate, "check sum"),
        (empty, "cannot be read|not a file of endgame tables"),
        (change_version, "another version"),
        (replace_by_a_foreign_file, "not a file of endgame tables"),
        (exchange, "other pieces"),
    ],
)
def test_a_damaged_file_is_refused_and_built_again(tmp_path: Path, harm: object, message: str) -> None:
    run("tables", "build", "--pieces", "3", "--folder", tmp_path)
    file = tmp_path / "2k0m-1k0m.table"
    sound = file.read_bytes()
    assert callable(harm)
    harm(file)
    for command in (["probe", "B:WK6:BK1"], ["build", "--pieces", "3"]):
        done = run("tables", *command, "--folder", tmp_path)
        assert done.returncode == 2
        assert any(part in done.stderr for part in message.split("|")), done.stderr
        assert "tables build --again" in " ".join(done.stderr.split())
    assert run("tables", "build", "--pieces", "3", "--again", "--folder", tmp_path).returncode == 0
    assert file.read_bytes() == sound


def test_a_build_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    command: list[str | Path] = [COMMAND, "tables", "build", "--pieces", "4", "--threads", "1", "--folder", tmp_path]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 50
    while len(list(tmp_path.glob("*.table"))) < 11 and time.monotonic() < end:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*.table")}
    assert 11 <= len(done) < 23
    assert run_json("tables", "probe", "B:WK6:BK1", "--folder", str(tmp_path)) == {"value": "win", "distance": 1}
    assert run("tables", "build", "--pieces", "4", "--folder", tmp_path).returncode == 0
    assert len(list(tmp_path.glob("*.table"))) == 23
    assert {file: file.stat().st_mtime_ns for file in done} == done
    assert run_json("tables", "verify", "--samples", "20000", "--folder", str(tmp_path))["contradictions"] == 0


def test_what_is_there_is_not_built_again(folder: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert run("tables", "build", "--pieces", "2", "--folder", folder).returncode == 0
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    message = error_line("tables", "build", "--pieces", "2", "--folder", tmp_path / "file" / "below", code=2)
    assert "cannot be written" in message


def test_help_names_every_verb() -> None:
    text = run("tables", "--help").stdout
    assert all(verb in text for verb in ("build", "probe", "stats", "verify"))
    assert json.loads(run("tables", "stats", "--json").stdout)
