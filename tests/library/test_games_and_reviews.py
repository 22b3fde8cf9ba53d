"""Reading, writing and reviewing games."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg


def test_the_file_extension_determines_the_format(tmp_path: Path) -> None:
    games = {
        "games.pdn": pg.Record("checkers", ("11-15", "23-19"), players={"black": "Easy", "white": "human"}),
        "games.pgn": pg.Record("chess", ("e2e4", "e7e5")),
        "games.json": pg.Record("connect4", ("4", "4")),
    }
    for name, record in games.items():
        pg.write_games(tmp_path / name, [record, record])
        for path in (tmp_path / name, str(tmp_path / name)):
            found = pg.read_games(path)
            assert [one.moves for one in found] == [record.moves] * 2
            assert found[0].game == record.game
    with pytest.raises(pg.UnknownNameError, match=r"unknown file extension; available: \.json, \.pdn, \.pgn"):
        pg.read_games(tmp_path / "games.txt")


def test_invalid_games_are_not_dropped_silently(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('[Event "a"]\n\n1. e4 e5 *\n\n[Event "b"]\n\n1. e4 e4 *\n')
    with pytest.raises(
        pg.ParseError,
        match=r"1 of 2 games are invalid, the first one at game 2, move 1.*line \d+.*strict=False\) skips",
    ):
        pg.read_games(path)
    assert [record.moves for record in pg.read_games(path, strict=False)] == [("e2e4", "e7e5")]


def test_a_review_lists_the_moves_in_order_with_the_mistakes() -> None:
    record = pg.Record("tictactoe", ("b2", "b1", "c1"))
    review = pg.review(record, simulations=5000, seed=1)
    assert [move.move for move in review.moves] == ["b2", "b1", "c1"]
    assert [move.move for move in review.mistakes] == ["b1"]
    assert review.accuracy["x"] == 100.0
    assert review.accuracy["o"] < 50
    assert [move["move"] for move in review.to_dict()["moves"]] == ["b2", "b1", "c1"]
    assert pg.review(record, pg.Limit(simulations=5000), seed=1) == review


def test_a_reviewer_can_be_chosen() -> None:
    review = pg.review(pg.Record("tictactoe", ("b2", "b1")), reviewer=pg.agent("solver"))
    assert review.mistakes[0].move == "b1"
    assert review.mistakes[0].before.exact is not None
