"""`plyground openings`: decks of openings for matches and tournaments."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plyground import game as make_game
from plyground.arena.openings import Opening, shipped
from plyground.arena.openings import openings as find_openings
from plyground.arena.openings_make import DeckSettings, default_settings, make_deck
from plyground.cli.options import GameArgument, JsonOption, check_seed
from plyground.cli.verbs import new_group
from plyground.files import write_text

app = new_group("openings")


@app.command("list")
def list_decks(as_json: JsonOption = False) -> None:
    """List the games that have a built-in deck, with the number of openings."""
    counts = {name: len(find_openings(make_game(name))) for name in shipped()}
    if as_json:
        typer.echo(json.dumps(counts))
    else:
        for name, count in counts.items():
            typer.echo(f"{name}: {count} openings")


@app.command("show")
def show_deck(
    game: GameArgument,
    deck: Annotated[str, typer.Option(metavar="DECK", help="start, deck or a file of openings.")] = "deck",
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
def make(
    game: GameArgument,
    plies: Annotated[int | None, typer.Option(metavar="N", min=1, max=100, help="Length of each opening.")] = None,
    count: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=10_000, help="Maximum number of openings.")
    ] = None,
    agent: Annotated[str | None, typer.Option(metavar="SPEC", help="Agent that evaluates the positions.")] = None,
    margin: Annotated[
        float | None, typer.Option(metavar="X", min=0, max=0.5, help="Maximum deviation of the value from 0.5.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", callback=check_seed, help="The same seed gives the same deck.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the deck to this file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a deck of openings that a search evaluates as balanced.

    Options default to the settings of the game's built-in deck.
    """
    chosen = make_game(game)
    given = {"plies": plies, "count": count, "agent": agent, "margin": margin, "seed": seed}
    changes = {name: value for name, value in given.items() if value is not None}
    settings = replace(default_settings(chosen), **changes)  # type: ignore[arg-type]
    deck = _make_with_progress(chosen.spec, settings)
    text = "".join(f"{line}\n" for line in [f"# {_command(chosen.spec, settings)}", *map(" ".join, deck)])
    if output is not None:
        write_text(output, text)
    if as_json:
        typer.echo(json.dumps({"game": chosen.spec, **vars(settings), "openings": [list(moves) for moves in deck]}))
    elif output is not None:
        typer.echo(f"Wrote {len(deck)} openings to {output}.")
    else:
        typer.echo(text, nl=False)


def _command(game: str, settings: DeckSettings) -> str:
    """Return the command that makes this deck."""
    limits = f"--plies {settings.plies} --count {settings.count}"
    criterion = f"--agent '{settings.agent}' --margin {settings.margin:g}"
    return f"plyground openings make {game} {limits} {criterion} --seed {settings.seed}"


def _make_with_progress(game: str, settings: DeckSettings) -> list[Opening]:
    """Make the deck; show the number of openings on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        return make_deck(make_game(game), settings)
    from rich.console import Console

    with Console(stderr=True).status("Searching for openings") as status:
        return make_deck(make_game(game), settings, lambda count: status.update(f"{count} openings found"))
