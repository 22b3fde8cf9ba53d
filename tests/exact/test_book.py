"""Connect Four opening books."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground
from plyground import ParseError
from plyground._engine import Solver as EngineSolver
from plyground._engine import book_ply, book_positions, write_book
from plyground.exact import Solver, build_book, shipped_book
from plyground.exact.book import PLY

MARKED_SCORE, OTHER_SCORE = 7, -3


def test_the_shipped_book_is_complete_and_small() -> None:
    book = shipped_book()
    assert book is not None
    assert book_ply(book) == PLY
    assert len(book_positions(PLY)) < len(book) < 2_000_000


def test_positions_in_the_book_need_no_search() -> None:
    solver = Solver("connect4")
    for game in ["", "1", "4", "7"]:
        assert solver.solve(plyground.game("connect4").position(game)).nodes == 0


def test_scores_come_from_the_book_and_from_its_next_ply() -> None:
    scores = [OTHER_SCORE] * len(book_positions(2))
    book = write_book(2, [MARKED_SCORE, *scores[1:]])
    connect4 = plyground.game("connect4")
    solver = EngineSolver(connect4, book=book)
    marked = connect4.position(book_positions(2)[0])
    for position, score in ((marked, MARKED_SCORE), (connect4.start(), OTHER_SCORE)):
        found = solver.solve(position)
        assert found is not None
        assert (found["score"], found["nodes"]) == (score, 0)


def test_invalid_scores_are_rejected() -> None:
    with pytest.raises(ParseError, match="needs 25 scores"):
        write_book(2, [0] * 24)
    with pytest.raises(ParseError, match="between 1 and 12 plies, got 13"):
        book_positions(13)


def test_resumes_an_interrupted_build(tmp_path: Path) -> None:
    target = tmp_path / "small.book"
    partial = tmp_path / "small.book.ply1.part"
    partial.write_bytes(bytes([0xFE, 0, 1, 2]))
    build_book(target, 1)
    assert target.read_bytes() == write_book(1, [-2, 0, 1, 2])
    assert not partial.exists()
    partial.write_bytes(bytes(5))
    with pytest.raises(ParseError, match="remove it"):
        build_book(target, 1)


def test_reuses_the_scores_of_an_earlier_book(tmp_path: Path) -> None:
    target = tmp_path / "small.book"
    # According to this book, every position at ply 2 is lost at once, so no search is needed.
    target.write_bytes(write_book(2, [-21] * len(book_positions(2))))
    reports: list[tuple[int, int]] = []
    build_book(target, 3, threads=2, report=lambda done, total: reports.append((done, total)))
    positions = len(book_positions(3))
    assert target.read_bytes() == write_book(3, [21] * positions)
    assert reports[0] == (0, positions)
    assert reports[-1] == (positions, positions)
    assert reports == sorted(reports)


def test_a_file_that_is_not_a_book_is_not_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "letter.txt"
    target.write_text("Dear Ann")
    with pytest.raises(ParseError, match="not an opening book"):
        build_book(target, 1)
    assert target.read_text() == "Dear Ann"
