"""Numbers that are known of the games: positions, games, and the move sequences of the perft files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

import plyground
from plyground import Outcome, Position
from rules.plain_lines import PlainBoard, empty_board, sequences

PERFT = Path(__file__).parent / "perft"
PLAIN_FILES = ("connect4-sizes.perft", "tictactoe-sizes.perft")


@dataclass
class Entry:
    """One paragraph of a perft file."""

    id: str = ""
    game: str = ""
    text: str | None = None
    counts: list[tuple[int, int]] = field(default_factory=list)


def entries(name: str) -> list[Entry]:
    found = []
    for paragraph in (PERFT / name).read_text().split("\n\n"):
        entry = Entry()
        for line in paragraph.splitlines():
            key, _, value = line.partition(" ")
            if key == "perft":
                depth, nodes = value.split()
                entry.counts.append((int(depth), int(nodes)))
            elif key and key != "#":
                setattr(entry, key, value)
        if entry.id:
            found.append(entry)
    return found


@pytest.mark.parametrize("name", sorted(path.name for path in PERFT.glob("*.perft")))
def test_the_python_face_counts_as_the_perft_files_say(name: str) -> None:
    for entry in entries(name):
        position = plyground.game(entry.game).position(entry.text)
        for depth, nodes in entry.counts:
            if nodes < 1_000_000:
                assert position.perft(depth) == nodes
                assert sum(part for _, part in position.divide(depth)) == nodes


def plain_board(entry: Entry) -> PlainBoard:
    game, spec = plyground.game(entry.game), entry.game
    defaults = {name: int(default) for name, (default, _) in game.options.items()}
    chosen = dict(option.split("=") for option in spec.partition("(")[2].rstrip(")").split(", "))
    size = {**defaults, **{name: int(value) for name, value in chosen.items()}}
    board = empty_board(**size, drops=game.id == "connect4", letters="".join(game.pieces))
    return board if entry.text is None else replace(board, rows=tuple(entry.text.split("/")))


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=f"{entry.game.partition('(')[0]}-{entry.id}")
        for name in PLAIN_FILES
        for entry in entries(name)
    ],
)
def test_a_plain_program_counts_as_the_perft_files_say(entry: Entry) -> None:
    board = plain_board(entry)
    for depth, nodes in entry.counts:
        assert sequences(board, depth) == nodes
    sequences.cache_clear()


def test_connect4_has_the_known_number_of_positions_after_each_ply() -> None:
    known = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]
    start = plyground.game("connect4").start()
    level = {start.key: start}
    for ply, count in enumerate(known):
        if ply > 0:
            children = (position.play(move) for position in level.values() for move in position.moves)
            level = {child.key: child for child in children}
        assert len(level) == count


def test_tictactoe_has_the_known_games_and_positions() -> None:
    start = plyground.game("tictactoe").start()
    endings: Counter[Outcome] = Counter()
    by_ply: Counter[int] = Counter()
    seen: set[Position] = set()

    def walk(position: Position) -> None:
        seen.add(position)
        by_ply[position.ply] += 1
        if position.outcome is not None:
            endings[position.outcome] += 1
        for move in position.moves:
            walk(position.play(move))

    walk(start)
    assert endings == {
        Outcome("x", "line"): 131_184,
        Outcome("o", "line"): 77_904,
        Outcome(None, "full board"): 46_080,
    }
    assert sum(endings.values()) == 255_168
    assert len(seen) == 5_478
    assert len({smallest_image(position.text) for position in seen}) == 765
    assert [by_ply[ply] for ply in range(10)] == [
        1,
        9,
        72,
        504,
        3_024,
        15_120,
        54_720,
        148_176,
        200_448,
        127_872,
    ]


def smallest_image(text: str) -> str:
    """The first in the alphabet of the eight turned and mirrored boards."""
    rows, images = text.split("/"), []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        images += ["/".join(rows), "/".join(row[::-1] for row in rows)]
    return min(images)


def test_checkers_playouts_go_as_known() -> None:
    # About 70.6 plies; black 48.9 %, white 50.6 %, draws 0.5 %. Standard errors at 100,000 games: 0.1 plies, 0.16 %.
    tally = plyground.game("checkers").start().playouts(100_000, seed=1)
    assert tally.plies / 100_000 == pytest.approx(70.6, abs=0.6)
    assert tally.first / 1000 == pytest.approx(48.9, abs=0.6)
    assert tally.second / 1000 == pytest.approx(50.6, abs=0.6)
    assert tally.draws / 1000 == pytest.approx(0.5, abs=0.15)
