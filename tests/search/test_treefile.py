"""Trees kept in files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import plyground
from plyground import ParseError
from plyground._engine import Search
from plyground.agents import Limit
from plyground.agents.mcts import MctsAgent

GAMES = [game.id for game in plyground.games()]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", [{}, {"rave": "0.001"}, {"transpositions": "true"}, {"workers": "2"}])
def test_a_loaded_tree_goes_on_as_the_saved_one_would(tmp_path: Path, name: str, options: dict[str, str]) -> None:
    start = plyground.game(name).start()
    position = start.play(start.moves[0])
    saved = MctsAgent(reuse="true", **options)
    saved.analyse(start, Limit(simulations=1000), seed=1)
    saved.analyse(position, Limit(simulations=1000), seed=1)
    saved.save_tree(tmp_path / "tree")
    loaded = MctsAgent(reuse="true", **options)
    assert loaded.load_tree(tmp_path / "tree") == position
    one, other = (each.analyse(position, Limit(simulations=500), seed=2) for each in (saved, loaded))
    assert one.moves == other.moves
    assert one.nodes == other.nodes


def test_a_saved_file_is_refused_where_it_does_not_belong(tmp_path: Path) -> None:
    path = tmp_path / "tree"
    with pytest.raises(ParseError, match="no tree to save"):
        MctsAgent().save_tree(path)
    keeper = MctsAgent()
    keeper.analyse(plyground.game("connect4").start(), Limit(simulations=50_000), seed=1)
    keeper.save_tree(path)
    with pytest.raises(ParseError, match="its search had no options"):
        MctsAgent(c="2").load_tree(path)
    with pytest.raises(ParseError, match="accepted is at most 1"):
        MctsAgent(mebibytes="1").load_tree(path)
    with pytest.raises(ParseError, match="No such file"):
        MctsAgent().load_tree(tmp_path / "none")
    with pytest.raises(ParseError, match="no tree of a search"):
        MctsAgent().load_tree(Path(__file__))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tree"
    keeper = MctsAgent()
    keeper.analyse(plyground.game("checkers").start(), Limit(simulations=2000), seed=1)
    keeper.save_tree(path)
    whole = path.read_bytes()
    rng = random.Random(1)
    refused = 0
    for _ in range(200):
        broken = bytearray(whole)
        broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        path.write_bytes(broken[: rng.randrange(len(broken))] if rng.random() < 0.2 else broken)
        try:
            MctsAgent().load_tree(path)
        except plyground.PlygroundError:
            refused += 1
    # A header that only spells something differently may still be right.
    assert refused > 190


def test_no_bytes_make_a_tree_that_breaks_the_rules() -> None:
    """Bytes that pass no checksum: whatever is accepted can be searched on."""
    start = plyground.game("checkers").start()
    search = Search(start)
    search.run(simulations=300, seed=1)
    whole = search.dump()
    rng = random.Random(2)
    accepted = 0
    for _ in range(500):
        broken = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        other = Search(start)
        try:
            other.restore(bytes(broken))
            accepted += 1
        except ParseError:
            assert len(other.top(10)) == 1
        assert other.run(simulations=200, seed=1)["simulations"] <= 200
    assert accepted < 400
    for size in (0, 3, 4, len(whole) - 1):
        with pytest.raises(ParseError, match=r"ends too early|do not fit"):
            Search(start).restore(whole[:size])
    with pytest.raises(ParseError, match="follows its end"):
        Search(start).restore(whole + b"x")
    with pytest.raises(ParseError, match="not the legal moves"):
        Search(plyground.game("checkers").position(moves=["11-15"])).restore(whole)
