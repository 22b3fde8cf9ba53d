"""Analyses in the background."""

from __future__ import annotations

import threading

import pytest

import plyground as pg
from stopping import LONG_S


def test_a_search_runs_in_the_background_until_it_is_stopped() -> None:
    position = pg.game("chess").start()
    reported = threading.Event()
    handle = pg.agent("mcts").start(position, seconds=LONG_S, report=lambda _: reported.set())
    assert reported.wait(LONG_S)
    is_thinking = handle.is_thinking
    assert is_thinking
    with pytest.raises(TimeoutError):
        handle.result(timeout=0)
    handle.stop()
    analysis = handle.result(LONG_S)
    assert not handle.is_thinking
    assert analysis.seconds < LONG_S
    assert analysis.simulations > 0
    assert analysis.best.move in position.moves


def test_a_search_that_reaches_its_limit_ends_by_itself() -> None:
    handle = pg.agent("mcts").start(pg.game("connect4").start(), simulations=300, seed=3)
    analysis = handle.result(LONG_S)
    assert analysis.simulations == 300
    assert not handle.is_thinking
    again = pg.agent("mcts").analyse(pg.game("connect4").start(), simulations=300, seed=3)
    assert [move.visits for move in analysis.moves] == [move.visits for move in again.moves]


def test_a_search_stopped_before_it_begins_returns_a_legal_move() -> None:
    position = pg.game("checkers").start()
    for name in ("mcts", "alphabeta", "flat", "Hard"):
        handle = pg.agent(name).start(position, seconds=LONG_S)
        handle.stop()
        assert handle.result(LONG_S).best.move in position.moves


def test_a_single_legal_move_is_returned_at_once() -> None:
    position = pg.game("checkers").position("B:W10:B7,2")
    assert position.moves == ["7x14"]
    analysis = pg.agent("mcts").start(position, seconds=LONG_S).result(LONG_S)
    assert (analysis.best.move, analysis.simulations) == ("7x14", 0)


def test_an_exception_is_raised_by_result() -> None:
    def fail(positions: list[pg.Position]) -> tuple[list[float], None]:
        raise ZeroDivisionError(len(positions))

    handle = pg.agent("mcts", evaluator=fail).start(pg.game("connect4").start(), seconds=LONG_S)
    with pytest.raises(ZeroDivisionError):
        handle.result(LONG_S)
    over = pg.agent("mcts").start(pg.game("connect4").position("1212121"))
    with pytest.raises(pg.GameOverError):
        over.result(LONG_S)
