"""`plyground weights`: what was learned, beside what was known before."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import WeightsError, games
from plyground import game as make_game
from plyground.cli.options import GameArgument, JsonOption, SeedOption
from plyground.cli.progress import make_bar

if TYPE_CHECKING:
    from plyground.weights import WeightSet

app = typer.Typer(no_args_is_help=True, help="List, show, compare and rate what things are worth in a game.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="A set of the package, or a file.")]


@app.command("list")
def list_weights(
    game: Annotated[str | None, typer.Argument(metavar="GAME", show_default="every game")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the sets of weights of the package."""
    from plyground.weights import load, names

    chosen = [make_game(game).id] if game else [one.id for one in games()]
    found = [(id, name, load(name, id)) for id in chosen for name in names(id)]  # noqa: A001
    if as_json:
        typer.echo(json.dumps([{"name": name, **_report(weights)} for _, name, weights in found]))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for heading in ("Game", "Name", "Kind", "Made by", "Games", "Elo", ""):
        table.add_column(heading, justify="right" if heading in ("Games", "Elo") else "left")
    for id, name, weights in found:  # noqa: A001
        elo = f"{weights.rating['elo']:+.0f}" if "elo" in weights.rating else ""
        table.add_row(id, name, weights.kind, weights.method, str(weights.games or ""), elo, weights.about)
    Console().print(table)


@app.command()
def show(game: GameArgument, name: Name, as_json: JsonOption = False) -> None:
    """Show one set beside the starting weights, with what each term measures."""
    _compare(game, ["default", name] if name != "default" else [name], as_json, meanings=True)


@app.command()
def compare(
    game: GameArgument,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Sets of the package, or files.")],
    as_json: JsonOption = False,
) -> None:
    """Show sets of weights of terms beside each other."""
    _compare(game, names, as_json, meanings=False)


@app.command()
def rate(
    game: GameArgument,
    name: Name,
    games: Annotated[int, typer.Option(metavar="N", min=2, max=100_000, help="Games to play.")] = 400,
    depth: Annotated[int, typer.Option(metavar="N", min=1, max=20, help="Plies that both look ahead.")] = 5,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play a match against the starting weights, from the game's openings; what comes out is written into a file."""
    from plyground.agents import agent
    from plyground.arena import Match
    from plyground.arena.elo import difference
    from plyground.arena.openings import openings, shuffled
    from plyground.weights import load, save

    chosen = make_game(game)
    weights = load(name, chosen.spec)
    a, b = (agent(f"alphabeta(depth={depth}, weights={which})") for which in (name, "default"))
    planned = Match(chosen, a, b, games, seed, openings=shuffled(openings(chosen), seed))
    with make_bar() as progress:
        played = [one.points for one in progress.track(planned.play(), total=games, description="Playing")]
    found = difference(played)
    if found.elo is None or found.low is None or found.high is None:
        raise WeightsError("one side won every game: no number says how much stronger it is; accepted are more games")
    rating = {"elo": found.elo, "low": found.low, "high": found.high, "games": games, "depth": depth}
    if name.endswith(".safetensors"):
        save(Path(name), replace(weights, rating={key: round(value, 1) for key, value in rating.items()}))
    if as_json:
        typer.echo(json.dumps({"name": name, "rating": rating}))
        return
    typer.echo(f"{name}: {found.elo:+.0f} ({found.low:+.0f} to {found.high:+.0f}) against the starting weights")


def _compare(game: str, names: list[str], as_json: bool, *, meanings: bool) -> None:
    from plyground._engine import terms
    from plyground.weights import load

    position = make_game(game).start()
    sets = {name: load(name, game) for name in names}
    if as_json:
        typer.echo(json.dumps([{"name": name, **_report(weights)} for name, weights in sets.items()]))
        return
    from rich.console import Console
    from rich.table import Table

    of_patterns = [name for name, weights in sets.items() if weights.kind == "patterns"]
    if of_patterns and not meanings:
        raise WeightsError(f"weights {of_patterns[0]} are of patterns; accepted here are weights of terms")
    for name in of_patterns:
        typer.echo(
            f"{name}: {len(sets.pop(name).table) // 4} patterns, two weights each: beginning and end of the game"
        )
    table = Table()
    table.add_column("Term")
    for name in sets:
        table.add_column(name, justify="right", overflow="fold")
    if meanings:
        table.add_column("Measures, for the first side")
    for term, about, _ in terms(position):
        row = [f"{weights.values[term]:.2f}" for weights in sets.values()]
        table.add_row(term, *row, *([about] if meanings else []))
    Console().print(table)


def _report(weights: WeightSet) -> dict[str, Any]:
    return {
        "game": weights.game,
        "kind": weights.kind,
        "method": weights.method,
        "games": weights.games,
        "seed": weights.seed,
        "settings": dict(weights.settings),
        "about": weights.about,
        "date": weights.date,
        "rating": dict(weights.rating),
        "weights": dict(weights.values),
        "patterns": len(weights.table) // 4,
    }
