"""What the commands for weights and networks share: lists and ratings of trained files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from plyground import Game, WeightsError, games
from plyground import game as make_game
from plyground.cli.progress import make_bar
from plyground.cli.text_table import label, number, print_table, text

if TYPE_CHECKING:
    from plyground.agents import Agent
    from plyground.networks import CompactNetwork
    from plyground.weights import WeightSet

Listed = Sequence[tuple[str, "WeightSet | CompactNetwork", str]]
"""Names, what they stand for, and its kind or size."""


def chosen_games(game: str | None) -> list[str]:
    """Return the id of a game, or those of all games."""
    return [make_game(game).id] if game else [one.id for one in games()]


def metadata(trained: WeightSet | CompactNetwork) -> dict[str, Any]:
    """Return the training metadata as JSON data."""
    return {
        "game": trained.game,
        "method": trained.method,
        "games": trained.games,
        "seed": trained.seed,
        "settings": dict(trained.settings),
        "description": trained.description,
        "date": trained.date,
        "rating": dict(trained.rating),
    }


def print_list(listed: Listed, heading: str) -> None:
    """Print a table of trained files; `heading` is that of their kind or size."""
    rows = [
        (
            name,
            trained.game,
            kind,
            trained.method,
            str(trained.games or ""),
            f"{trained.rating['elo']:+.0f}" if "elo" in trained.rating else "",
            trained.description,
        )
        for name, trained, kind in listed
    ]
    labels = map(label, ("Name", "Game", heading, "Method"))
    print_table((*labels, number("Games"), number("Elo"), text("Description")), rows)


def rate_by_match(
    game: Game, a: Agent, b: Agent, count: int, seed: int, extra: Mapping[str, float]
) -> dict[str, float]:
    """Play a match from the game's openings and return the rating of the first agent, with some extra fields."""
    from plyground.arena import Match
    from plyground.arena.elo import difference
    from plyground.arena.openings import openings, shuffled

    planned = Match(game, a, b, count, seed, openings=shuffled(openings(game), seed))
    with make_bar() as progress:
        points = [played.points for played in progress.track(planned.play(), total=count, description="Playing")]
    measured = difference(points)
    if measured.elo is None or measured.low is None or measured.high is None:
        raise WeightsError("one side won every game, so the Elo difference is unbounded; play more games")
    return {"elo": measured.elo, "low": measured.low, "high": measured.high, "games": count, **extra}


def report_rating(
    name: str, rating: Mapping[str, float], reference: str, save: Callable[[dict[str, float]], None], as_json: bool
) -> None:
    """Save a rating if the name is that of a file, and print it."""
    if name.endswith(".safetensors"):
        save({key: round(value, 1) for key, value in rating.items()})
    if as_json:
        typer.echo(json.dumps({"name": name, "rating": dict(rating)}))
        return
    interval = f"{rating['low']:+.0f} to {rating['high']:+.0f}"
    typer.echo(f"{name}: {rating['elo']:+.0f} ({interval}) against {reference}")
