"""Names of chess openings."""

from __future__ import annotations

import csv
import runpy
from pathlib import Path

import chess
import pytest

from plyground import game, opening_names
from plyground.opening_names import MAX_PLIES, Opening, decode, encode, opening_at, opening_of
from plyground.records import Record
from plyground.records.pgn import read, write

ROOT = Path(__file__).parents[1]
NAJDORF = ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"]


def test_openings_are_named_by_position_whatever_the_order_of_moves() -> None:
    transposed = ["Nf3", "c5", "e4", "d6", "Nc3", "Nf6", "d4", "cxd4", "Nxd4", "a6"]
    named = Opening("B90", "Sicilian Defense: Najdorf Variation")
    assert opening_of("chess", None, NAJDORF) == opening_of("chess", None, transposed) == named


def test_the_last_named_position_names_the_game() -> None:
    moves = [*NAJDORF, "h3", "h5"]
    assert opening_at(game("chess").position(None, moves)) is None
    assert opening_of("chess(draws=forced)", None, moves) == Opening(
        "B90", "Sicilian Defense: Najdorf Variation, Adams Attack"
    )


def test_other_games_and_unknown_positions_have_no_opening() -> None:
    assert opening_of("checkers", None, ["11-15"]) is None
    assert opening_of("chess", None, []) is None
    assert opening_of("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ["e4"]) is None


def test_every_name_is_plausible_and_the_file_is_small() -> None:
    data = Path(opening_names.__file__).with_suffix(".bin").read_bytes()
    openings = decode(data)
    assert len(openings) == 3807
    assert len(data) < 100_000
    assert decode(encode(openings)) == openings
    for opening in openings.values():
        assert opening.eco[0] in "ABCDE"
        assert opening.eco[1:].isdigit()
        assert opening.name == opening.name.strip() != ""


def test_the_tables_are_compiled_by_position(tmp_path: Path) -> None:
    rows = [
        ("A00", "Van Geet Opening: Nowokunski Gambit", "1. Nc3 e5 2. f4 exf4 3. e4"),
        ("C33", "King's Gambit Accepted: Mason-Keres Gambit", "1. e4 e5 2. f4 exf4 3. Nc3"),
    ]
    with tmp_path.joinpath("a.tsv").open("w", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([("eco", "name", "pgn"), *rows])
    compiled = runpy.run_path(str(ROOT / "tools/compile_openings.py"))["compile_folder"](tmp_path)
    # A capture en passant is possible in only one of the two positions.
    assert set(compiled.values()) == {Opening(eco, name) for eco, name, _ in rows}
    assert encode(compiled) == encode(dict(reversed(compiled.items())))


def test_names_are_looked_up_only_near_the_start() -> None:
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"] * (MAX_PLIES // 4)
    assert opening_of("chess(draws=forced)", None, shuffle[:4]) is not None
    position = game("chess(draws=forced)").position(None, shuffle[:12])
    assert opening_at(position) is None


@pytest.mark.parametrize(
    ("moves", "tags"),
    [
        (NAJDORF, {"ECO": "B90", "Opening": "Sicilian Defense", "Variation": "Najdorf Variation"}),
        (["Nf3"], {"ECO": "A04", "Opening": "Zukertort Opening"}),
    ],
)
def test_pgn_files_name_the_opening_and_reading_them_gives_the_same_record(
    moves: list[str], tags: dict[str, str]
) -> None:
    record = Record.from_position(game("chess").position(None, moves), {})
    text = write([record])
    assert [line for line in text.split("\n") if line.split(" ")[0] in ("[ECO", "[Opening", "[Variation")] == [
        f'[{name} "{value}"]' for name, value in tags.items()
    ]
    assert read(text).records == (record,)


def test_opening_tags_of_a_file_are_kept() -> None:
    text = '[ECO "B99"]\n[Opening "My line"]\n\n1. e4 *\n'
    (record,) = read(text).records
    assert record.headers == {"ECO": "B99", "Opening": "My line"}
    assert read(write([record])).records == (record,)


def test_positions_agree_with_python_chess() -> None:
    board = chess.Board()
    for move in NAJDORF:
        board.push_san(move)
    position = game("chess").position(None, NAJDORF)
    assert " ".join(position.text.split()[:4]) == board.epd(en_passant="legal")
