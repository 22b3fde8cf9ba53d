"""The `solver` agent and the Perfect level."""

from __future__ import annotations

import pytest

import plyground
from exact.positions import random_position
from plyground import ParseError, Rng
from plyground.agents import Limit, agent
from plyground.levels import level, player


def test_every_move_has_a_proven_value_and_distance() -> None:
    position = plyground.game("connect4").position("4455")
    analysis = agent("solver").analyse(position, Limit(), seed=0)
    assert analysis.best.move in ("3", "6")
    assert (analysis.value, analysis.proven, analysis.distance) == (1.0, "win", 3)
    assert [move.proven for move in analysis.moves].count(None) == 0
    assert sum(move.share for move in analysis.moves) == pytest.approx(1)


def test_never_does_worse_than_its_analysis() -> None:
    perfect = agent("solver")
    rng = Rng(6)
    for plies in (18, 20, 22, 25):
        position = random_position("connect4", plies, rng)
        predicted = perfect.analyse(position, Limit(), seed=1)
        side, played = position.turn, 0
        while position.outcome is None:
            if position.turn == side:
                position = position.play(perfect.analyse(position, Limit(), seed=played).best.move)
            else:
                position = position.play_random(rng)
            played += 1
        winner = position.outcome.winner
        if predicted.proven == "win":
            assert predicted.distance is not None
            assert winner == side
            assert played <= predicted.distance
        elif predicted.proven == "draw":
            assert winner in (side, None)


def test_perfect_players_draw_tictactoe_with_any_seed() -> None:
    perfect = player("tictactoe", "Perfect")
    for seed in range(5):
        position = plyground.game("tictactoe").start()
        while position.outcome is None:
            position = position.play(perfect.analyse(position, Limit(), seed=seed).best.move)
        assert position.outcome.winner is None


def test_proves_nothing_if_time_runs_out() -> None:
    analysis = agent("solver(book=false)").analyse(plyground.game("connect4").start(), Limit(seconds=0.05), seed=0)
    assert analysis.proven is None
    assert len(analysis.moves) == 7


def test_the_level_exists_for_solved_games_only() -> None:
    assert level("connect4", "perfect").spec == level("tictactoe", "perfect").spec == "solver"
    with pytest.raises(plyground.PlygroundError):
        level("chess", "perfect")
    with pytest.raises(ParseError, match="no solver for chess"):
        agent("solver").analyse(plyground.game("chess").start(), Limit(), seed=0)
