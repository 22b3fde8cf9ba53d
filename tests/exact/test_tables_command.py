"""`plyground tables`: building, probing, corrupted files, interrupted builds."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command_line import COMMAND, environment, error_line, run, run_json


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three-piece tables."""
    folder = tmp_path_factory.mktemp("tables")
    assert run("tables", "build", "--pieces", "3", "--folder", folder).returncode == 0
    return folder


def test_stats_have_the_correct_counts(folder: Path) -> None:
    counts = run_json("tables", "stats", "--folder", str(folder))
    keys = ["pieces", "black_men", "black_kings", "white_men", "white_kings", "wins", "draws", "losses"]
    assert all(list(one) == keys for one in counts)
    for pieces, sums in {2: [716, 2_370, 402], 3: [100_250, 8_477, 87_305]}.items():
        slices = [one for one in counts if one["pieces"] == pieces]
        assert [sum(one[name] for one in slices) for name in ("wins", "draws", "losses")] == sums
    kings = {"pieces": 2, "black_men": 0, "black_kings": 1, "white_men": 0, "white_kings": 1}
    assert {**kings, "wins": 230, "draws": 654, "losses": 108} in counts


def test_text_output_is_readable(folder: Path) -> None:
    text = run("tables", "stats", "--folder", folder).stdout
    assert "100,250" in text
    assert run("tables", "probe", "B:WK6:BK1", "--folder", folder).stdout == "win in 1\n"
    assert run("tables", "probe", "B:WK10:BK1", "--folder", folder).stdout == "draw\n"


def test_probe_prints_json(folder: Path) -> None:
    assert run_json("tables", "probe", "B:WK6:BK1", "--folder", str(folder)) == {"value": "win", "distance": 1}


def test_too_many_pieces_or_an_invalid_fen_is_an_error(folder: Path) -> None:
    assert "2 to 3 pieces" in error_line("tables", "probe", "B:W21-32:B1-12", "--folder", folder, code=2)
    assert "is not a valid FEN" in error_line("tables", "probe", "what", "--folder", folder, code=2)


def test_verify_finds_no_contradictions(folder: Path) -> None:
    report = run_json("tables", "verify", "--samples", "20000", "--folder", str(folder))
    assert report == {"pieces": 3, "samples": 40_000, "contradictions": 0}


def change_byte(file: Path) -> None:
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


def replace_with_another_format(file: Path) -> None:
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(1000))


def replace_with_another_table(file: Path) -> None:
    file.write_bytes(file.with_name("2k0m-0k1m.table").read_bytes())


@pytest.mark.parametrize(
    ("corrupt", "message"),
    [
        (change_byte, "checksum"),
        (truncate, "checksum"),
        (empty, "cannot be read|not an endgame table file"),
        (change_version, "unsupported file version"),
        (replace_with_another_format, "not an endgame table file"),
        (replace_with_another_table, "does not match the file name"),
    ],
)
def test_a_corrupted_file_is_rejected_and_can_be_rebuilt(
    tmp_path: Path, corrupt: Callable[[Path], None], message: str
) -> None:
    run("tables", "build", "--pieces", "3", "--folder", tmp_path)
    file = tmp_path / "2k0m-1k0m.table"
    intact = file.read_bytes()
    corrupt(file)
    for command in (["probe", "B:WK6:BK1"], ["build", "--pieces", "3"]):
        done = run("tables", *command, "--folder", tmp_path)
        assert done.returncode == 2
        assert any(part in done.stderr for part in message.split("|")), done.stderr
        assert "tables build --rebuild" in " ".join(done.stderr.split())
    assert run("tables", "build", "--pieces", "3", "--rebuild", "--folder", tmp_path).returncode == 0
    assert file.read_bytes() == intact


def test_resumes_a_killed_build(tmp_path: Path) -> None:
    command: list[str | Path] = [COMMAND, "tables", "build", "--pieces", "4", "--threads", "1", "--folder", tmp_path]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(list(tmp_path.glob("*.table"))) < 11 and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    process.wait()
    finished = sorted(tmp_path.glob("*.table"), key=lambda file: file.stat().st_mtime_ns)
    assert len(finished) >= 11
    # On a busy machine the build may have finished before the kill; removing its last table makes it incomplete.
    finished.pop().unlink()
    times = {file: file.stat().st_mtime_ns for file in finished}
    assert run_json("tables", "probe", "B:WK6:BK1", "--folder", str(tmp_path)) == {"value": "win", "distance": 1}
    assert run("tables", "build", "--pieces", "4", "--folder", tmp_path).returncode == 0
    assert len(list(tmp_path.glob("*.table"))) == 23
    assert {file: file.stat().st_mtime_ns for file in times} == times
    assert run_json("tables", "verify", "--samples", "20000", "--folder", str(tmp_path))["contradictions"] == 0


def test_existing_tables_are_not_rebuilt(folder: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert run("tables", "build", "--pieces", "2", "--folder", folder).returncode == 0
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before


def test_a_folder_that_is_not_writable_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    message = error_line("tables", "build", "--pieces", "2", "--folder", tmp_path / "file" / "below", code=2)
    assert "cannot write tables to this folder" in message


def test_help_lists_every_command() -> None:
    text = run("tables", "--help").stdout
    assert all(verb in text for verb in ("build", "probe", "stats", "verify"))
    assert json.loads(run("tables", "stats", "--json").stdout)
