"""`plyground networks`: compact networks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import WeightsError
from plyground import game as make_game
from plyground.cli.options import GameArgument, JsonOption, SeedOption
from plyground.cli.text_table import label, number, print_table
from plyground.cli.trained_files import chosen_games, metadata, print_list, rate_by_match, report_rating
from plyground.cli.verbs import new_group

if TYPE_CHECKING:
    from plyground import Game
    from plyground.networks import CompactNetwork

app = new_group("networks")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a built-in network, or a file.")]


@app.command("list")
def list_networks(
    game: Annotated[str | None, typer.Argument(metavar="GAME", show_default="every game")] = None,
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help="More networks to list.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the built-in networks, and those in files."""
    from plyground.networks import load, load_file, names

    given = files or []
    if game is not None and game.endswith(".safetensors"):
        given, game = [Path(game), *given], None
    chosen = [] if given and game is None else chosen_games(game)
    shipped = [(name, load(name, one)) for one in chosen for name in names(one)]
    listed = [*shipped, *((str(file), load_file(file)) for file in given)]
    if as_json:
        typer.echo(json.dumps([{"name": name, **_report(network)} for name, network in listed]))
    elif not listed:
        typer.echo("There are no built-in networks. Train one with: plyground train network GAME")
    else:
        print_list([(name, network, f"{network.parameters:,}") for name, network in listed], "Parameters")


@app.command()
def show(game: GameArgument, name: Name, as_json: JsonOption = False) -> None:
    """Show how a network was trained, and its arrays."""
    network = _load(name, make_game(game))
    report = _report(network)
    if as_json:
        typer.echo(json.dumps({"name": name, **report}))
        return
    typer.echo(f"{name}: {network.description or 'a compact network'}\n")
    settings = ", ".join(f"{key}={value}" for key, value in network.settings.items())
    rating = "".join(f"{network.rating['elo']:+.0f}" if "elo" in network.rating else "")
    facts = {
        "Game": network.game,
        "Method": network.method,
        "Training games": f"{network.games:,}",
        "Settings": settings,
        "Seed": str(network.seed),
        "Date": network.date,
        "Elo": rating,
        "Width": str(report["width"]),
        "Policy": f"{report['hidden']} hidden values" if report["hidden"] else "none",
        "Value head": f"{report['buckets']} buckets of {network.bucket_pieces} pieces",
        "Parameters": f"{network.parameters:,}",
    }
    for heading, value in facts.items():
        if value:
            typer.echo(f"{heading}: {value}")
    typer.echo()
    rows = [(key, " x ".join(map(str, tensor.shape))) for key, tensor in network.tensors.items()]
    print_table((label("Array"), number("Shape")), rows)


@app.command()
def rate(
    game: GameArgument,
    name: Name,
    agent: Annotated[
        str, typer.Option(metavar="SPEC", help="Agent that plays with the network in its option `network`.")
    ] = "alphabeta(depth=5)",
    against: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Opponent.", show_default="the agent without the network")
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", min=2, max=100_000, help="Number of games.")] = 400,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Rate a network in a match against a reference from the game's openings.

    If NAME is a file, the rating is written to it.
    """
    from plyground.agents import agent as agent_by_spec
    from plyground.levels import player
    from plyground.networks import save

    chosen = make_game(game)
    network = _load(name, chosen)
    reference = against or agent
    rating = rate_by_match(chosen, agent_by_spec(agent, network=name), player(chosen.spec, reference), games, seed, {})
    report_rating(name, rating, reference, lambda found: save(Path(name), replace(network, rating=found)), as_json)


@app.command()
def export(
    game: GameArgument,
    name: Name,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Output file.", show_default="NAME.onnx")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Export a network to ONNX (requires the extra `onnx`)."""
    from plyground.files import write_bytes
    from plyground.networks.export import export_onnx

    chosen = make_game(game)
    network = _load(name, chosen)
    is_file = name.endswith(".safetensors")
    file = out or (Path(name).with_suffix(".onnx") if is_file else Path(f"{chosen.id}-{name}.onnx"))
    data = export_onnx(network)
    write_bytes(file, data)
    if as_json:
        typer.echo(json.dumps({"file": str(file), "bytes": len(data)}))
    else:
        typer.echo(f"{file}: {len(data):,} bytes")


def _load(name: str, game: Game) -> CompactNetwork:
    """Load a network and check that it is for a game."""
    from plyground.networks import load

    network = load(name, game.spec)
    if network.game != game.spec:
        raise WeightsError(f"{name}: expected a network for {game.spec}, got a network for {network.game}")
    return network


def _report(network: CompactNetwork) -> dict[str, Any]:
    shapes = {name: tensor.shape for name, tensor in network.tensors.items()}
    return {
        **metadata(network),
        "width": shapes["features.bias"][0],
        "hidden": shapes["hidden.bias"][0] if "hidden.bias" in shapes else 0,
        "buckets": shapes["value.bias"][0],
        "bucket_pieces": network.bucket_pieces,
        "parameters": network.parameters,
        "arrays": {name: list(shape) for name, shape in shapes.items()},
    }
