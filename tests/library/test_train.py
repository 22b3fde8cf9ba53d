"""Training with `plyground.train`."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.store import Store


def test_training_in_memory_learns_the_same_weights_as_in_a_store(tmp_path: Path) -> None:
    memory = pg.train("td", "tictactoe", games=50, depth=1, seed=3)
    assert memory.run is None
    stored = pg.train("td", "tictactoe", store=tmp_path / "runs.sqlite", games=50, depth=1, seed=3)
    assert stored.weights == memory.weights
    assert stored.curve == memory.curve
    assert list(memory.curve) == [20, 40, 50]
    with Store(str(tmp_path / "runs.sqlite")) as store:
        run = store.runs.get(stored.run or 0)
        assert run.finished is not None


def test_agents_accept_learned_weights() -> None:
    run = pg.train("td", "connect4", games=20, depth=1)
    bot = pg.agent("alphabeta", weights=run.weights, depth=2)
    assert bot.spec == "alphabeta(weights=td-20, depth=2)"
    assert bot.play(pg.game("connect4").start()) in pg.game("connect4").start().moves
    pg.agent("mcts", weights=run.weights, simulations=50).play(pg.game("connect4").start())
    with pytest.raises(pg.WeightsError, match="expected weights for checkers, got weights for connect4"):
        bot.play(pg.game("checkers").start())
    with pytest.raises(pg.ParseError, match="exists in this process only"):
        pg.match("connect4", bot, "random", games=2, processes=2)


def test_pattern_weights_have_a_short_representation() -> None:
    run = pg.train("fit", "checkers", games=4, generation=4, depth=1, epochs=1)
    assert len(repr(run.weights)) < 1000
    pg.agent("alphabeta", weights=run.weights, depth=2).play(pg.game("checkers").start())


def test_unknown_methods_and_settings_are_reported() -> None:
    with pytest.raises(pg.UnknownNameError, match="unknown learning method 'dreams'; available: td"):
        pg.train("dreams", "checkers")
    with pytest.raises(pg.UnknownNameError, match="unknown setting 'luck' for td; available: games"):
        pg.train("td", "checkers", luck=1)
