"""`plyground weights`: learned evaluation weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import WeightsError
from plyground import game as make_game
from plyground.cli.options import GameArgument, JsonOption, SeedOption
from plyground.cli.text_table import label, number, print_table, text
from plyground.cli.trained_files import chosen_games, metadata, print_list, rate_by_match, report_rating
from plyground.cli.verbs import new_group

if TYPE_CHECKING:
    from plyground.weights import WeightSet

app = new_group("weights")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a built-in set, or a file.")]


@app.command("list")
def list_weights(
    game: Annotated[str | None, typer.Argument(metavar="GAME", show_default="every game")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the built-in sets of weights."""
    from plyground.weights import load, names

    listed = [
        (name, load(name, one)) for one in chosen_games(game) for name in [*names(one), *names(one, q_values=True)]
    ]
    if as_json:
        typer.echo(json.dumps([{"name": name, **_report(weights)} for name, weights in listed]))
    else:
        print_list([(name, weights, weights.kind) for name, weights in listed], "Kind")


@app.command()
def show(game: GameArgument, name: Name, as_json: JsonOption = False) -> None:
    """Show a set next to the initial weights, with a description of each feature."""
    _compare(game, ["default", name] if name != "default" else [name], as_json, descriptions=True)


@app.command()
def compare(
    game: GameArgument,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of built-in sets, or files.")],
    as_json: JsonOption = False,
) -> None:
    """Show several sets of feature weights side by side."""
    _compare(game, names, as_json, descriptions=False)


@app.command()
def rate(
    game: GameArgument,
    name: Name,
    games: Annotated[int, typer.Option(metavar="N", min=2, max=100_000, help="Number of games.")] = 400,
    depth: Annotated[int, typer.Option(metavar="N", min=1, max=20, help="Search depth of both players in plies.")] = 5,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Rate a set of weights in a match against the initial weights from the game's openings.

    If NAME is a file, the rating is written to it.
    """
    from plyground.agents import agent
    from plyground.weights import load, save

    chosen = make_game(game)
    weights = load(name, chosen.spec)
    a, b = (agent(f"alphabeta(depth={depth}, weights={which})") for which in (name, "default"))
    rating = rate_by_match(chosen, a, b, games, seed, {"depth": depth})
    report_rating(
        name,
        rating,
        "the initial weights",
        lambda found: save(Path(name), replace(weights, rating=found)),
        as_json,
    )


def _compare(game: str, names: list[str], as_json: bool, *, descriptions: bool) -> None:
    from plyground._engine import features
    from plyground.weights import load

    position = make_game(game).start()
    sets = {name: load(name, game) for name in names}
    if as_json:
        typer.echo(json.dumps([{"name": name, **_report(weights)} for name, weights in sets.items()]))
        return
    for name in [name for name, weights in sets.items() if weights.kind == "qlearning"]:
        if not descriptions:
            raise WeightsError(f"{name} contains Q-values; compare requires feature weights")
        typer.echo(f"{name}: Q-values, a table with {len(sets.pop(name).table) // 2} entries")
    pattern_sets = [name for name, weights in sets.items() if weights.kind == "patterns"]
    if pattern_sets and not descriptions:
        raise WeightsError(f"{pattern_sets[0]} contains pattern weights; compare requires feature weights")
    for name in pattern_sets:
        typer.echo(f"{name}: {len(sets.pop(name).table) // 4} patterns, with an opening and an endgame weight each")
    columns = [label("Feature"), *map(number, sets)]
    rows = [
        [feature, *(f"{weights.values[feature]:.2f}" for weights in sets.values()), description]
        for feature, description, _ in features(position)
    ]
    if descriptions:
        columns.append(text("Description (from the first player's point of view)"))
    print_table(columns, rows if descriptions else [row[:-1] for row in rows])


def _report(weights: WeightSet) -> dict[str, Any]:
    return {
        **metadata(weights),
        "kind": weights.kind,
        "weights": dict(weights.values),
        "patterns": len(weights.table) // 4 if weights.kind == "patterns" else 0,
        "q_values": len(weights.table) // 2 if weights.kind == "qlearning" else 0,
    }
