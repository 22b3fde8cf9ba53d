"""Opening decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from plyground import ParseError, UnknownNameError, game
from plyground._engine import Solver
from plyground.agents import agent
from plyground.arena.openings import openings, parse_deck, shipped, shuffled
from plyground.arena.openings_make import BARRED, DeckSettings, default_settings, make_deck, value_first

CHECKERS = game("checkers")


def three_ply_sequences() -> list[tuple[str, ...]]:
    level = [CHECKERS.start()]
    for _ in range(3):
        level = [position.play(move) for position in level for move in position.moves]
    return [tuple(position.history) for position in level]


def test_the_checkers_deck_is_the_three_move_ballot() -> None:
    sequences = three_ply_sequences()
    positions = {CHECKERS.position(moves=moves) for moves in sequences}
    assert (len(sequences), len(positions)) == (302, 216)
    barred = {CHECKERS.position(moves=line.split()) for line in BARRED["checkers"].split(",")}
    settings = default_settings(CHECKERS)
    evaluator = agent(settings.agent)
    even = {position for position in positions if abs(value_first(position, evaluator) - 0.5) <= settings.margin}
    assert (len(even), len(barred)) == (174, 18)
    assert barred < even
    deck = [CHECKERS.position(moves=moves) for moves in openings(CHECKERS, "deck")]
    assert len(deck) == 156
    assert set(deck) == even - barred


def test_checkers_openings_are_still_balanced_at_depth_9() -> None:
    for moves in openings(CHECKERS)[::8]:
        assert abs(value_first(CHECKERS.position(moves=moves), agent("alphabeta(depth=9)")) - 0.5) < 0.07


@pytest.mark.parametrize("name", shipped())
def test_the_shipped_deck_is_reproducible(name: str) -> None:
    assert make_deck(game(name), default_settings(game(name))) == openings(game(name))


@pytest.mark.parametrize("name", shipped())
def test_openings_lead_to_different_unfinished_positions(name: str) -> None:
    deck = openings(game(name))
    positions = {game(name).position(moves=moves) for moves in deck}
    assert len(positions) == len(deck) >= 24
    assert {len(moves) for moves in deck} == {default_settings(game(name)).plies}


def test_connect4_openings_are_draws() -> None:
    deck = openings(game("connect4"))
    assert len(deck) == 500
    solver = Solver(game("connect4"))
    for moves in deck[::12]:
        solved = solver.solve(game("connect4").position(moves=moves))
        assert solved is not None
        assert solved["score"] == 0


def test_tictactoe_openings_are_draws() -> None:
    for moves in openings(game("tictactoe")):
        assert value_first(game("tictactoe").position(moves=moves), agent("alphabeta(depth=9)")) == 0.5


def test_the_same_seed_gives_the_same_deck() -> None:
    settings = DeckSettings(plies=8, count=5, agent="alphabeta(depth=2)", margin=0.2, seed=3)
    assert make_deck(CHECKERS, settings) == make_deck(CHECKERS, settings)
    assert make_deck(CHECKERS, settings) != make_deck(CHECKERS, replace(settings, seed=4))


def test_impossible_deck_settings_are_an_error() -> None:
    with pytest.raises(ParseError, match=r"with plies=1 has a value within 0 of 0\.5"):
        make_deck(game("tictactoe(rows=3, columns=4)"), DeckSettings(plies=1, agent="alphabeta(depth=9)", margin=0.0))
    with pytest.raises(ParseError, match="random does not evaluate positions"):
        make_deck(game("tictactoe"), DeckSettings(agent="random"))
    with pytest.raises(ParseError, match="plies must be between 1 and 100, got 0"):
        DeckSettings(plies=0)


def test_decks_are_found_by_name_or_file(tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("# mine\n11-15 23-19  # Cross\n\n9-14\n")
    assert openings(CHECKERS, str(file)) == [("11-15", "23-19"), ("9-14",)]
    assert openings(CHECKERS, "start") == [()]
    assert openings(game("connect4(columns=8)")) == [()]
    with pytest.raises(UnknownNameError, match="games with a deck: checkers, chess"):
        openings(game("connect4(columns=8)"), "deck")
    with pytest.raises(ParseError, match="start, deck or a file"):
        openings(CHECKERS, str(tmp_path / "nothing.txt"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("11-15\n11-15 11-15", "line 2"),
        ("", "no openings found"),
        ("# only a comment", "no openings found"),
        ("\0", "line 1"),
    ],
)
def test_errors_in_decks_name_the_line(text: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        parse_deck(CHECKERS, text, "deck.txt")
    with pytest.raises(ParseError, match="over after this"):
        parse_deck(game("tictactoe"), "a1 a2 b1 b2 c1", "deck.txt")


def test_chess_openings_are_distinct_positions_according_to_python_chess() -> None:
    deck = openings(game("chess"))
    assert len(deck) == 500
    placements = set()
    for moves in deck:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        placements.add(board.epd())
    assert len(placements) == len(deck)


def test_no_connect4_opening_is_the_mirror_image_of_another() -> None:
    deck = openings(game("connect4"))
    mirrored = [[str(8 - int(move)) for move in moves] for moves in deck]
    positions = {game("connect4").position(moves=moves) for moves in deck}
    images = {game("connect4").position(moves=moves) for moves in mirrored}
    symmetric = [moves for moves, image in zip(deck, mirrored, strict=True) if same_position(moves, image)]
    assert len(positions & images) == len(symmetric)


def same_position(moves: Sequence[str], other: Sequence[str]) -> bool:
    return game("connect4").position(moves=moves) == game("connect4").position(moves=other)


def test_a_short_match_takes_its_openings_from_the_whole_deck() -> None:
    deck = openings(game("chess"))
    indices = sorted(deck.index(opening) for opening in shuffled(deck, seed=1)[:20])
    assert indices[0] < len(deck) / 4
    assert indices[-1] > len(deck) * 3 / 4


def test_shuffling_keeps_every_opening() -> None:
    deck = openings(CHECKERS)
    assert sorted(shuffled(deck, 1)) == sorted(deck)
    assert shuffled(deck, 1) == shuffled(deck, 1) != shuffled(deck, 2)
