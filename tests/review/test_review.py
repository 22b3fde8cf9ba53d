"""Reviews: marks, forced moves, comparable values, and any agent as the reviewer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from plyground import Outcome, Position, game
from plyground.agents import Analysis, Limit, agent
from plyground.agents.agent import Agent
from plyground.agents.analysis import MoveAnalysis
from plyground.agents.budget import Budget
from plyground.agents.registry import AGENTS
from plyground.records import Record
from plyground.review import MARKS, ReviewedMove, Reviewer, mark_for, review

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import review_accuracy

HANGS_A_MAN = "W:W18,21,26,27,28,32:B3,5,8,10,11,19"
"""26-23 hangs a man and leaves one legal reply."""
LIMIT = Limit(nodes=20_000)


class FixedValues(Agent):
    """Returns fixed values from the first side's point of view and records the positions it searches."""

    name = "fixed-values"
    description = "fixed values"

    def __init__(self, values: dict[str, float], best: dict[str, str] | None = None) -> None:
        super().__init__()
        self.searched: list[str] = []
        self._values = values
        self._best = best or {}

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        line = " ".join(position.history)
        self.searched.append(line)
        first = self._values[line]
        best = position.moves.index(self._best.get(line, position.moves[0]))
        moves = tuple(MoveAnalysis(move, float(at == best)) for at, move in enumerate(position.moves))
        return Analysis(position, moves, value=first if position.turn == position.game.sides[0] else 1 - first)


def reviewed(
    name: str, moves: str, text: str | None = None, limit: Limit = LIMIT, **options: Any
) -> list[ReviewedMove]:
    record = Record.from_position(game(name).position(text, moves.split()), {})
    return list(review(record, limit, **options))[::-1]


def test_seeded_blunders_are_marked_and_forced_moves_are_not() -> None:
    games = list(review_accuracy.review_games(review_accuracy.first(10), LIMIT))
    assert [one.blunder.mark for one in games if not one.blunder.mark] == []
    assert sum(one.blunder.mark in ("?", "??") for one in games) >= 8
    assert sum(one.forced_mistakes for one in games) == 0
    assert any(len(one.game.record.to_position().replay(move.ply).moves) == 1 for one in games for move in one.moves)
    for move in (move for one in games for move in one.moves):
        assert move.before.value_first is not None and move.after.value_first is not None
        sign = 1 if move.side == "black" else -1
        drop = sign * (move.before.value_first - move.after.value_first)
        assert move.mark == mark_for(move.value_loss)
        assert move.value_loss == pytest.approx(max(0.0, drop) if move.move != move.before.best else 0.0)


def test_the_value_after_hanging_a_man_is_that_after_the_forced_capture() -> None:
    blunder, capture = reviewed("checkers", "26-23 19x26", HANGS_A_MAN)
    after = game("checkers").position(HANGS_A_MAN, ["26-23"])
    assert after.moves == ["19x26"]
    assert (blunder.mark, capture.mark, capture.value_loss) == ("?", "", 0)
    assert blunder.after.value_first == capture.before.value_first == capture.after.value_first
    assert blunder.after.pv[0] == capture.before.best == "19x26"


def test_a_position_with_one_legal_move_is_not_searched() -> None:
    reviewer = FixedValues({"26-23 19x26": 0.9, "": 0.5, "27-24": 0.5}, {"": "27-24"})
    blunder, capture = reviewed("checkers", "26-23 19x26", HANGS_A_MAN, reviewer=reviewer)
    assert "26-23" not in reviewer.searched
    assert len(reviewer.searched) == 3, "the last position, the first one, and the one after its best move"
    assert capture.before.value_first == 0.9
    assert blunder.value_loss == pytest.approx(0.4)
    assert reviewer.searched.count("") == 1


