"""Training with one call, in memory unless a store is given.

>>> import plyground as pg
>>> run = pg.train("td", "tictactoe", games=40, depth=1, seed=1)
>>> run.weights.games, list(run.curve)
(40, [20, 40])
>>> pg.agent("alphabeta", weights=run.weights, depth=2).play(pg.game("tictactoe").start()) in {"a1", "b2"}
True
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground._engine import Game
from plyground.learn.methods import make_learner
from plyground.learn.training import TrainingResult, play_games
from plyground.learn.training import train as train_in_store
from plyground.progress import progress_bar

if TYPE_CHECKING:
    from plyground.store import Store


def train(
    method: str,
    game: str | Game,
    *,
    seed: int = 0,
    store: Store | str | Path | None = None,
    resume: bool = False,
    progress: bool | None = None,
    **settings: Any,
) -> TrainingResult:
    """Learn evaluation weights by playing games; the methods are ``td``, ``tdleaf`` and ``fit``.

    `settings` are those of the method, such as ``games=1000``. The result has the learned `weights`, which agents take
    as an option, and the learning `curve`. The run is kept in memory, or saved as it progresses in a store: a `Store`,
    the path of an SQLite file or the URL of a PostgreSQL database. `resume` continues an interrupted run with the same
    settings in that store. `progress` shows or hides the progress bar.
    """
    learner = make_learner(method, game if isinstance(game, str) else game.spec, settings, seed)
    with ExitStack() as stack:
        show = stack.enter_context(progress_bar("Training games", learner.total_games, progress))
        if store is None:
            curve = {}
            for step, metrics in play_games(learner):
                curve[step] = metrics
                show(step)
            return TrainingResult(learner.weight_set(), None, curve)
        from plyground.store import Store

        opened = store if isinstance(store, Store) else stack.enter_context(Store(str(store)))
        return train_in_store(learner, opened, resume=resume, report=lambda step, _: show(step))
