"""Chess games as PGN."""

from __future__ import annotations

import io
import time

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Outcome, ParseError
from plyground.records import Record
from plyground.records.pgn import read, write
from plyground.records.reading import MOST_MOVES
from records.samples import random_games

MATE = '[Event "x"]\n[White "Scholar"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'


def one(text: str) -> Record:
    """The only game of a text without a broken one."""
    reading = read(text)
    assert reading.broken == ()
    (record,) = reading.records
    return record


def test_a_thousand_games_come_back_unchanged() -> None:
    games = random_games("chess", 1000, plies=40)
    text = write(games)
    reading = read(text)
    assert reading.records == tuple(games)
    assert reading.broken == ()
    assert write(reading.records) == text


def test_whole_games_come_back_and_python_chess_reads_them_alike() -> None:
    games = random_games("chess", 20)
    text = write(games)
    assert read(text).records == tuple(games)
    stream = io.StringIO(text)
    for record in games:
        other = chess.pgn.read_game(stream)
        assert other is not None
        assert other.errors == []
        assert [move.uci() for move in other.mainline_moves()] == list(record.moves)
    assert chess.pgn.read_game(stream) is None


@pytest.mark.parametrize(
    "start",
    [
        "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
        "8/P6k/8/8/8/8/p6K/8 b - - 7 31",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 9",
    ],
)
def test_games_from_a_position_come_back(start: str) -> None:
    games = random_games("chess", 30, plies=30, start=start)
    assert read(write(games)).records == tuple(games)


def test_promotions_and_castling_are_read() -> None:
    record = one('[SetUp "1"]\n[FEN "4k2r/P7/8/8/8/8/8/R3K3 w Qk - 0 1"]\n\n1. O-O-O O-O 2. a8=N *\n')
    assert record.moves == ("e1c1", "e8g8", "a7a8n")


def test_a_game_as_programs_write_it() -> None:
    record = one(MATE)
    assert record.moves[-1] == "h5f7"
    assert record.outcome == Outcome("white", "checkmate")
    assert (record.players, record.headers) == ({"white": "Scholar"}, {"Event": "x"})


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6",
        "1. e4! {good (d4 too)} e5?! 2. Nf3 $1 (2. f4 exf4 (2... d5)) 2... Nc6 ; end\n*",
        "e2e4 e7e5 g1f3 b8c6 *",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_moves_are_understood_however_they_are_written(moves: str, newline: str) -> None:
    text = f'\ufeff[Event "x"]\n\n{moves}\n'.replace("\n", newline)
    assert one(text).moves == ("e2e4", "e7e5", "g1f3", "b8c6")


@pytest.mark.parametrize(
    ("tags", "outcome"),
    [
        ('[Result "1-0"]\n[Termination "Time forfeit"]', Outcome("white", "Time forfeit")),
        ('[Result "0-1"]\n[Termination "normal"]', Outcome("black", "recorded")),
        ('[Result "1/2-1/2"]', Outcome(None, "recorded")),
        ('[Result "*"]', None),
        ("", None),
    ],
)
def test_results(tags: str, outcome: Outcome | None) -> None:
    record = one(f"{tags}\n\n1. e4 e5 *\n")
    assert record.outcome == outcome
    assert one(write([record])) == record


SHUFFLE = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 "


def test_a_draw_that_nobody_claimed_does_not_end_the_game() -> None:
    assert one(SHUFFLE + "1/2-1/2").game == "chess"
    for text in (SHUFFLE + "5. e4 *", SHUFFLE + "1-0"):
        record = one(text)
        assert record.game == "chess(draws=forced)"
        assert one(write([record])) == record
    assert one(SHUFFLE + "1-0").outcome == Outcome("white", "recorded")


BROKEN = [
    ("1. e4 e5\n2. Ke3 *", 5, "illegal san: 'Ke3'"),
    ("1. e4 -- 2. d4 *", 4, 'move "0000" is not a move'),
    ('[FEN "nonsense"]\n\n1. e4 *', 5, "fen"),
    ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', 5, "e4"),
    ('[Variant "Atomic"]\n\n1. e4 *', 5, "Variant 'Atomic'; accepted is standard chess"),
    ('[Result "won"]\n\n1. e4 *', 2, "Result 'won'; accepted are 1-0, 0-1"),
    ('[Rules "checkers"]\n\n1. e4 *', 2, "accepted is chess"),
    ('[Seed "-1"]\n\n1. e4 *', 2, "Seed '-1'"),
    ("1. e4 $" + "9" * 5000 + " e5 *", 4, "digits"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BROKEN)
def test_a_broken_game_is_told_with_its_line_and_the_others_are_read(text: str, line: int, reason: str) -> None:
    tags, _, moves = text.rpartition("\n\n") if "\n\n" in text else ("", "", text)
    head = '\n[Event "bad"]\n' + (f"{tags}\n" if tags else "")
    good = '[Event "good"]\n\n1. e4 *\n\n'
    reading = read(f"{head}\n{moves}\n\n{good}{good}")
    assert [record.moves for record in reading.records] == [("e2e4",)] * 2
    (broken,) = reading.broken
    assert broken.where == f"line {line}"
    assert reason in broken.reason
    assert len(str(broken)) < 1000


def test_a_game_of_another_kind_is_not_written() -> None:
    with pytest.raises(ParseError, match="a game of checkers cannot be written as PGN"):
        write([Record("checkers")])


def test_a_game_without_moves_comes_back() -> None:
    for start in (None, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"):
        record = Record("chess", start=start, players={"white": "a"})
        assert one(write([record])) == record


WORDS = [*"{}();[]*%", "e4", "e5", "Nf3", "O-O", "a8=Q", "--", "Z0", "@@@@", "P@e4", "1.", "$1", "$999", "1-0"]
TAGS = [
    '[Event "x"]\n',
    '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n',
    '[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 99999"]\n',
    '[SetUp "1"]\n',
    '[Variant "Crazyhouse"]\n',
    '[Variant "Chess960"]\n',
]
PIECES = st.lists(st.sampled_from([*WORDS, *TAGS, '"', "\n", "\n\n", "\0", "\ud800"]) | st.text(max_size=5))


@given(PIECES)
def test_no_text_breaks_the_reader(pieces: list[str]) -> None:
    for text in ("".join(pieces), " ".join(pieces)):
        reading = read(text)
        for record in reading.records:
            record.check()
        assert read(write(reading.records)).records == reading.records


@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000,
        "(" * 1_000_000,
        "[" * 1_000_000,
        '[A "' * 200_000,
        "x" * 1_000_000,
        "e4 " * 200_000,
        "$" * 1_000_000,
        "Nf3 Nf6 Ng1 Ng8 " * (MOST_MOVES // 2),
        "".join(f'[Tag{number} "x"]\n' for number in range(10_000)),
        '[White "' + "x" * 1_000_000 + '"]\n\n1. e4 *',
    ],
    ids=lambda text: text[:6],
)
def test_hostile_sizes_are_refused_quickly(text: str) -> None:
    began = time.process_time()
    reading = read(text)
    assert time.process_time() - began < 10
    assert reading.records == ()
    assert all(len(str(broken)) < 1000 for broken in reading.broken)