def test_the_played_and_the_best_move_are_compared_by_searches_of_the_positions_after_them() -> None:
    # The reviewer overrates the first position; the values after the moves decide.
    values = {"": 0.9, "a1": 0.6, "b2": 0.5}
    (move,) = reviewed("tictactoe", "b2", reviewer=FixedValues(values, {"": "a1"}))
    assert (move.before.value_first, move.before.best) == (0.6, "a1")
    assert move.value_loss == pytest.approx(0.1)
    assert (move.mark, move.summary) == ("?!", "dropped from 60% to 50%")
    assert move.comment == "dropped from 60% to 50%: a1 was better"
    (move,) = reviewed("tictactoe", "b2", reviewer=FixedValues({**values, "a1": 0.4}, {"": "a1"}))
    assert (move.before.value_first, move.before.best, move.value_loss, move.mark) == (0.5, "b2", 0, "")


def test_later_positions_correct_the_values_of_earlier_ones() -> None:
    values = {"": 0.5, "b2": 0.5, "b2 b1": 0.9, "b2 a1": 0.5}
    first, second = reviewed("tictactoe", "b2 b1", reviewer=FixedValues(values, {"": "b2", "b2": "a1"}))
    assert (second.mark, second.before.value_first) == ("??", 0.5)
    assert (first.mark, first.before.value_first) == ("", 0.5)


def test_a_resignation_changes_no_value() -> None:
    record = Record("tictactoe", ("b2", "a1"), outcome=Outcome("x", "resignation"))
    assert [move.mark for move in review(record, Limit(simulations=2000))] == ["", ""]


@pytest.mark.parametrize("spec", sorted(set(AGENTS) - {"syzygy", "uci"}))
def test_any_agent_can_review(spec: str) -> None:
    moves = reviewed("tictactoe", "b2 b1 c1 a3 c3", limit=Limit(simulations=500, depth=6), reviewer=spec, seed=3)
    assert [move.ply for move in moves] == [0, 1, 2, 3, 4]
    assert all((move.mark == "") == (move.value_loss < MARKS[-1][0]) for move in moves)
    known = [move.before.value_first for move in moves if move.before.value_first is not None]
    assert all(0 <= value <= 1 for value in known)
    if spec == "random":
        assert moves[0].before.value_first is None
        assert moves[0].before.win_draw_loss is None


@pytest.mark.parametrize("name", ["Easy", "alphabeta(depth=3)"])
def test_a_level_or_an_agent_object_can_review(name: str) -> None:
    moves = reviewed("checkers", "26-23 19x26", HANGS_A_MAN, limit=Limit(simulations=500), reviewer=name)
    assert [bool(move.mark) for move in moves] == [True, False]
    by_object = reviewed("checkers", "26-23 19x26", HANGS_A_MAN, reviewer=agent("alphabeta(depth=3)"))
    assert by_object[0].mark == "?"


def test_a_review_without_a_time_limit_is_reproducible() -> None:
    moves = "11-15 23-19 8-11 22-17 9-13 17-14"
    assert reviewed("checkers", moves, seed=1) == reviewed("checkers", moves, seed=1)
    assert reviewed("connect4", "4 4 3", limit=Limit(simulations=400), seed=2) == reviewed(
        "connect4", "4 4 3", limit=Limit(simulations=400), seed=2
    )


def test_exact_values_are_for_the_side_to_move() -> None:
    win, *_ = reviewed("checkers", "7-2", "W:WK6,K7:BK32")
    assert win.before.exact is not None and win.after.exact is not None
    assert (win.before.exact.result, win.before.value_first, win.before.win_draw_loss) == ("win", 0.0, (0.0, 0.0, 1.0))
    assert win.after.exact.result == "loss"
    forced = Reviewer(game("checkers")).evaluate(game("checkers").position("B:WK7:B12"))
    assert forced.exact is not None
    assert forced.pv[0] == "12-16"
    assert forced.exact.result == {0.0: "loss", 0.5: "draw", 1.0: "win"}[forced.value_first or 0.0]
