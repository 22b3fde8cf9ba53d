"""Named weights of training checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import UnknownNameError, WeightsError, game
from plyground.agents import Limit, MoveAnalysis, agent
from plyground.learn import TdLearner, TdSettings, train
from plyground.learn.checkpoints import checkpoint_weights, register_run_weights, weights_name
from plyground.store import Store
from plyground.weights import load, save
from plyground.weights.sets import _sources


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a store with a checkers run whose weights are registered."""
    address = str(tmp_path / "store.sqlite")
    with Store(address) as store:
        train(TdLearner("checkers", TdSettings(games=40), seed=1), store)
    before = dict(_sources)
    register_run_weights(address)
    yield address
    _sources.clear()
    _sources.update(before)


def test_the_weights_of_every_checkpoint_have_a_name(address: str) -> None:
    with Store(address) as store:
        first, last = (checkpoint_weights(store, 1, step) for step in (20, 40))
    assert load("run-1-20", "checkers") == first
    assert load(weights_name(1, 40), "checkers") == last
    assert (first.games, last.games) == (20, 40)
    assert first.values != last.values


@pytest.mark.parametrize("spec", ["alphabeta(depth=2)", "mcts(simulations=50)"])
def test_agents_can_use_checkpoint_weights(address: str, spec: str, tmp_path: Path) -> None:
    assert address
    file = tmp_path / "weights.safetensors"
    save(file, load("run-1-40", "checkers"))

    def analysed(**options: str) -> tuple[MoveAnalysis, ...]:
        return agent(spec, **options).analyse(game("checkers").start(), Limit(), seed=1).moves

    assert analysed(weights="run-1-40") == analysed(weights=str(file))
    assert analysed(weights="run-1-40") != analysed()


def test_unknown_checkpoints_are_rejected(address: str) -> None:
    assert address
    for name, message in (
        ("run-1-30", "run 1 has no checkpoint at step 30"),
        ("run-2-20", "training run 2 not found"),
        ("run-1", "expected run-RUN-STEP"),
        ("run-1-x", "expected run-RUN-STEP"),
    ):
        with pytest.raises(UnknownNameError, match=message):
            load(name, "checkers")
    with pytest.raises(WeightsError, match="expected weights for chess, got weights for checkers"):
        load("run-1-40", "chess")
    with pytest.raises(UnknownNameError, match="unknown weights 'runner-up' for checkers"):
        load("runner-up", "checkers")
