"""The exact solver for m,n,k-games (tic-tac-toe boards)."""

from __future__ import annotations

import pytest

import plyground
from exact.positions import plain_score, random_position
from plyground import ParseError, Rng
from plyground.exact import Solver, solve_many


def test_tictactoe_is_a_draw_from_every_first_move() -> None:
    solution = Solver("tictactoe").solve_moves(plyground.game("tictactoe").start())
    assert (solution.score, solution.distance) == (0, 9)
    assert [move.score for move in solution.moves] == [0] * 9


@pytest.mark.parametrize(
    ("spec", "wins"),
    [
        ("tictactoe(rows=3, columns=4)", True),
        ("tictactoe(rows=4, columns=4)", True),
        ("tictactoe(rows=4, columns=4, line=4)", False),
        ("tictactoe(rows=2, columns=8, line=3)", False),
    ],
)
def test_small_boards_have_the_known_winner(spec: str, wins: bool) -> None:
    assert (Solver(spec).solve(plyground.game(spec).start()).score > 0) == wins


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe(rows=3, columns=4)", "tictactoe(rows=2, columns=5, line=3)"])
def test_equals_plain_negamax(spec: str) -> None:
    solver = Solver(spec)
    rng = Rng(1)
    for plies in range(2, 7):
        for _ in range(10):
            position = random_position(spec, plies, rng)
            assert solver.solve_moves(position).score == plain_score(position), position


def test_a_board_that_is_too_large_is_rejected() -> None:
    with pytest.raises(ParseError, match="25 cells; the solver supports at most 16"):
        Solver("tictactoe(rows=5, columns=5)")


def test_many_games_are_solved_in_order() -> None:
    scores = [solution.score for solution in solve_many(["b2 a2", "", "a1 b1", "a1 b1 b2"], "tictactoe")]
    # After a wrong reply, the first side wins with the fourth of its five marks, which leaves one.
    assert scores == [2, 0, 2, -2]
