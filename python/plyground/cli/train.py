"""`plyground train`: let programs learn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.cli.options import GameArgument, JsonOption, SeedOption, StoreOption
from plyground.cli.progress import make_bar

if TYPE_CHECKING:
    from plyground.learn import Learner, Trained

app = typer.Typer(no_args_is_help=True, help="Let programs learn; a run is kept in the store and can be gone on with.")

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", show_default="GAME-METHOD.safetensors", help="The weights' file."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run of the same settings that was broken off.")]
Depth = Annotated[int, typer.Option(metavar="N", help="Plies that the players look ahead.")]
Opening = Annotated[int, typer.Option(metavar="N", help="Random plies that open a game.")]


@app.command()
def td(
    game: GameArgument,
    games: Annotated[int, typer.Option(metavar="N", help="Games to play.")] = 1000,
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="td, or tdleaf: at the leaf of the expected line, as KnightCap did.")
    ] = "td",
    seed: SeedOption = 0,
    depth: Depth = 3,
    lambda_: Annotated[float, typer.Option("--lambda", metavar="X", help="How far back an error is felt.")] = 0.7,
    rate: Annotated[float, typer.Option(metavar="X", help="How fast weights move.")] = 0.003,
    epsilon: Annotated[float, typer.Option(metavar="X", help="How often the learner plays any move.")] = 0.1,
    random_share: Annotated[
        float, typer.Option(metavar="X", help="The share of games, the first, against any moves.")
    ] = 0.4,
    refresh: Annotated[int, typer.Option(metavar="N", help="Games between two copies of the learner to play.")] = 50,
    opening: Opening = 0,
    start: Annotated[str, typer.Option(metavar="NAME", help="The weights to begin with.")] = "default",
    out: Out = None,
    resume: Resume = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn what the terms of a game are worth by temporal differences, as Samuel's checkers program did.

    The first games are played against random moves, the others against an earlier self; sides change every game.
    """
    from plyground.learn import TdLearning, TdSettings

    settings = TdSettings(
        games, variant, depth, lambda_, rate, epsilon, random_share, refresh, opening=opening, start=start
    )
    _train(TdLearning(game, settings, seed), out, resume, store, as_json)


@app.command()
def fit(
    game: GameArgument,
    games: Annotated[int, typer.Option(metavar="N", help="Games to play.")] = 12_000,
    generation: Annotated[int, typer.Option(metavar="N", help="Games after which weights are fitted anew.")] = 8000,
    seed: SeedOption = 0,
    depth: Depth = 5,
    opening: Opening = 10,
    epochs: Annotated[int, typer.Option(metavar="N", help="Times that every position is learned from.")] = 8,
    blend: Annotated[
        float, typer.Option(metavar="X", help="The share of what a search thought in what a position was worth.")
    ] = 0.9,
    out: Out = None,
    resume: Resume = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit what the patterns of a game are worth to the results of games that a program plays against itself."""
    from plyground.learn import FitLearner, FitSettings

    settings = FitSettings(games, generation, depth, opening, epochs=epochs, blend=blend)
    _train(FitLearner(game, settings, seed), out, resume, store, as_json)


def _train(learner: Learner, out: Path | None, resume: bool, where: str | None, as_json: bool) -> None:
    from plyground.learn import train
    from plyground.records.files import write_text
    from plyground.store import Store
    from plyground.weights import save

    file = out or Path(f"{learner.game.partition('(')[0]}-{learner.method}.safetensors")
    with Store(where) as store, _progress(learner) as report:
        trained = train(learner, store, resume=resume, report=report)
    save(file, replace(trained.weights, date=datetime.now(UTC).date().isoformat()))
    told = _report(learner, trained, file)
    write_text(file.with_suffix(".json"), json.dumps(told, indent=1) + "\n")
    if as_json:
        typer.echo(json.dumps(told))
        return
    if trained.resumed:
        typer.echo(f"Went on after {trained.resumed} games.")
    typer.echo(f"{learner.total} games played: run {trained.run}.")
    typer.echo(f"Weights: {file}; what was learned when: {file.with_suffix('.json')}")
    typer.echo(f"Play against them: plyground play {trained.weights.game} --agent 'alphabeta(weights={file})'")


@contextmanager
def _progress(learner: Learner) -> Iterator[Callable[[int, dict[str, float]], None]]:
    """A bar with the latest numbers."""
    with make_bar("{task.fields[latest]}") as progress:
        task = progress.add_task("Learning", total=learner.total, completed=learner.played, latest="")

        def report(played: int, metrics: dict[str, float]) -> None:
            latest = " ".join(f"{name} {value:.2f}" for name, value in metrics.items() if "/" not in name)
            progress.update(task, completed=played, latest=latest)

        yield report


def _report(learner: Learner, trained: Trained, file: Path) -> dict[str, Any]:
    return {
        "game": learner.game,
        "method": learner.method,
        "settings": dict(learner.settings),
        "seed": learner.seed,
        "run": trained.run,
        "resumed": trained.resumed,
        "file": str(file),
        "weights": dict(trained.weights.values),
        "curve": [{"games": step, **metrics} for step, metrics in trained.curve.items()],
    }
