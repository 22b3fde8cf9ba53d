"""What training runs had learned, as weights with names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import UnknownNameError, WeightsError, game
from plyground.agents import Limit, agent
from plyground.learn import TdLearning, TdSettings, train
from plyground.learn.checkpoints import learned, use_runs, weights_name
from plyground.store import Store
from plyground.weights import load
from plyground.weights.sets import _sources


@pytest.fixture
def where(tmp_path: Path) -> Iterator[str]:
    """A store with a run of checkers, of which agents may name the weights."""
    address = str(tmp_path / "store.sqlite")
    with Store(address) as store:
        train(TdLearning("checkers", TdSettings(games=40), seed=1), store)
    before = dict(_sources)
    use_runs(address)
    yield address
    _sources.clear()
    _sources.update(before)


def test_each_checkpoint_has_weights_by_name(where: str) -> None:
    with Store(where) as store:
        first, last = (learned(store, 1, step) for step in (20, 40))
    assert load("run-1-20", "checkers") == first
    assert load(weights_name(1, 40), "checkers") == last
    assert (first.games, last.games) == (20, 40)
    assert first.values != last.values


@pytest.mark.parametrize("name", ["alphabeta(weights=run-1-40, depth=2)", "mcts(weights=run-1-40, simulations=50)"])
def test_agents_play_with_them(where: str, name: str) -> None:
    assert where
    assert agent(name).analyse(game("checkers").start(), Limit(), seed=1).best.move


def test_what_is_not_there_is_one_clear_error(where: str) -> None:
    assert where
    for name, words in (
        ("run-1-30", "run 1 has no checkpoint of step 30"),
        ("run-2-20", "no training run has the number 2"),
        ("run-1", "accepted is run-RUN-STEP"),
        ("run-1-x", "accepted is run-RUN-STEP"),
    ):
        with pytest.raises(UnknownNameError, match=words):
            load(name, "checkers")
    with pytest.raises(WeightsError, match="the weights are of checkers"):
        load("run-1-40", "chess")
    with pytest.raises(UnknownNameError, match="no weights of checkers are called 'runner-up'"):
        load("runner-up", "checkers")
