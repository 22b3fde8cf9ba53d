"""`plyground perft`."""

from __future__ import annotations

import pytest

from cli.command_line import run, run_json


def test_json_has_nodes_time_and_rate() -> None:
    report = run_json("perft", "chess", "4")
    assert list(report) == ["nodes", "seconds", "nodes_per_second"]
    assert report["nodes"] == 197_281
    assert report["nodes_per_second"] == pytest.approx(report["nodes"] / report["seconds"])


def test_divide_counts_add_up() -> None:
    report = run_json("perft", "checkers", "5", "--divide")
    assert sum(report["divide"].values()) == report["nodes"] == 7361
    assert list(report["divide"]) == ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]


def test_depth_zero_is_one_node() -> None:
    report = run_json("perft", "chess", "0", "--divide")
    assert (report["nodes"], report["divide"]) == (1, {})


def test_counts_from_a_position_and_after_moves() -> None:
    assert run_json("perft", "checkers", "1", "--position", "B:W6,14:B1")["nodes"] == 1
    assert run_json("perft", "tictactoe", "2", "--moves", "b2 a1")["nodes"] == 7 * 6


def test_prints_the_counts() -> None:
    lines = run("perft", "tictactoe", "9", "--divide").stdout.splitlines()
    assert lines[4] == "b2  13,248"
    assert lines[-1].startswith("127,872 nodes in ")


@pytest.mark.parametrize(("depth", "message"), [("-1", "-1"), ("65", "64"), ("ten", "DEPTH")])
def test_an_invalid_depth_is_a_usage_error(depth: str, message: str) -> None:
    result = run("perft", "chess", depth)
    assert result.returncode == 2
    assert message in result.stderr
