"""`plyground solve`."""

from __future__ import annotations

import json

from cli.command_line import error_line, run


def test_json_has_one_line_per_game_in_order() -> None:
    result = run("solve", "connect4", "444444326511", "4444443265", "44444426226262", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["moves"] for line in lines] == ["444444326511", "4444443265", "44444426226262"]
    assert list(lines[0]) == ["moves", "score", "scores", "distance", "nodes", "seconds"]
    for line in lines:
        assert len(line["scores"]) == 7
        assert line["score"] == max(score for score in line["scores"] if score is not None)
    assert lines[2]["scores"][3] is None


def test_solves_other_boards_and_tictactoe() -> None:
    result = run("solve", "connect4(columns=5, rows=4)", "33", "--json")
    assert len(json.loads(result.stdout)["scores"]) == 5
    result = run("solve", "tictactoe", "b2 a1", "a1 b1", "--json")
    assert [json.loads(line)["score"] for line in result.stdout.splitlines()] == [0, 2]


def test_prints_the_winner_and_the_distance() -> None:
    assert "red wins in 41 plies" in run("solve", "connect4").stdout
    assert "yellow loses in 2 plies" in run("solve", "connect4", "445544666").stdout.replace("\n", " ")


def test_invalid_games_are_one_line_errors() -> None:
    assert "column between 1 and 7" in error_line("solve", "connect4", "448", code=2)
    assert "column is full" in error_line("solve", "connect4", "4444444", code=2)
    assert "the game is already over" in error_line("solve", "connect4", "4", "1212121", code=2)
    assert "no solver for chess" in error_line("solve", "chess", code=2)
    assert "at most 16" in error_line("solve", "tictactoe(rows=5, columns=5)", code=2)
    assert "without moves" in error_line("solve", "tictactoe", "--build-book", "x", code=2)
