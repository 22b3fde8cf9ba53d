"""`plyground weights`: what was learned, beside what was known before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import WeightsError, games
from plyground import game as make_game
from plyground.cli.options import GameArgument, JsonOption

if TYPE_CHECKING:
    from plyground.weights import WeightSet

app = typer.Typer(no_args_is_help=True, help="List, show and compare what things are worth in a game.")

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
    for heading in ("Game", "Name", "Kind", "Made by", "Games", ""):
        table.add_column(heading, justify="right" if heading == "Games" else "left")
    for id, name, weights in found:  # noqa: A001
        table.add_row(id, name, weights.kind, weights.method, str(weights.games or ""), weights.about)
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
        "weights": dict(weights.values),
        "patterns": len(weights.table) // 4,
    }
