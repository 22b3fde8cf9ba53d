"""Published counts of positions and games, and the perft files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

import plyground
from plyground import Outcome, Position
from rules.plain_board import PlainBoard, count_sequences, empty_board

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
    result = []
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
            result.append(entry)
    return result


@pytest.mark.parametrize("name", sorted(path.name for path in PERFT.glob("*.perft")))
def test_perft_agrees_with_the_perft_files(name: str) -> None:
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
def test_plain_python_agrees_with_the_perft_files(entry: Entry) -> None:
    board = plain_board(entry)
    for depth, nodes in entry.counts:
        assert count_sequences(board, depth) == nodes
    count_sequences.cache_clear()


def test_connect4_has_the_published_number_of_positions_at_each_ply() -> None:
    counts = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]
    start = plyground.game("connect4").start()
    level = {start.key: start}
    for ply, count in enumerate(counts):
        if ply > 0:
            children = (position.play(move) for position in level.values() for move in position.moves)
            level = {child.key: child for child in children}
        assert len(level) == count


def test_tictactoe_has_the_published_numbers_of_games_and_positions() -> None:
    start = plyground.game("tictactoe").start()
    outcomes: Counter[Outcome] = Counter()
    by_ply: Counter[int] = Counter()
    seen: set[Position] = set()

    def visit(position: Position) -> None:
        seen.add(position)
        by_ply[position.ply] += 1
        if position.outcome is not None:
            outcomes[position.outcome] += 1
        for move in position.moves:
            visit(position.play(move))

    visit(start)
    assert outcomes == {
        Outcome("x", "line"): 131_184,
        Outcome("o", "line"): 77_904,
        Outcome(None, "full board"): 46_080,
    }
    assert sum(outcomes.values()) == 255_168
    assert len(seen) == 5_478
    assert len({canonical_text(position.text) for position in seen}) == 765
    expected = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
    assert [by_ply[ply] for ply in range(10)] == expected


def canonical_text(text: str) -> str:
    """Return the lexicographically smallest of the eight rotations and reflections."""
    rows, images = text.split("/"), []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        images += ["/".join(rows), "/".join(row[::-1] for row in rows)]
    return min(images)


def test_checkers_playouts_have_the_expected_length_and_results() -> None:
    # With 100,000 games, the standard errors are 0.1 plies and 0.16 percentage points.
    results = plyground.game("checkers").start().playouts(100_000, seed=1)
    assert results.plies / 100_000 == pytest.approx(70.6, abs=0.6)
    assert results.first_wins / 1000 == pytest.approx(48.9, abs=0.6)
    assert results.second_wins / 1000 == pytest.approx(50.6, abs=0.6)
    assert results.draws / 1000 == pytest.approx(0.5, abs=0.15)
