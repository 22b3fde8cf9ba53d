"""Plain flat Monte Carlo."""

from __future__ import annotations

import pytest

from plyground import GameOverError, Rng, game
from plyground.plain import Score, flat
from plyground.plain.flat import best


def test_a_win_scores_plus_one_and_everything_else_minus_one() -> None:
    score = Score("4", wins=5, draws=2, losses=3)
    assert (score.playouts, score.sum, score.mean) == (10, 0, 0.6)


def test_every_move_gets_its_playouts() -> None:
    position = game("checkers").start()
    scores = flat(position, Rng(1), playouts=20)
    assert [score.move for score in scores] == position.moves
    assert {score.playouts for score in scores} == {20}


def test_prefers_the_winning_move() -> None:
    scores = flat(game("tictactoe").position("xx./oo./..."), Rng(1))
    assert (best(scores).move, best(scores).sum) == ("c3", 100)


def test_draws_beat_losses_and_the_first_move_wins_ties() -> None:
    assert best([Score("a", losses=3), Score("b", losses=3)]).move == "a"
    assert best([Score("a", losses=3), Score("b", draws=3)]).move == "b"


def test_the_same_seed_gives_the_same_scores() -> None:
    start = game("connect4").start()
    assert flat(start, Rng(1)) == flat(start, Rng(1)) != flat(start, Rng(2))


def test_a_finished_game_is_rejected() -> None:
    with pytest.raises(GameOverError, match="no moves"):
        flat(game("checkers").position("W:W32:B23,27,28,24"), Rng(1))
