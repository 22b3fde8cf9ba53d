"""The option ``--game-file``, accepted before and after the command, which loads user games from a file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_command

from plyground import ParseError
from plyground.errors import PlygroundError, describe
from plyground.user_games import registered

_KEY = "plyground.game_files"
"""Key in the context's `meta`, which a command shares with its group."""


def load_games(path: Path | None) -> Path | None:
    """Run a Python file that registers games. The path must come from the local user, never from a request."""
    if path is None:
        return None
    module_spec = importlib.util.spec_from_file_location(f"plyground_game_file_{path.stem}", path)
    if module_spec is None or module_spec.loader is None:
        raise ParseError(f"{path} is not a Python file (.py)")
    before = registered()
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_spec.name] = module
    try:
        module_spec.loader.exec_module(module)
    except (PlygroundError, OSError):
        raise
    except Exception as error:
        raise ParseError(f"{path}: {describe(error)}") from error
    if registered() == before:
        raise ParseError(f"{path} registers no game; it must call plyground.register")
    return path


def load_option(context: typer.Context, path: Path | None) -> Path | None:
    """Load the games in the file given with the option and remember the file."""
    if load_games(path) is not None:
        context.meta.setdefault(_KEY, []).append(path)
    return path


GameFileOption = Annotated[
    Path | None,
    typer.Option(
        "--game-file",
        metavar="FILE",
        callback=load_option,
        is_eager=True,
        help="Python file that registers user games; run before the command.",
    ),
]


@cache
def game_file_option() -> Any:
    """Return the option as a parameter to add to commands; it is not passed to their functions."""
    app = typer.Typer(add_completion=False)

    @app.command()
    def command(game_file: GameFileOption = None) -> None: ...

    option = get_command(app).params[0]
    option.expose_value = False
    return option


def game_files(context: typer.Context) -> list[Path]:
    """Return the files that were loaded, as absolute paths."""
    return [path.absolute() for path in context.meta.get(_KEY, [])]


def preparation(context: typer.Context) -> Callable[[], object] | None:
    """Return a function that loads the same games in another process, or None if there are none."""
    files = game_files(context)
    return partial(load_all, files) if files else None


def load_all(paths: Sequence[Path]) -> None:
    """Load the games of several files."""
    for path in paths:
        load_games(path)
