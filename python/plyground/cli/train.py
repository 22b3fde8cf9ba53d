"""`plyground train`: learns evaluation weights."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from plyground.cli.options import GameArgument, JsonOption, SeedOption, StoreOption
from plyground.cli.progress import make_bar, on_first_ctrl_c
from plyground.cli.verbs import new_group
from plyground.formatting import count_of
from plyground.learn import FitLearner, FitSettings, TdLearner, TdSettings, train
from plyground.learn.settings import declared_settings

if TYPE_CHECKING:
    from plyground.learn import Learner, TrainingResult

app = new_group("train")

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", show_default="GAME-METHOD.safetensors", help="Output file for the weights."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Resume an interrupted run with the same settings.")]

TD = TdSettings()
FIT = FitSettings()


def _option(settings: type[Any], name: str, *flags: str, metavar: str = "N") -> Any:
    """Return the command-line option of a setting, with its description as help."""
    return typer.Option(*flags, metavar=metavar, help=declared_settings(settings)[name].description)


@app.command()
def td(
    game: GameArgument,
    games: Annotated[int, _option(TdSettings, "games")] = TD.games,
    variant: Annotated[str, _option(TdSettings, "variant", metavar="NAME")] = TD.variant,
    seed: SeedOption = 0,
    depth: Annotated[int, _option(TdSettings, "depth")] = TD.depth,
    lambda_: Annotated[float, _option(TdSettings, "lambda_", "--lambda", metavar="X")] = TD.lambda_,
    learning_rate: Annotated[float, _option(TdSettings, "learning_rate", metavar="X")] = TD.learning_rate,
    epsilon: Annotated[float, _option(TdSettings, "epsilon", metavar="X")] = TD.epsilon,
    random_fraction: Annotated[float, _option(TdSettings, "random_fraction", metavar="X")] = TD.random_fraction,
    refresh_games: Annotated[int, _option(TdSettings, "refresh_games")] = TD.refresh_games,
    opening_plies: Annotated[int, _option(TdSettings, "opening_plies", "--opening")] = TD.opening_plies,
    start: Annotated[str, _option(TdSettings, "start", metavar="NAME")] = TD.start,
    out: Out = None,
    resume: Resume = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn feature weights by temporal-difference learning, like Samuel's checkers program.

    The first games are played against a random opponent, the rest against an earlier version of the learner. Sides
    alternate.
    """
    settings = TdSettings(
        games=games,
        variant=variant,
        depth=depth,
        lambda_=lambda_,
        learning_rate=learning_rate,
        epsilon=epsilon,
        random_fraction=random_fraction,
        refresh_games=refresh_games,
        opening_plies=opening_plies,
        start=start,
    )
    _train(TdLearner(game, settings, seed), out, resume, store, as_json)


@app.command()
def fit(
    game: GameArgument,
    games: Annotated[int, _option(FitSettings, "games")] = FIT.games,
    generation: Annotated[int, _option(FitSettings, "generation")] = FIT.generation,
    seed: SeedOption = 0,
    depth: Annotated[int, _option(FitSettings, "depth")] = FIT.depth,
    opening_plies: Annotated[int, _option(FitSettings, "opening_plies", "--opening")] = FIT.opening_plies,
    epochs: Annotated[int, _option(FitSettings, "epochs")] = FIT.epochs,
    search_weight: Annotated[float, _option(FitSettings, "search_weight", metavar="X")] = FIT.search_weight,
    out: Out = None,
    resume: Resume = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn pattern weights by regression on self-play games."""
    settings = FitSettings(
        games=games,
        generation=generation,
        depth=depth,
        opening_plies=opening_plies,
        epochs=epochs,
        search_weight=search_weight,
    )
    _train(FitLearner(game, settings, seed), out, resume, store, as_json)


def _train(learner: Learner, out: Path | None, resume: bool, store_address: str | None, as_json: bool) -> None:
    from plyground.store import Store

    file = out or Path(f"{learner.game.partition('(')[0]}-{learner.method}.safetensors")
    with Store(store_address) as store, _Progress(learner) as progress:
        try:
            result = train(learner, store, resume=resume, report=progress.report, proceed=progress.proceed)
        except KeyboardInterrupt:  # the second Ctrl-C, during a game
            _say_interrupted(None)
            raise typer.Exit(130) from None
    if not result.is_finished:
        _say_interrupted(learner.games_played)
        raise typer.Exit(130)
    _write_result(learner, result, file, as_json)


def _say_interrupted(games: int | None) -> None:
    """Print how much of an interrupted run was saved and how to resume it."""
    arguments = [*sys.argv[1:], *(["--resume"] if "--resume" not in sys.argv else [])]
    command = shlex.join(["plyground", *arguments])
    if games is None:
        typer.echo(f"Interrupted; the games since the last checkpoint are lost. Resume with: {command}", err=True)
    else:
        typer.echo(f"Interrupted and saved after {count_of(games, 'game')}. Resume with: {command}", err=True)


def _write_result(learner: Learner, result: TrainingResult, file: Path, as_json: bool) -> None:
    from plyground.files import write_text
    from plyground.weights import save

    save(file, replace(result.weights, date=datetime.now(UTC).date().isoformat()))
    summary = _summary(learner, result, file)
    write_text(file.with_suffix(".json"), json.dumps(summary, indent=1) + "\n")
    if as_json:
        typer.echo(json.dumps(summary))
        return
    if result.resumed:
        typer.echo(f"Resumed after {count_of(result.resumed, 'game')}.")
    typer.echo(f"Played {count_of(learner.total_games, 'game')} in run {result.run}.")
    typer.echo(f"Weights: {file}; learning curve: {file.with_suffix('.json')}")
    typer.echo(f"Play against them: plyground play {result.weights.game} --agent 'alphabeta(weights={file})'")


class _Progress:
    """A progress bar with the latest metrics. The first Ctrl-C ends the training after the current game."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        self._bar = make_bar("{task.fields[latest]}")
        self._stop_requested = False
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        learner = self._learner
        self._stack.enter_context(self._bar)
        self._stack.enter_context(on_first_ctrl_c(self._request_stop))
        self._task = self._bar.add_task("Learning", total=learner.total_games, completed=0, latest="")
        if isinstance(learner, FitLearner):
            learner.on_fit = lambda games: self._bar.update(
                self._task, description=f"Fitting weights to {count_of(games, 'game')}", refresh=True
            )
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def proceed(self, games_played: int) -> bool:
        """Show the number of games; return whether to continue."""
        self._bar.update(self._task, completed=games_played, description="Learning")
        return not self._stop_requested

    def report(self, games_played: int, metrics: dict[str, float]) -> None:
        """Show the latest metrics."""
        latest = " ".join(f"{name} {value:.2f}" for name, value in metrics.items() if "/" not in name)
        self._bar.update(self._task, completed=games_played, latest=latest)

    def _request_stop(self) -> None:
        self._stop_requested = True
        self._bar.update(self._task, description="Finishing the game")


def _summary(learner: Learner, result: TrainingResult, file: Path) -> dict[str, Any]:
    return {
        "game": learner.game,
        "method": learner.method,
        "settings": dict(learner.settings),
        "seed": learner.seed,
        "run": result.run,
        "resumed": result.resumed,
        "file": str(file),
        "weights": dict(result.weights.values),
        "curve": [{"games": step, **metrics} for step, metrics in result.curve.items()],
    }
