"""`plyground weights`: learned evaluation weights."""

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
from plyground.cli.text_table import label, number, print_table, text
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

    chosen = [make_game(game).id] if game else [game.id for game in games()]
    listed = [
        (id, name, load(name, id))
        for id in chosen  # noqa: A001
        for name in [*names(id), *names(id, q_values=True)]
    ]
    if as_json:
        typer.echo(json.dumps([{"name": name, **_report(weights)} for _, name, weights in listed]))
        return
    rows = [
        (
            name,
            id,
            weights.kind,
            weights.method,
            str(weights.games or ""),
            f"{weights.rating['elo']:+.0f}" if "elo" in weights.rating else "",
            weights.description,
        )
        for id, name, weights in listed  # noqa: A001
    ]
    labels = map(label, ("Name", "Game", "Kind", "Method"))
    print_table((*labels, number("Games"), number("Elo"), text("Description")), rows)


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
    from plyground.arena import Match
    from plyground.arena.elo import difference
    from plyground.arena.openings import openings, shuffled
    from plyground.weights import load, save

    chosen = make_game(game)
    weights = load(name, chosen.spec)
    a, b = (agent(f"alphabeta(depth={depth}, weights={which})") for which in (name, "default"))
    planned = Match(chosen, a, b, games, seed, openings=shuffled(openings(chosen), seed))
    with make_bar() as progress:
        points = [
            match_game.points for match_game in progress.track(planned.play(), total=games, description="Playing")
        ]
    measured = difference(points)
    if measured.elo is None or measured.low is None or measured.high is None:
        raise WeightsError("one side won every game, so the Elo difference is unbounded; play more games")
    rating = {
        "elo": measured.elo,
        "low": measured.low,
        "high": measured.high,
        "games": games,
        "depth": depth,
    }
    if name.endswith(".safetensors"):
        save(Path(name), replace(weights, rating={key: round(value, 1) for key, value in rating.items()}))
    if as_json:
        typer.echo(json.dumps({"name": name, "rating": rating}))
        return
    interval = f"{measured.low:+.0f} to {measured.high:+.0f}"
    typer.echo(f"{name}: {measured.elo:+.0f} ({interval}) against the initial weights")


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
        "game": weights.game,
        "kind": weights.kind,
        "method": weights.method,
        "games": weights.games,
        "seed": weights.seed,
        "settings": dict(weights.settings),
        "description": weights.description,
        "date": weights.date,
        "rating": dict(weights.rating),
        "weights": dict(weights.values),
        "patterns": len(weights.table) // 4 if weights.kind == "patterns" else 0,
        "q_values": len(weights.table) // 2 if weights.kind == "qlearning" else 0,
    }
