"""Saved search trees."""

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
def test_a_loaded_tree_continues_like_the_saved_one(tmp_path: Path, name: str, options: dict[str, str]) -> None:
    start = plyground.game(name).start()
    position = start.play(start.moves[0])
    saved = MctsAgent(reuse="true", **options)
    saved.analyse(start, Limit(simulations=1000), seed=1)
    saved.analyse(position, Limit(simulations=1000), seed=1)
    saved.save_tree(tmp_path / "tree")
    loaded = MctsAgent(reuse="true", **options)
    assert loaded.load_tree(tmp_path / "tree") == position
    expected, actual = (each.analyse(position, Limit(simulations=500), seed=2) for each in (saved, loaded))
    assert actual.moves == expected.moves
    assert actual.nodes == expected.nodes


def test_a_file_that_does_not_match_the_agent_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "tree"
    with pytest.raises(ParseError, match="no tree to save"):
        MctsAgent().save_tree(path)
    player = MctsAgent()
    player.analyse(plyground.game("connect4").start(), Limit(simulations=50_000), seed=1)
    player.save_tree(path)
    with pytest.raises(ParseError, match="saved with no options; the search options must be the same"):
        MctsAgent(c="2").load_tree(path)
    with pytest.raises(ParseError, match="but the limit is 1"):
        MctsAgent(mebibytes="1").load_tree(path)
    with pytest.raises(ParseError, match="No such file"):
        MctsAgent().load_tree(tmp_path / "none")
    with pytest.raises(ParseError, match="not a search tree"):
        MctsAgent().load_tree(Path(__file__))


def test_a_corrupted_file_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "tree"
    player = MctsAgent()
    player.analyse(plyground.game("checkers").start(), Limit(simulations=2000), seed=1)
    player.save_tree(path)
    intact = path.read_bytes()
    rng = random.Random(1)
    rejected = 0
    for _ in range(200):
        corrupted = bytearray(intact)
        corrupted[rng.randrange(len(corrupted))] ^= 1 << rng.randrange(8)
        path.write_bytes(corrupted[: rng.randrange(len(corrupted))] if rng.random() < 0.2 else corrupted)
        try:
            MctsAgent().load_tree(path)
        except plyground.PlygroundError:
            rejected += 1
    # A change to insignificant whitespace or unused bits in the header may go unnoticed.
    assert rejected > 190


def test_restoring_arbitrary_bytes_never_creates_an_invalid_tree() -> None:
    """`restore` verifies no checksum, but every tree it accepts can be searched."""
    start = plyground.game("checkers").start()
    search = Search(start)
    search.run(simulations=300, seed=1)
    intact = search.dump()
    rng = random.Random(2)
    accepted = 0
    for _ in range(500):
        corrupted = bytearray(intact)
        for _ in range(rng.randrange(1, 4)):
            corrupted[rng.randrange(len(corrupted))] = rng.randrange(256)
        other = Search(start)
        try:
            other.restore(bytes(corrupted))
            accepted += 1
        except ParseError:
            assert len(other.top_nodes(10)) == 1
        assert other.run(simulations=200, seed=1)["simulations"] <= 200
    assert accepted < 400
    for size in (0, 3, 4, len(intact) - 1):
        with pytest.raises(ParseError, match=r"data is truncated|exceed the capacity"):
            Search(start).restore(intact[:size])
    with pytest.raises(ParseError, match="extra data at the end"):
        Search(start).restore(intact + b"x")
    with pytest.raises(ParseError, match="not its legal moves"):
        Search(plyground.game("checkers").position(moves=["11-15"])).restore(intact)
