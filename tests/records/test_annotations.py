"""Comments, NAGs and variations in PGN, PDN and JSON."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import chess.pgn
import pytest

from plyground import ParseError, PlygroundError
from plyground.records import Note, Record, Variation, pdn, pgn
from plyground.records import json as record_json
from plyground.records.annotations import MAX_COMMENT, MAX_DEPTH, MAX_VARIATIONS
from plyground.records.record import MAX_MOVES
from records.annotated_games import check_round_trip, random_game

ANNOTATED = Record(
    "chess",
    ("e2e4", "e7e5", "g1f3"),
    notes={0: Note("Ruy Lopez?"), 1: Note("[%clk 0:01:30] best by test", (1, 14)), 3: Note(nags=(255,))},
    variations={
        0: (Variation(("d2d4",)), Variation(("c2c4", "e7e5"), {0: Note("or"), 2: Note("reversed")})),
        1: (Variation(("c7c5", "g1f3"), {}, {0: (Variation(("e7e6",)),), 1: (Variation(("b1c3",)),)}),),
    },
)
PDN_TEXT = """[Event "club"]

1. 11-15 {good; $1} 23-19! (1... 22-18 ; forced
15x22 {then} 25x18 $5 (2... 26x17)) 2. 8-11 *
"""


def read_one(text: str, module: Any = pgn) -> Record:
    """Parse valid text and return its only game."""
    parsed = module.read(text)
    assert (parsed.failed, parsed.warnings) == ((), ())
    record: Record = parsed.records[0]
    assert len(parsed.records) == 1
    record.check()
    return record


def test_annotated_games_are_unchanged_by_import_and_export() -> None:
    check_round_trip([random_game(seed) for seed in range(120)])


def test_every_annotation_of_a_record_round_trips() -> None:
    ANNOTATED.check()
    assert read_one(pgn.write([ANNOTATED])) == ANNOTATED
    assert record_json.read(record_json.write(ANNOTATED)) == ANNOTATED


def test_python_chess_reads_clocks_and_evaluations_as_we_do() -> None:
    record = read_one("1. e4 {[%eval 0.35] [%clk 1:02:03.5] fine} e5 {[%eval #-3]} *")
    assert (record.notes[1].clock, record.notes[1].centipawns, record.notes[1].mate) == (3723.5, 35, None)
    assert (record.notes[2].clock, record.notes[2].centipawns, record.notes[2].mate) == (None, None, -3)
    assert record.notes[1].text == "fine"
    node = chess.pgn.Game().add_variation(chess.Move.from_uci("e2e4"), comment=record.notes[1].comment)
    evaluation = node.eval()
    assert node.clock() == record.notes[1].clock
    assert evaluation is not None
    assert evaluation.white().score() == record.notes[1].centipawns


def test_marks_symbols_and_comments_to_the_end_of_the_line_are_kept() -> None:
    record = read_one("1. e4! e5?! $14 ; book } move\n2. Nf3 +- Nc6 N 3. Bb5 e.p. = *")
    assert record.notes == {
        1: Note(nags=(1,)),
        2: Note("book ) move", (6, 14)),
        3: Note(nags=(18,)),
        4: Note(nags=(146,)),
        5: Note(nags=(10,)),
    }


def test_comments_before_and_after_variations_are_kept() -> None:
    record = read_one("{a} {b} 1. e4 {c} ({d} 1. d4 {e}) {f} (1. c4) 1... e5 ({only}) *")
    assert record.notes == {0: Note("a b"), 1: Note("c f"), 2: Note("only")}
    assert record.variations == {0: (Variation(("d2d4",), {0: Note("d"), 1: Note("e")}), Variation(("c2c4",)))}
    assert read_one(pgn.write([record])) == record


def test_checkers_games_keep_comments_nags_and_variations() -> None:
    record = read_one(PDN_TEXT, pdn)
    assert record.moves == ("11-15", "23-19", "8-11")
    assert record.notes == {1: Note("good; $1"), 2: Note(nags=(1,))}
    inner = Variation(("26x17",))
    notes = {1: Note("forced"), 2: Note("then"), 3: Note(nags=(5,))}
    assert record.variations == {1: (Variation(("22-18", "15x22", "25x18"), notes, {2: (inner,)}),)}
    assert read_one(pdn.write([record]), pdn) == record
    assert record_json.read(record_json.write(record)) == record


def test_a_capture_written_jump_by_jump_keeps_its_comments() -> None:
    text = '[FEN "B:W18,25:B15"]\n\n1. 15x22 {one} 22x29 {two} *'
    assert read_one(text, pdn).notes == {1: Note("one two")}


@pytest.mark.parametrize(
    ("module", "text", "moves", "warning"),
    [
        (pgn, "1. e4 e5 (1... c5 2. Ke9 d6 (2... d5) 3. d4) 2. Nf3 *", ("c7c5",), 'game 1, line 1: .*"Ke9" is not a'),
        (pgn, "1. e4 e5 (1... c5 2. Nd4) 2. Nf3 *", ("c7c5",), 'game 1, line 1: .*move "Nd4" is illegal'),
        (pgn, "1. e4 e5 (1... c5\n2. -- d6) 2. Nf3 *", ("c7c5",), "game 1, line 2: .*before '0000'"),
        (pdn, "1. 11-15 23-19 (1... 22-18 9-14) 2. 8-11 *", ("22-18",), "game 1, line 1: .*before '9-14'"),
        (pdn, "1. 11-15 23-19 (1... 22-18 x) 2. 8-11 *", ("22-18",), "game 1, line 1: .*got 'x'"),
    ],
)
def test_a_variation_is_cut_off_at_an_illegal_move_with_a_warning(
    module: Any, text: str, moves: tuple[str, ...], warning: str
) -> None:
    parsed = module.read(text)
    (record,) = parsed.records
    assert len(record.moves) == 3
    assert [one.moves for one in record.variations[1]] == [moves]
    (found,) = parsed.warnings
    assert re.search(warning, found)


def test_ignored_words_and_tags_are_reported() -> None:
    parsed = pgn.read('[Event "x"]\n[broken\n\n1. e4 @@ e5 *')
    assert parsed.warnings == (
        "line 2: '[broken' was ignored; a tag must be [Name \"value\"]",
        "line 4: '@@' was ignored",
    )


def test_a_variation_may_continue_after_a_draw_that_can_be_claimed() -> None:
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4"
    record = read_one(f"1. d4 ({shuffle}) *")
    assert record.game == "chess(draws=forced)"
    assert len(record.variations[0][0].moves) == 9


NESTED = "(1. e4 " * 100


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"1. e4 {NESTED}*", f"variations must be nested at most {MAX_DEPTH} deep"),
        ("1. e4 " + "(1. d4) " * (MAX_VARIATIONS + 1) + "*", f"at most {MAX_VARIATIONS} variations"),
        ("1. e4 {" + "x" * (MAX_COMMENT + 1) + "} *", f"at most {MAX_COMMENT} characters"),
        ("1. e4 " + "{" + "x" * (MAX_COMMENT // 2) + "} {" + "x" * (MAX_COMMENT // 2) + "} *", "comments on a move"),
        ("1. e4 $256 *", "a NAG must be from $0 to $255, got $256"),
        ("1. e4 " + "(1. Nf3 Nf6 2. Ng1 Ng8) " * (MAX_MOVES // 4) + "*", f"at most {MAX_MOVES} moves, including"),
    ],
)
def test_annotations_beyond_the_limits_are_rejected(text: str, reason: str) -> None:
    parsed = pgn.read(text)
    assert parsed.records == ()
    (failure,) = parsed.failed
    assert reason in failure.reason
    pdn_text = text.replace("1. e4", "1. 9-14").replace("1. d4", "1. 10-14").replace("Nf3 Nf6 2. Ng1 Ng8", "9-13 24-20")
    if "moves" not in reason:
        (failure,) = pdn.read(pdn_text).failed
        assert reason in failure.reason


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"notes": {4: Note("x")}}, "a key of notes must be between 0 and 3, got 4"),
        ({"notes": {1: Note()}}, "notes.1 must have a comment or NAGs"),
        ({"notes": {1: Note("a\nb")}}, "notes.1.comment must be one line"),
        ({"notes": {1: Note("a}b")}}, "without braces"),
        ({"notes": {1: Note(nags=(2, 1))}}, "notes.1.nags must be ascending numbers from 0 to 255"),
        ({"variations": {3: (Variation(("d2d4",)),)}}, "a key of variations must be from 0 to 2, got 3"),
        ({"variations": {0: (Variation(()),)}}, r"variations.0\[0\].moves must not be empty"),
        ({"variations": {0: (Variation(("e7e5",)),)}}, r"variations.0\[0\].moves\[0\]"),
        ({"variations": {0: (Variation(("d2d4",), {0: Note(nags=(1,))}),)}}, r"variations.0\[0\].notes.0.nags"),
    ],
)
def test_records_with_invalid_annotations_are_rejected(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ParseError, match=message):
        replace(ANNOTATED, **change).check()


def nested_data(depth: int) -> dict[str, Any]:
    data: dict[str, Any] = {"moves": ["e2e4"]}
    for _ in range(depth):
        data = {"moves": ["e2e4"], "variations": {"0": [data]}}
    return data


@pytest.mark.parametrize(
    "data",
    [
        {"notes": {"1": {"comment": 1}}},
        {"notes": {"01": {"comment": "x"}}},
        {"notes": {"1": {"nags": [256]}}},
        {"notes": {"1": {"text": "x"}}},
        {"variations": {"0": []}},
        {"variations": {"0": [{"moves": []}]}},
        {"variations": {"0": [nested_data(MAX_DEPTH)]}},
        {"variations": {"0": [nested_data(3000)]}},
    ],
    ids=range(8),
)
def test_json_with_invalid_annotations_is_rejected(data: dict[str, Any]) -> None:
    with pytest.raises(PlygroundError):
        record_json.from_data({"game": "chess", "moves": ["e2e4"], **data})


def test_records_without_annotations_are_written_as_before() -> None:
    data = record_json.to_data(Record("chess", ("e2e4",)))
    assert data.keys().isdisjoint({"notes", "variations"})
    assert record_json.from_data(data) == Record("chess", ("e2e4",))
