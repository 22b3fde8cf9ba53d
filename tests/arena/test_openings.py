"""Decks of openings."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground import ParseError, UnknownNameError, game
from plyground._engine import Solver
from plyground.agents import agent
from plyground.arena.openings import openings, parse_deck, shipped, shuffled
from plyground.arena.openings_make import BARRED, Recipe, make, recipe, value_first

CHECKERS = game("checkers")


def three_plies() -> list[tuple[str, ...]]:
    level = [CHECKERS.start()]
    for _ in range(3):
        level = [position.play(move) for position in level for move in position.moves]
    return [tuple(position.history) for position in level]


def test_the_ballot_of_checkers_is_174_less_the_18_barred() -> None:
    sequences = three_plies()
    positions = {CHECKERS.position(moves=moves) for moves in sequences}
    assert (len(sequences), len(positions)) == (302, 216)
    barred = {CHECKERS.position(moves=line.split()) for line in BARRED["checkers"].split(",")}
    judge = agent(recipe(CHECKERS).agent)
    even = {one for one in positions if abs(value_first(one, judge) - 0.5) <= recipe(CHECKERS).margin}
    assert (len(even), len(barred)) == (174, 18)
    assert barred < even
    deck = [CHECKERS.position(moves=moves) for moves in openings(CHECKERS, "deck")]
    assert len(deck) == 156
    assert set(deck) == even - barred


def test_no_opening_of_checkers_loses_a_man_also_when_searched_deeper() -> None:
    for moves in openings(CHECKERS)[::8]:
        assert abs(value_first(CHECKERS.position(moves=moves), agent("alphabeta(depth=9)")) - 0.5) < 0.07


@pytest.mark.parametrize("name", ["checkers", "tictactoe"])
def test_the_deck_is_what_its_recipe_makes(name: str) -> None:
    assert make(game(name), recipe(game(name))) == openings(game(name))


@pytest.mark.parametrize("name", shipped())
def test_decks_have_different_unfinished_positions(name: str) -> None:
    deck = openings(game(name))
    positions = {game(name).position(moves=moves) for moves in deck}
    assert len(positions) == len(deck) >= 24
    assert {len(moves) for moves in deck} == {recipe(game(name)).plies}


def test_openings_of_connect4_are_draws() -> None:
    deck = openings(game("connect4"))
    assert len(deck) == 100
    solver = Solver(game("connect4"))
    for moves in deck[::12]:
        solved = solver.solve(game("connect4").position(moves=moves))
        assert solved is not None
        assert solved["score"] == 0


def test_every_opening_of_tictactoe_is_a_draw() -> None:
    for moves in openings(game("tictactoe")):
        assert value_first(game("tictactoe").position(moves=moves), agent("alphabeta(depth=9)")) == 0.5


def test_a_deck_of_many_plies_is_drawn_from_the_seed() -> None:
    by = Recipe(plies=8, count=5, agent="alphabeta(depth=2)", margin=0.2, seed=3)
    assert make(CHECKERS, by) == make(CHECKERS, by)
    assert make(CHECKERS, by) != make(CHECKERS, Recipe(**{**vars(by), "seed": 4}))


def test_openings_that_cannot_be_made_are_an_error() -> None:
    with pytest.raises(ParseError, match="of even"):
        make(game("tictactoe(rows=3, columns=4)"), Recipe(plies=1, agent="alphabeta(depth=9)", margin=0.0))
    with pytest.raises(ParseError, match="has no opinion"):
        make(game("tictactoe"), Recipe(agent="random"))
    with pytest.raises(ParseError, match="plies from 1 to 100"):
        Recipe(plies=0)


def test_words_and_files_name_decks(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("# mine\n11-15 23-19  # Cross\n\n9-14\n")
    assert openings(CHECKERS, str(own)) == [("11-15", "23-19"), ("9-14",)]
    assert openings(CHECKERS, "start") == [()]
    assert openings(game("connect4(columns=8)")) == [()]
    with pytest.raises(UnknownNameError, match="these have one: checkers, chess"):
        openings(game("connect4(columns=8)"), "deck")
    with pytest.raises(ParseError, match="start, deck or a file"):
        openings(CHECKERS, str(tmp_path / "nothing.txt"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("11-15\n11-15 11-15", "line 2"),
        ("", "no opening"),
        ("# only a remark", "no opening"),
        ("\0", "line 1"),
    ],
)
def test_broken_decks_are_told_by_line(text: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        parse_deck(CHECKERS, text, "own.txt")
    with pytest.raises(ParseError, match="over after this"):
        parse_deck(game("tictactoe"), "a1 a2 b1 b2 c1", "own.txt")


def test_shuffling_keeps_every_opening() -> None:
    deck = openings(CHECKERS)
    assert sorted(shuffled(deck, 1)) == sorted(deck)
    assert shuffled(deck, 1) == shuffled(deck, 1) != shuffled(deck, 2)
