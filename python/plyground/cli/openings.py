"""`plyground openings`: decks of openings that matches begin with."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plyground import game as make_game
from plyground.arena.openings import openings as find_openings
from plyground.arena.openings import shipped
from plyground.arena.openings_make import Recipe, make, recipe
from plyground.cli.options import GameArgument, JsonOption, check_seed
from plyground.records.files import write_text

app = typer.Typer(no_args_is_help=True, help="Decks of openings: list, show, make.")


@app.command("list")
def list_decks(as_json: JsonOption = False) -> None:
    """List the games that have a deck, and how many openings are in it."""
    counts = {name: len(find_openings(make_game(name))) for name in shipped()}
    if as_json:
        typer.echo(json.dumps(counts))
    else:
        for name, count in counts.items():
            typer.echo(f"{name}: {count} openings")


@app.command("show")
def show_deck(
    game: GameArgument,
    deck: Annotated[str, typer.Option(metavar="WHICH", help="start, deck or a file of openings.")] = "deck",
    as_json: JsonOption = False,
) -> None:
    """Print the openings of a deck."""
    found = find_openings(make_game(game), deck)
    if as_json:
        typer.echo(json.dumps({"game": make_game(game).spec, "openings": [list(moves) for moves in found]}))
    else:
        for moves in found:
            typer.echo(" ".join(moves))


@app.command("make")
def make_deck(
    game: GameArgument,
    plies: Annotated[int | None, typer.Option(metavar="N", min=1, max=100, help="Moves of each opening.")] = None,
    count: Annotated[int | None, typer.Option(metavar="N", min=1, max=10_000, help="Openings, at most.")] = None,
    agent: Annotated[str | None, typer.Option(metavar="SPEC", help="Whose value of a position decides.")] = None,
    margin: Annotated[
        float | None, typer.Option(metavar="X", min=0, max=0.5, help="How far from 0.5 the value may be.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", callback=check_seed, help="The same seed gives the same deck.")] = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the deck there.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a deck of openings that a search holds for balanced.

    What is not given is as in the deck that the package has for the game.
    """
    chosen = make_game(game)
    given = {"plies": plies, "count": count, "agent": agent, "margin": margin, "seed": seed}
    by = replace(recipe(chosen), **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    found = _make(chosen.spec, by)
    text = "".join(f"{line}\n" for line in [f"# {_about(chosen.spec, by)}", *(" ".join(moves) for moves in found)])
    if output is not None:
        write_text(output, text)
    if as_json:
        typer.echo(json.dumps({"game": chosen.spec, **vars(by), "openings": [list(moves) for moves in found]}))
    elif output is not None:
        typer.echo(f"{len(found)} openings are in {output}.")
    else:
        typer.echo(text, nl=False)


def _about(game: str, by: Recipe) -> str:
    options = f"--plies {by.plies} --count {by.count} --agent '{by.agent}' --margin {by.margin:g} --seed {by.seed}"
    return f"plyground openings make {game} {options}"


def _make(game: str, by: Recipe) -> list[tuple[str, ...]]:
    """Make them, with a count on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        return make(make_game(game), by)
    from rich.console import Console

    with Console(stderr=True).status("Looking for openings") as status:
        return make(make_game(game), by, lambda count: status.update(f"{count} openings found"))
