"""The list of commands. A command's module is imported only when the command is used, so that start-up is fast."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from plyground.cli.game_file import game_file_option

SUMMARIES = {
    "serve": "Serve the web UI on http://localhost:5050 and open it in the browser.",
    "play": "Play in the terminal against an agent.",
    "analyse": "Analyse a position: print the value and principal variation of every move.",
    "compare": "Compare agents on one position: print the move, value, time and work of each.",
    "review": "Review a game: print the value that each move lost and the accuracy of both sides.",
    "match": "Play a match between two agents that alternate sides.",
    "tournament": "Run, resume, show, list and delete tournaments.",
    "agents": "List agents, presets and levels, or show the options of one of them.",
    "train": "Learn evaluation weights. Runs are saved in the store and can be resumed.",
    "weights": "List, show, compare and rate evaluation weights.",
    "networks": "List, show, rate and export compact networks.",
    "games": "List, show, import, export, tag and delete stored games.",
    "openings": "List, show or make decks of openings.",
    "solve": "Solve positions exactly: print the score of each position and of every move.",
    "tables": "Build, probe and verify checkers endgame tables.",
    "uci": "Run as a UCI engine for chess GUIs such as Cute Chess, Arena and En Croissant.",
    "perft": "Count the leaf nodes of the move tree (perft), to test move generation and its speed.",
    "bench": "Measure the speed of the engine, alone or compared with another engine.",
}
"""The commands in the order shown in the help, with the first sentence of their help text (a test checks that they
match). The module of a command has the same name and contains a function with that name or, for a group, `app`."""


def new_group(name: str) -> typer.Typer:
    """Return an empty group of commands."""
    return typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=SUMMARIES[name])


def load(name: str) -> Any:
    """Import and return a command."""
    module = import_module(f"plyground.cli.{name}")
    app = getattr(module, "app", None)
    if not isinstance(app, typer.Typer):
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name)(getattr(module, name))
    loaded: Any = get_command(app)
    for command in (loaded, *getattr(loaded, "commands", {}).values()):
        if not isinstance(command, TyperGroup):
            command.params.append(game_file_option())
    return loaded


class _Commands(MutableMapping[str, Any]):
    """The commands by name, imported on first use."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in SUMMARIES:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = load(name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in SUMMARIES

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


class LazyGroup(TyperGroup):
    """A group that lists all commands without importing them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = _Commands()

    def list_commands(self, _: Any) -> list[str]:
        """Return the names of the commands in the order shown in the help."""
        return list(SUMMARIES)

    def format_commands(self, _: Any, formatter: Any) -> None:
        """Write the commands and their summaries."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def invoke(self, context: Any) -> Any:
        """Run the command; if Ctrl-C ends it, print a line on standard error."""
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            typer.echo("\nInterrupted.", err=True)
            raise
