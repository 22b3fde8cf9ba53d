"""The agent `solver` and the level Perfect."""

from __future__ import annotations

import pytest

import plyground
from exact.positions import random_position
from plyground import ParseError, Rng
from plyground.agents import Limit, agent
from plyground.levels import level, player


def test_every_move_has_its_certain_value_and_distance() -> None:
    position = plyground.game("connect4").position("4455")
    analysis = agent("solver").analyse(position, Limit(), seed=0)
    assert analysis.best.move in ("3", "6")
    assert (analysis.value, analysis.known, analysis.distance) == (1.0, "win", 3)
    assert [move.known for move in analysis.moves].count(None) == 0
    assert sum(move.share for move in analysis.moves) == pytest.approx(1)


def test_it_never_does_worse_than_its_analysis() -> None:
    perfect = agent("solver")
    rng = Rng(6)
    for plies in (18, 20, 22, 25):
        position = random_position("connect4", plies, rng)
        promised = perfect.analyse(position, Limit(), seed=1)
        side, played = position.turn, 0
        while position.outcome is None:
            if position.turn == side:
                position = position.play(perfect.analyse(position, Limit(), seed=played).best.move)
            else:
                position = position.play_random(rng)
            played += 1
        winner = position.outcome.winner
        if promised.known == "win":
            assert promised.distance is not None
            assert winner == side
            assert played <= promised.distance
        elif promised.known == "draw":
            assert winner in (side, None)


def test_perfect_players_draw_tictactoe_whatever_the_seed() -> None:
    perfect = player("tictactoe", "Perfect")
    for seed in range(5):
        position = plyground.game("tictactoe").start()
        while position.outcome is None:
            position = position.play(perfect.analyse(position, Limit(), seed=seed).best.move)
        assert position.outcome.winner is None


def test_time_over_leaves_an_honest_shrug() -> None:
    analysis = agent("solver(book=false)").analyse(plyground.game("connect4").start(), Limit(seconds=0.05), seed=0)
    assert analysis.known is None
    assert len(analysis.moves) == 7


def test_the_level_is_for_the_solved_games_only() -> None:
    assert level("connect4", "perfect").spec == level("tictactoe", "perfect").spec == "solver"
    with pytest.raises(plyground.PlygroundError):
        level("chess", "perfect")
    with pytest.raises(ParseError, match="no solver for chess"):
        agent("solver").analyse(plyground.game("chess").start(), Limit(), seed=0)
