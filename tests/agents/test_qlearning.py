"""The agent that plays by learned Q-values."""

from __future__ import annotations

import pytest

from exhaustive import loses_no_line
from plyground import game
from plyground.agents import Limit, agent

IDS = ["checkers", "connect4", "tictactoe", "chess"]


@pytest.mark.parametrize("name", IDS)
def test_every_game_has_q_values_for_each_legal_move(name: str) -> None:
    position = game(name).start()
    analysis = agent("qlearning").analyse(position, Limit(), seed=4)
    assert [move.move for move in analysis.moves] == position.moves
    assert sum(move.share for move in analysis.moves) == pytest.approx(1)
    values = [move.value for move in analysis.moves if move.value is not None]
    assert len(values) == len(position.moves)
    assert all(0 <= value <= 1 for value in values)
    assert analysis.value == max(values) == analysis.best.value
    assert agent("qlearning").analyse(position, Limit(), seed=4).moves == analysis.moves


def test_the_shipped_values_of_tic_tac_toe_lose_no_line() -> None:
    assert loses_no_line(agent("qlearning"))


@pytest.mark.parametrize(
    ("name", "position", "move"),
    [
        ("tictactoe", "xx./oo./...", "c3"),
        ("connect4", "112233", "4"),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
        ("checkers", "B:W18:B14,1", "14x23"),
    ],
)
def test_an_immediate_win_is_played(name: str, position: str, move: str) -> None:
    analysis = agent("qlearning").analyse(game(name).position(position), Limit(), seed=0)
    assert (analysis.best.move, analysis.value) == (move, 1.0)


def test_the_seed_breaks_ties() -> None:
    position = game("tictactoe").position("x../.../...")
    analyses = [agent("qlearning").analyse(position, Limit(), seed=seed) for seed in range(40)]
    best = {analysis.best.move for analysis in analyses}
    tied = {move.move for move in analyses[0].moves if move.value == analyses[0].value}
    assert best == tied


def test_a_repetition_counts_as_a_draw() -> None:
    position = game("checkers").position("W:WK32,K31,K30:BK1")
    for move in ("32-28", "1-6", "28-32", "6-1"):
        position = position.play(move)
    repeated = next(
        move for move in agent("qlearning").analyse(position, Limit(), seed=0).moves if move.move == "32-28"
    )
    assert repeated.value == 0.5
