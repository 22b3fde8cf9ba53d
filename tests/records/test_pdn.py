"""Checkers games as PDN."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Outcome, ParseError
from plyground.records import Record
from plyground.records.files import LARGEST
from plyground.records.pdn import read, write
from plyground.records.reading import MOST_MOVES
from records.samples import random_games


def one(text: str) -> Record:
    """The only game of a text without a broken one."""
    reading = read(text)
    assert reading.broken == ()
    (record,) = reading.records
    return record


def test_a_thousand_games_come_back_unchanged() -> None:
    games = random_games("checkers", 1000)
    text = write(games)
    reading = read(text)
    assert reading.records == tuple(games)
    assert (reading.broken, reading.notes) == ((), ())
    assert write(reading.records) == text


@pytest.mark.parametrize("start", ["W:WK3,18:BK10,11", "B:W6,14:B1"])
def test_games_from_a_position_come_back(start: str) -> None:
    games = random_games("checkers", 20, start=start)
    assert read(write(games)).records == tuple(games)


def test_other_draw_rules_come_back() -> None:
    games = random_games("checkers(draws=openspiel)", 20)
    assert read(write(games)).records == tuple(games)


def test_a_game_as_programs_write_it() -> None:
    record = one(
        '[Event "1989 Championship"]\n[Date "1989.05.14"]\n[Black "Tinsley, M"]\n[White "Lafferty, D"]\n'
        '[GameType "21"]\n[Result "1/2-1/2"]\n\n1. 11-15 23-19 2. 8-11 22-17 1/2-1/2\n'
    )
    assert record.moves == ("11-15", "23-19", "8-11", "22-17")
    assert record.players == {"black": "Tinsley, M", "white": "Lafferty, D"}
    assert (record.started, record.headers) == ("1989-05-14", {"Event": "1989 Championship"})
    assert record.outcome == Outcome(None, "recorded")


@pytest.mark.parametrize(
    "moves",
    [
        "1. 11-15 23-19 2. 8-11 22-17 *",
        "1.11-15 23-19 2.8-11 22-17 *",
        "1. 11-15 1... 23-19 2. 8-11 2... 22-17 *",
        "1 11-15 23-19 2 8-11 22-17",
        "11-15 23-19 8-11 22-17 *",
        "1 . 11-15 23-19 2 ... 8-11 22-17 *",
        "1. 11-15! 23-19?? 2. 8-11 $1 $139 22-17!? *",
        "1. 11-15 {a comment} 23-19 ; the rest 9-14\n2. 8-11 {over\nlines (9-14} 22-17 *",
        "1. 11-15 (1. 9-14 22-18 (1... 24-19 {deep}) 2. 5-9) 23-19 2. 8-11 22-17 *",
        "% a line for programs\n1. 11-15 23-19\n2. 8-11\n22-17\n*",
        "1. 11 - 15 23 - 19 2. 08-11 22-17 *",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_moves_are_understood_however_they_are_written(moves: str, newline: str) -> None:
    text = f'\ufeff[Event "x"]\n\n{moves}\n'.replace("\n", newline)
    assert one(text).moves == ("11-15", "23-19", "8-11", "22-17")


@pytest.mark.parametrize("capture", ["1x17", "1x10x17", "1X10X17", "1:10:17", "1-17", "1x10 10x17", "01x17"])
def test_captures_are_understood_however_they_are_written(capture: str) -> None:
    assert one(f'[SetUp "1"]\n[FEN "B:W6,14:B1."]\n\n1. {capture}').moves == ("1x17",)


@pytest.mark.parametrize("fen", ["B:W21-32:B1-12", "B:B1-12:W21-32.", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1-12."])
def test_the_usual_start_is_known_however_it_is_written(fen: str) -> None:
    assert one(f'[FEN "{fen}"]\n1. 11-15 *').start is None


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("1-0", Outcome("white", "recorded")),
        ("2-0", Outcome("white", "recorded")),
        ("0-1", Outcome("black", "recorded")),
        ("0-2", Outcome("black", "recorded")),
        ("1/2-1/2", Outcome(None, "recorded")),
        ("1-1", Outcome(None, "recorded")),
        ("*", None),
        ("0-0", None),
    ],
)
def test_results(result: str, outcome: Outcome | None) -> None:
    assert one(f'[Result "{result}"]\n1. 11-15 23-19 *').outcome == outcome
    assert one(f"1. 11-15 23-19 {result}").outcome == outcome


def test_the_tag_counts_more_than_the_end_of_the_moves() -> None:
    assert one('[Result "1-0"]\n1. 11-15 23-19 0-1').outcome == Outcome("white", "recorded")


WON = '[FEN "B:W6,14:B1"]\n1. 1x17 {}\n\n'
RESIGNED = '[Event "x"]\n1. 11-15 23-19 1-0\n'


def test_results_are_white_first_where_nothing_says_otherwise() -> None:
    reading = read(WON.format("0-1") + RESIGNED)
    assert reading.notes == ()
    assert [str(record.outcome) for record in reading.records] == ["black wins: no moves", "white wins: recorded"]


def test_a_file_whose_finished_games_show_black_first_is_read_so_and_says_so() -> None:
    reading = read(WON.format("1-0") + WON.format("2-0") + RESIGNED)
    assert reading.notes == ("1-0 is read as a win of black: games that ended on the board show it (2)",)
    assert [str(record.outcome) for record in reading.records] == ["black wins: no moves"] * 2 + [
        "black wins: recorded"
    ]


def test_the_board_decides_against_the_file_and_it_is_said() -> None:
    reading = read(WON.format("1-0") + WON.format("0-1") + WON.format("0-1") + WON.format("1/2-1/2"))
    assert {str(record.outcome) for record in reading.records} == {"black wins: no moves"}
    assert reading.notes == ("the board decides where it shows another result than the file (2)",)


BROKEN = [
    ("1. 11-15 23-24 *", 3, 'move "23-24" is illegal'),
    ("1. 11-15\n2. 99-98 *", 4, 'move "99-98" is not a move'),
    ("1. 11-15 c3-d4 *", 3, "'c3-d4' is no move"),
    ("1. 11-15 {never closed\n", 3, "a comment is not closed"),
    ("1. 11-15 (23-19\n", 2, "a variation is not closed"),
    ("1. 11-15 ) 23-19 *", 3, "a closing bracket without an opening one"),
    ('[FEN "nonsense"]\n1. 11-15 *', 2, "is not a position"),
    ('[FEN "B:W6,14:B1"]\n1. 1x10 *', 4, "the capture 1x10 must go on"),
    ('[FEN "B:W6,14:B1"]\n1. 1x10 14-9 *', 4, "the capture 1x10 must go on"),
    ('[GameType "20"]\n1. 32-28 *', 2, "GameType '20'; accepted is 21"),
    ('[Result "won"]\n1. 11-15 *', 2, "Result 'won'; accepted are 1-0"),
    ('[Seed "x"]\n1. 11-15 *', 2, "Seed 'x': accepted is a whole number"),
    ('[Rules "chess"]\n1. 11-15 *', 2, "accepted is checkers"),
    ('[Rules "??"]\n1. 11-15 *', 2, "is no name"),
    ('[White "unfinished]\n1. 11-15 *', 3, "is not complete; accepted is [Name"),
]


@pytest.mark.parametrize(("game", "line", "reason"), BROKEN)
def test_a_broken_game_is_told_with_its_line_and_the_others_are_read(game: str, line: int, reason: str) -> None:
    good = '[Event "good"]\n1. 11-15 *\n'
    reading = read(f'\n[Event "bad"]\n{game}\n{good}{good}')
    assert [record.moves for record in reading.records] == [("11-15",)] * 2
    (broken,) = reading.broken
    assert broken.where == f"line {line}"
    assert reason in broken.reason
    assert len(str(broken)) < 1000


def test_headers_that_make_no_date_are_kept_as_they_are() -> None:
    text = '[Date "1994.??.??"]\n[Time "noon"]\n[Event "?"]\n[Site ""]\n\n1. 11-15 *\n'
    record = one(text)
    assert record.headers == {"Date": "1994.??.??", "Time": "noon"}
    assert one(write([record])) == record


@pytest.mark.parametrize("started", ["1989-05-14", "1989-05-14T10:20:30", "0001-01-01", "2026-01-31T23:59:59+00:00"])
def test_dates_come_back(started: str) -> None:
    assert one(write([Record("checkers", ("11-15",), started=started)])).started == started


def test_a_game_of_another_kind_is_not_written() -> None:
    with pytest.raises(ParseError, match="a game of chess cannot be written as PDN"):
        write([Record("chess")])


WORDS = [*"{}();[]*%x-\\", "11-15", "23-19", "1x10x17", "1.", "1...", "$1", "1-0", "2-0"]
TAGS = ['[Event "x"]', '[FEN "B:W6:B1"]', '[Seed "1"]', '[Result "?"]']
PIECES = st.lists(st.sampled_from([*WORDS, *TAGS, '"', "\n", " ", "\0", "\ud800", "9" * 50]) | st.text(max_size=5))


@given(PIECES)
def test_no_text_breaks_the_reader(pieces: list[str]) -> None:
    for text in ("".join(pieces), " ".join(pieces)):
        reading = read(text)
        for record in reading.records:
            record.check()
        again = read(write(reading.records))
        assert again.records == reading.records


@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000,
        "(" * 1_000_000,
        "[" * 1_000_000,
        '[A "' * 200_000,
        "[A" + " " * 1_000_000,
        '[A "' + "x" * 1_000_000 + '"] 1. 11-15 *',
        "1x" * 500_000,
        "1" * 1_000_000,
        "{\n" * 500_000,
        "\n[A " * 250_000,
        "x" * 1_000_000,
        "11-15 " * (MOST_MOVES + 1),
        "".join(f'[Tag{number} "x"]' for number in range(10_000)),
        "\\" * 1_000_000,
        "$" * 1_000_000,
    ],
    ids=lambda text: text[:6],
)
def test_hostile_sizes_are_refused_quickly(text: str) -> None:
    assert len(text) < LARGEST
    began = time.process_time()
    reading = read(text)
    assert time.process_time() - began < 10
    assert reading.records == ()
    assert all(len(str(broken)) < 1000 for broken in reading.broken)
