"""`plyground train`: learns evaluation weights."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from plyground.cli.options import GameArgument, JsonOption, SeedOption, StoreOption
from plyground.cli.progress import make_bar, on_first_ctrl_c
from plyground.cli.verbs import new_group
from plyground.formatting import count_of
from plyground.learn import train
from plyground.learn.methods import METHODS
from plyground.learn.self_play import SelfPlayLearner
from plyground.learn.settings import declared_settings

if TYPE_CHECKING:
    from plyground.learn import Learner, TrainingResult
    from plyground.learn.methods import Method
    from plyground.learn.settings import Setting

app = new_group("train")

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", show_default="GAME-METHOD.safetensors", help="Output file for the weights."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Resume an interrupted run with the same settings.")]


def _add_command(method: Method) -> None:
    """Add the command of a learning method, with an option for each of its settings."""
    declared = declared_settings(method.settings)

    def command(**values: Any) -> None:
        game, seed, out, resume, store, as_json = (
            values.pop(name) for name in ("game", "seed", "out", "resume", "store", "as_json")
        )
        _train(method.make(game, method.settings(**values), seed), out, resume, store, as_json)

    annotations: dict[str, tuple[Any, Any]] = {"game": (GameArgument, Parameter.empty)}
    annotations |= {name: (_annotation(option), option.default) for name, option in declared.items()}
    annotations |= {"seed": (SeedOption, 0), "out": (Out, None), "resume": (Resume, False)}
    annotations |= {"store": (StoreOption, None), "as_json": (JsonOption, False)}
    command.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
         for name, (annotation, default) in annotations.items()]
    )  # fmt: skip
    command.__annotations__ = {name: annotation for name, (annotation, _) in annotations.items()}
    app.command(method.name, help=method.help or method.description)(command)


def _annotation(option: Setting) -> Any:
    """Return the type and the command-line option of a setting."""
    metavar = {int: "N", float: "X", str: "NAME"}[type(option.default)]
    flags = [f"--{option.name.rstrip('_').replace('_', '-')}"]
    if option.name == "opening_plies":
        flags.append("--opening")
    return Annotated[type(option.default), typer.Option(*flags, metavar=metavar, help=option.description)]


for _settings in dict.fromkeys(method.settings for method in METHODS.values()):
    _add_command(next(method for method in METHODS.values() if method.settings is _settings))


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
    from plyground import networks, weights
    from plyground.files import write_text

    date = datetime.now(UTC).date().isoformat()
    if isinstance(result.weights, weights.WeightSet):
        weights.save(file, replace(result.weights, date=date))
    else:
        networks.save(file, replace(result.weights, date=date))
    summary = _summary(learner, result, file)
    write_text(file.with_suffix(".json"), json.dumps(summary, indent=1) + "\n")
    if as_json:
        typer.echo(json.dumps(summary))
        return
    if result.resumed:
        typer.echo(f"Resumed after {count_of(result.resumed, 'game')}.")
    typer.echo(f"Played {count_of(learner.total_games, 'game')} in run {result.run}.")
    method = METHODS[learner.method]
    typer.echo(f"{method.option.capitalize()}: {file}; learning curve: {file.with_suffix('.json')}")
    typer.echo(f"To play against it, run: plyground play {learner.game} --agent '{method.player_spec(file)}'")


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
        if isinstance(learner, SelfPlayLearner):
            learner.on_fit = lambda games: self._bar.update(
                self._task, description=f"Fitting to {count_of(games, 'game')}", refresh=True
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
        "weights": dict(getattr(result.weights, "values", {})),
        "curve": [{"games": step, **metrics} for step, metrics in result.curve.items()],
    }
