"""Opening books."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground
from plyground import ParseError
from plyground._engine import Solver as EngineSolver
from plyground._engine import book_ply, book_positions, write_book
from plyground.exact import Solver, build_book, shipped_book
from plyground.exact.book import PLY

MARK = 7


def test_the_shipped_book_is_whole_and_small() -> None:
    book = shipped_book()
    assert book is not None
    assert book_ply(book) == PLY
    assert len(book_positions(PLY)) < len(book) < 2_000_000


def test_positions_of_the_book_need_no_search() -> None:
    solver = Solver("connect4")
    for game in ["", "1", "4", "7"]:
        assert solver.solve(plyground.game("connect4").position(game)).nodes == 0


def test_scores_come_from_the_book_and_from_its_next_ply() -> None:
    scores = [0] * len(book_positions(2))
    book = write_book(2, [MARK, *scores[1:]])
    connect4 = plyground.game("connect4")
    solver = EngineSolver(connect4, book=book)
    marked = connect4.position(book_positions(2)[0])
    for position in (marked, connect4.start()):
        assert solver.solve(position) is not None
    found = solver.solve(marked)
    assert found is not None
    assert found["score"] == MARK


def test_wrong_scores_are_refused() -> None:
    with pytest.raises(ParseError, match="scores are not those"):
        write_book(2, [0] * 24)
    with pytest.raises(ParseError, match="from 1 to 12"):
        book_positions(13)


def test_building_goes_on_where_it_stopped(tmp_path: Path) -> None:
    target = tmp_path / "small.book"
    part = tmp_path / "small.book.ply1.part"
    part.write_bytes(bytes([0xFE, 0, 1, 2]))
    build_book(target, 1)
    assert target.read_bytes() == write_book(1, [-2, 0, 1, 2])
    assert not part.exists()
    part.write_bytes(bytes(5))
    with pytest.raises(ParseError, match="remove it"):
        build_book(target, 1)


def test_what_an_earlier_book_knows_is_not_solved_again(tmp_path: Path) -> None:
    target = tmp_path / "small.book"
    # By this book all moves of the third disc lose at once, so nobody has to look.
    target.write_bytes(write_book(2, [-21] * len(book_positions(2))))
    told: list[tuple[int, int]] = []
    build_book(target, 3, threads=2, report=lambda done, of: told.append((done, of)))
    positions = len(book_positions(3))
    assert target.read_bytes() == write_book(3, [21] * positions)
    assert told[0] == (0, positions)
    assert told[-1] == (positions, positions)
    assert told == sorted(told)


def test_a_file_that_is_no_book_is_not_written_over(tmp_path: Path) -> None:
    target = tmp_path / "letter.txt"
    target.write_text("Dear Ann")
    with pytest.raises(ParseError, match="not an opening book"):
        build_book(target, 1)
    assert target.read_text() == "Dear Ann"
