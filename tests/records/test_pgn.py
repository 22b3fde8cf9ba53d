"""Chess games in PGN."""

from __future__ import annotations

import io

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Outcome, ParseError
from plyground.records import Record
from plyground.records.parsed_games import MAX_MOVES
from plyground.records.pgn import read, write
from records.samples import random_games

MATE = '[Event "x"]\n[White "Scholar"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'


def read_one(text: str) -> Record:
    """Parse valid text and return its only game."""
    parsed = read(text)
    assert parsed.failed == ()
    (record,) = parsed.records
    return record


def test_a_thousand_games_round_trip() -> None:
    games = random_games("chess", 1000, plies=40)
    text = write(games)
    parsed = read(text)
    assert parsed.records == tuple(games)
    assert parsed.failed == ()
    assert write(parsed.records) == text


def test_python_chess_reads_the_same_games() -> None:
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
def test_games_from_a_position_round_trip(start: str) -> None:
    games = random_games("chess", 30, plies=30, start=start)
    assert read(write(games)).records == tuple(games)


def test_reads_promotions_and_castling() -> None:
    record = read_one('[SetUp "1"]\n[FEN "4k2r/P7/8/8/8/8/8/R3K3 w Qk - 0 1"]\n\n1. O-O-O O-O 2. a8=N *\n')
    assert record.moves == ("e1c1", "e8g8", "a7a8n")


def test_reads_a_typical_file() -> None:
    record = read_one(MATE)
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
def test_reads_moves_in_every_style(moves: str, newline: str) -> None:
    text = f'\ufeff[Event "x"]\n\n{moves}\n'.replace("\n", newline)
    assert read_one(text).moves == ("e2e4", "e7e5", "g1f3", "b8c6")


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
def test_reads_results(tags: str, outcome: Outcome | None) -> None:
    record = read_one(f"{tags}\n\n1. e4 e5 *\n")
    assert record.outcome == outcome
    assert read_one(write([record])) == record


SHUFFLE = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 "


def test_a_game_may_continue_after_a_threefold_repetition() -> None:
    assert read_one(SHUFFLE + "1/2-1/2").game == "chess"
    for text in (SHUFFLE + "5. e4 *", SHUFFLE + "1-0"):
        record = read_one(text)
        assert record.game == "chess(draws=forced)"
        assert read_one(write([record])) == record
    assert read_one(SHUFFLE + "1-0").outcome == Outcome("white", "recorded")


INVALID = [
    ("1. e4 e5\n2. Ke3 *", 5, 'move "Ke3" is illegal'),
    ("1. e4 -- 2. d4 *", 4, 'move "0000" must be in UCI notation'),
    ('[FEN "nonsense"]\n\n1. e4 *', 5, "fen"),
    ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', 5, "e4"),
    ('[Variant "Atomic"]\n\n1. e4 *', 5, "Variant must be standard chess, got 'Atomic'"),
    ('[Result "won"]\n\n1. e4 *', 2, "Result must be 1-0, 0-1, 1/2-1/2 or *, got 'won'"),
    ('[Rules "checkers"]\n\n1. e4 *', 2, "Rules must be a chess spec, got 'checkers'"),
    ('[Seed "-1"]\n\n1. e4 *', 2, "Seed must be an integer between 0 and 2**64 - 1, got '-1'"),
    ("1. e4 $" + "9" * 5000 + " e5 *", 4, "digits"),
]


@pytest.mark.parametrize(("text", "line", "reason"), INVALID)
def test_reports_the_line_of_an_invalid_game_and_reads_the_others(text: str, line: int, reason: str) -> None:
    tags, _, moves = text.rpartition("\n\n") if "\n\n" in text else ("", "", text)
    head = '\n[Event "bad"]\n' + (f"{tags}\n" if tags else "")
    good = '[Event "good"]\n\n1. e4 *\n\n'
    parsed = read(f"{head}\n{moves}\n\n{good}{good}")
    assert [record.moves for record in parsed.records] == [("e2e4",)] * 2
    (failure,) = parsed.failed
    assert failure.location == f"line {line}"
    assert reason in failure.reason
    assert len(str(failure)) < 1000


@pytest.mark.parametrize(
    ("moves", "move", "plies"),
    [
        ("1. e4 e5 2. Ke9", "2. Ke9", 2),
        ("1. e4 e5 2. Sf3 Sc6 *", "2. Sf3", 2),
        ("1. e4 xyz 2. Nf3 *", "1... xyz", 1),
        ("1. e4 e5 2. OO *", "2. OO", 2),
        ("1. P-K4 P-K4 *", "1. P-K4", 0),
        ("1. e4 e5 2. Nf3 Qd3 *", "2... Qd3", 3),
        ("1. e4 e5\n\n2. Nf3 Ke9 *", "2... Ke9", 3),
    ],
)
def test_a_word_that_is_not_a_move_is_reported_and_not_skipped(moves: str, move: str, plies: int) -> None:
    parsed = read(f'[Event "good"]\n\n1. d4 *\n\n[White "Ada"]\n\n{moves}\n')
    assert [record.moves for record in parsed.records] == [("d2d4",)]
    (failure,) = parsed.failed
    assert (failure.number, failure.move) == (2, move)
    assert failure.place.startswith(f"game 2, move {move}, line ")
    if plies == 0:
        assert failure.beginning is None
    else:
        assert failure.beginning is not None
        assert (len(failure.beginning.moves), failure.beginning.players) == (plies, {"white": "Ada"})


def test_the_move_number_follows_from_the_start_position() -> None:
    (failure,) = read('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"]\n\n40... Kd7 41. e5 *\n').failed
    assert failure.move == "41. e5"


def test_remarks_symbols_and_foreign_letters_in_comments_and_variations_are_ignored() -> None:
    text = "1. e4! {Sf3 geht auch} e5?! (1... Sf6 Zd5) 2. Nf3 N Nc6 $14 3. exd5e.p. *"
    assert read(text.replace(" 3. exd5e.p.", "")).records[0].moves == ("e2e4", "e7e5", "g1f3", "b8c6")
    (failure,) = read(text).failed
    assert failure.reason == 'move "exd5" is illegal'


def test_a_blank_line_within_a_game_does_not_end_it() -> None:
    text = "1. e4 e5\n\n2. Nf3 Nc6 *\n\n1. d4 d5\n\n1. c4 *\n"
    assert [len(record.moves) for record in read(text).records] == [4, 2, 1]


def test_writes_only_chess_games() -> None:
    with pytest.raises(ParseError, match="only chess games can be exported as PGN, got checkers"):
        write([Record("checkers")])


def test_games_without_moves_round_trip() -> None:
    for start in (None, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"):
        record = Record("chess", start=start, players={"white": "a"})
        assert read_one(write([record])) == record


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
def test_parses_or_rejects_any_text(pieces: list[str]) -> None:
    for text in ("".join(pieces), " ".join(pieces)):
        parsed = read(text)
        for record in parsed.records:
            record.check()
        assert read(write(parsed.records)).records == parsed.records


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
        "Nf3 Nf6 Ng1 Ng8 " * (MAX_MOVES // 2),
        "".join(f'[Tag{number} "x"]\n' for number in range(10_000)),
        '[White "' + "x" * 1_000_000 + '"]\n\n1. e4 *',
    ],
    ids=lambda text: text[:6],
)
def test_rejects_huge_malformed_files_in_linear_time(text: str) -> None:
    parsed = read(text)
    assert parsed.records == ()
    assert all(len(str(failure)) < 1000 for failure in parsed.failed)
