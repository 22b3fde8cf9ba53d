"""`plyground agents`."""

from __future__ import annotations

import json
import shutil
from textwrap import wrap
from typing import Annotated, Any

import typer

from plyground import game as make_game
from plyground import games
from plyground.agents import Limit, presets
from plyground.agents.options import Option
from plyground.agents.presets import Preset
from plyground.agents.registry import AGENTS, resolve, unknown_agent
from plyground.cli.options import JsonOption
from plyground.cli.text_table import label, number, print_table, text, without_empty_columns
from plyground.levels import Level, level_names, levels
from plyground.spec import parse_spec

MAX_WIDTH = 100
"""Maximum width of descriptions, in characters."""
INDENT = "    "
"""Indentation of descriptions."""


def agents(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="An agent, preset or level.", show_default="list all")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="List only presets and levels for this game.", show_default="all games"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List agents, presets and levels, or show the options of one of them.

    Each can be used wherever a command takes a player. Options follow the name in parentheses:
    'mcts(simulations=800, c=1.4)', 'uct(simulations=50)'.
    """
    chosen = [one.spec for one in ([make_game(game)] if game is not None else games())]
    if name is None:
        _list(chosen, as_json)
        return
    by_name = {level.lower(): level for level in level_names()}
    found: Any = by_name.get(name.lower())
    if found is not None:
        _show_level(found, chosen, as_json)
        return
    if name not in AGENTS and name not in presets():
        raise unknown_agent(name, tuple(by_name.values()))
    _show_agent(name, as_json)


def _list(chosen: list[str], as_json: bool) -> None:
    found = [preset for preset in presets().values() if _is_for(preset, chosen)]
    by_game = {game: levels(game) for game in chosen}
    if as_json:
        report = {
            "agents": [{"name": name, "description": kind.description} for name, kind in AGENTS.items()],
            "presets": [_preset_report(preset) for preset in found],
            "levels": {game: [_level_report(level) for level in listed] for game, listed in by_game.items()},
        }
        typer.echo(json.dumps(report))
        return
    columns = label("Agent"), text("Description")
    print_table(columns, [(name, kind.description) for name, kind in AGENTS.items()])
    typer.echo()
    columns = label("Preset"), text("Description")
    print_table(columns, [(preset.name, preset.description) for preset in found])
    typer.echo()
    names = dict.fromkeys(level.name for listed in by_game.values() for level in listed)
    print_table((label("Level"), text("Games")), [(name, _games_of(name, by_game)) for name in names])
    typer.echo("\nShow the options of an agent or preset, or the settings of a level, with: plyground agents NAME")


def _is_for(preset: Preset, chosen: list[str]) -> bool:
    return preset.games is None or any(parse_spec(game).name in preset.games for game in chosen)


def _games_of(name: str, by_game: dict[str, list[Level]]) -> str:
    """Return the games that have a level, with its rating in each."""
    found = [(game, level.rating) for game, listed in by_game.items() for level in listed if level.name == name]
    return ", ".join(game if rating is None else f"{game} ({rating:.0f} Elo)" for game, rating in found)


def _show_level(name: str, chosen: list[str], as_json: bool) -> None:
    by_game = {game: level for game in chosen for level in levels(game) if level.name == name}
    if as_json:
        report = {"name": name, "levels": {game: _level_report(level) for game, level in by_game.items()}}
        typer.echo(json.dumps(report))
        return
    rows = [
        (
            game,
            level.spec,
            _limit_text(level.limit),
            f"{level.temperature:g}" if level.temperature else "",
            "" if level.rating is None else f"{level.rating:.0f}",
        )
        for game, level in by_game.items()
    ]
    columns = label("Game"), text("Agent"), text("Limit per move"), number("Temperature"), number("Elo")
    typer.echo(f"{name}: a level, a named agent with a limit and a temperature\n")
    print_table(*without_empty_columns(columns, rows))


def _show_agent(name: str, as_json: bool) -> None:
    kind, preset_options = resolve(parse_spec(name))
    preset = presets().get(name)
    if as_json:
        report = {
            **({"name": name, "description": kind.description} if preset is None else _preset_report(preset)),
            "options": [_option_report(option, preset_options.get(option.name)) for option in kind.options],
        }
        typer.echo(json.dumps(report))
        return
    if preset is None:
        typer.echo(f"{name}: {kind.description}")
    else:
        typer.echo(f"{name}: {preset.description}\nagent: {preset.agent}")
    if not kind.options:
        typer.echo("It has no options.")
        return
    width = min(shutil.get_terminal_size().columns, MAX_WIDTH)
    for option in kind.options:
        default = preset_options.get(option.name, option.default)
        heading = f"{option.name}: {option.allowed}{f'; default {default}' if default else ''}"
        typer.echo()
        for line in wrap(heading, width, subsequent_indent="  "):
            typer.echo(line)
        for line in wrap(option.description, width, initial_indent=INDENT, subsequent_indent=INDENT):
            typer.echo(line)


def _option_report(option: Option, preset_value: str | None) -> dict[str, Any]:
    return {
        "name": option.name,
        "kind": option.kind,
        "default": option.default if preset_value is None else preset_value,
        "allowed": option.allowed,
        "description": option.description,
    }


def _preset_report(preset: Preset) -> dict[str, Any]:
    return {
        "name": preset.name,
        "agent": preset.agent,
        "description": preset.description,
        "games": None if preset.games is None else list(preset.games),
    }


def _level_report(level: Level) -> dict[str, Any]:
    return {
        "name": level.name,
        "agent": level.spec,
        "limit": {name: value for name, value in vars(level.limit).items() if value is not None},
        "temperature": level.temperature,
        "rating": level.rating,
    }


def _limit_text(limit: Limit) -> str:
    units = {"simulations": "simulations", "seconds": "s", "depth": "plies", "mebibytes": "MiB", "nodes": "nodes"}
    return ", ".join(f"{value:,} {units[name]}" for name, value in vars(limit).items() if value is not None)
