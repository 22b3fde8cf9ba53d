"""Checkers games in PDN."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Outcome, ParseError
from plyground.records import Record
from plyground.records.files import MAX_FILE_BYTES
from plyground.records.parsed_games import MAX_MOVES
from plyground.records.pdn import read, write
from records.samples import random_games


def read_one(text: str) -> Record:
    """Parse valid text and return its only game."""
    parsed = read(text)
    assert parsed.failed == ()
    (record,) = parsed.records
    return record


def test_a_thousand_games_round_trip() -> None:
    games = random_games("checkers", 1000)
    text = write(games)
    parsed = read(text)
    assert parsed.records == tuple(games)
    assert (parsed.failed, parsed.warnings) == ((), ())
    assert write(parsed.records) == text


@pytest.mark.parametrize("start", ["W:WK3,18:BK10,11", "B:W6,14:B1"])
def test_games_from_a_position_round_trip(start: str) -> None:
    games = random_games("checkers", 20, start=start)
    assert read(write(games)).records == tuple(games)


def test_games_with_other_draw_rules_round_trip() -> None:
    games = random_games("checkers(draws=openspiel)", 20)
    assert read(write(games)).records == tuple(games)


def test_reads_a_typical_file() -> None:
    record = read_one(
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
def test_reads_moves_in_every_style(moves: str, newline: str) -> None:
    text = f'\ufeff[Event "x"]\n\n{moves}\n'.replace("\n", newline)
    assert read_one(text).moves == ("11-15", "23-19", "8-11", "22-17")


@pytest.mark.parametrize("capture", ["1x17", "1x10x17", "1X10X17", "1:10:17", "1-17", "1x10 10x17", "01x17"])
def test_reads_captures_in_every_style(capture: str) -> None:
    assert read_one(f'[SetUp "1"]\n[FEN "B:W6,14:B1."]\n\n1. {capture}').moves == ("1x17",)


@pytest.mark.parametrize("fen", ["B:W21-32:B1-12", "B:B1-12:W21-32.", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1-12."])
def test_recognises_the_standard_start_in_every_style(fen: str) -> None:
    assert read_one(f'[FEN "{fen}"]\n1. 11-15 *').start is None


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
def test_reads_results(result: str, outcome: Outcome | None) -> None:
    assert read_one(f'[Result "{result}"]\n1. 11-15 23-19 *').outcome == outcome
    assert read_one(f"1. 11-15 23-19 {result}").outcome == outcome


def test_the_result_tag_overrides_the_result_after_the_moves() -> None:
    assert read_one('[Result "1-0"]\n1. 11-15 23-19 0-1').outcome == Outcome("white", "recorded")


WON = '[FEN "B:W6,14:B1"]\n1. 1x17 {}\n\n'
RESIGNED = '[Event "x"]\n1. 11-15 23-19 1-0\n'


def test_results_give_whites_score_first_by_default() -> None:
    parsed = read(WON.format("0-1") + RESIGNED)
    assert parsed.warnings == ()
    assert [str(record.outcome) for record in parsed.records] == ["black wins: no moves", "white wins: recorded"]


def test_detects_files_whose_results_give_blacks_score_first() -> None:
    parsed = read(WON.format("1-0") + WON.format("2-0") + RESIGNED)
    assert parsed.warnings == ("1-0 is read as a win for Black, based on 2 games decided on the board",)
    assert [str(record.outcome) for record in parsed.records] == ["black wins: no moves"] * 2 + ["black wins: recorded"]


def test_the_board_overrides_the_result_with_a_warning() -> None:
    parsed = read(WON.format("1-0") + WON.format("0-1") + WON.format("0-1") + WON.format("1/2-1/2"))
    assert {str(record.outcome) for record in parsed.records} == {"black wins: no moves"}
    assert parsed.warnings == ("in 2 games the result contradicts the board; the board takes precedence",)


INVALID = [
    ("1. 11-15 23-24 *", 3, 'move "23-24" is illegal'),
    ("1. 11-15\n2. 99-98 *", 4, 'move "99-98" must have the form'),
    ("1. 11-15 c3-d4 *", 3, "a move must be written like 11-15 or 22x15, got 'c3-d4'"),
    ("1. 11-15 {never closed\n", 3, "unclosed comment"),
    ("1. 11-15 (23-19\n", 2, "unclosed variation"),
    ("1. 11-15 ) 23-19 *", 3, "closing parenthesis without an opening one"),
    ('[FEN "nonsense"]\n1. 11-15 *', 2, "is not a valid FEN"),
    ('[FEN "B:W6,14:B1"]\n1. 1x10 *', 4, "the capture 1x10 is incomplete"),
    ('[FEN "B:W6,14:B1"]\n1. 1x10 14-9 *', 4, "the capture 1x10 is incomplete"),
    ('[GameType "20"]\n1. 32-28 *', 2, "GameType must be 21 (English draughts), got '20'"),
    ('[Result "won"]\n1. 11-15 *', 2, "Result must be 1-0, 2-0, 0-1, 0-2, 1/2-1/2, 1-1, 0-0 or *, got 'won'"),
    ('[Seed "x"]\n1. 11-15 *', 2, "Seed must be an integer between 0 and 2**64 - 1, got 'x'"),
    ('[Rules "chess"]\n1. 11-15 *', 2, "Rules must be a checkers spec, got 'chess'"),
    ('[Rules "??"]\n1. 11-15 *', 2, "is not a valid name"),
    ('[White "unfinished]\n1. 11-15 *', 3, "a tag must be [Name "),
]


@pytest.mark.parametrize(("game", "line", "reason"), INVALID)
def test_reports_the_line_of_an_invalid_game_and_reads_the_others(game: str, line: int, reason: str) -> None:
    good = '[Event "good"]\n1. 11-15 *\n'
    parsed = read(f'\n[Event "bad"]\n{game}\n{good}{good}')
    assert [record.moves for record in parsed.records] == [("11-15",)] * 2
    (failure,) = parsed.failed
    assert failure.location == f"line {line}"
    assert reason in failure.reason
    assert len(str(failure)) < 1000


@pytest.mark.parametrize(
    ("moves", "move", "plies"),
    [
        ("1. 11-15 23-19 2. 8-11 22-1 *", "2... 22-1", 3),
        ("1. 11-15 23 19 *", "1... 23", 1),
        ("11-15 23-19 12 8-11 *", "2. 12", 2),
        ("1. 11-15 xyz *", "1... xyz", 1),
    ],
)
def test_an_invalid_move_is_located_and_the_moves_before_it_are_known(moves: str, move: str, plies: int) -> None:
    parsed = read(f'[Event "good"]\n1. 11-15 *\n[Black "Ada"]\n{moves}\n')
    (failure,) = parsed.failed
    assert (len(parsed.records), failure.number, failure.move) == (1, 2, move)
    assert failure.beginning is not None
    assert (len(failure.beginning.moves), failure.beginning.players) == (plies, {"black": "Ada"})


@pytest.mark.parametrize(
    "moves", ["1 11-15 23-19 2 8-11 22-17", "5. 11-15 23-19 6. 8-11 22-17", "11-15 23-19 2 8-11 22-17"]
)
def test_move_numbers_may_lack_a_dot(moves: str) -> None:
    assert read_one(f"{moves} *").moves == ("11-15", "23-19", "8-11", "22-17")


def test_invalid_dates_remain_headers() -> None:
    text = '[Date "1994.??.??"]\n[Time "noon"]\n[Event "?"]\n[Site ""]\n\n1. 11-15 *\n'
    record = read_one(text)
    assert record.headers == {"Date": "1994.??.??", "Time": "noon"}
    assert read_one(write([record])) == record


@pytest.mark.parametrize("started", ["1989-05-14", "1989-05-14T10:20:30", "0001-01-01", "2026-01-31T23:59:59+00:00"])
def test_dates_round_trip(started: str) -> None:
    assert read_one(write([Record("checkers", ("11-15",), started=started)])).started == started


def test_writes_only_checkers_games() -> None:
    with pytest.raises(ParseError, match="only checkers games can be exported as PDN, got chess"):
        write([Record("chess")])


WORDS = [*"{}();[]*%x-\\", "11-15", "23-19", "1x10x17", "1.", "1...", "$1", "1-0", "2-0"]
TAGS = ['[Event "x"]', '[FEN "B:W6:B1"]', '[Seed "1"]', '[Result "?"]']
PIECES = st.lists(st.sampled_from([*WORDS, *TAGS, '"', "\n", " ", "\0", "\ud800", "9" * 50]) | st.text(max_size=5))


@given(PIECES)
def test_parses_or_rejects_any_text(pieces: list[str]) -> None:
    for text in ("".join(pieces), " ".join(pieces)):
        parsed = read(text)
        for record in parsed.records:
            record.check()
        again = read(write(parsed.records))
        assert again.records == parsed.records


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
        "11-15 " * (MAX_MOVES + 1),
        "".join(f'[Tag{number} "x"]' for number in range(10_000)),
        "\\" * 1_000_000,
        "$" * 1_000_000,
    ],
    ids=lambda text: text[:6],
)
def test_rejects_huge_malformed_files_in_linear_time(text: str) -> None:
    assert len(text) < MAX_FILE_BYTES
    parsed = read(text)
    assert parsed.records == ()
    assert all(len(str(failure)) < 1000 for failure in parsed.failed)
