"""Games of the user's own that a command is told of by ``--game-file``."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import typer

from plyground import ParseError
from plyground.own import registered


def load_games(path: Path | None) -> Path | None:
    """Run a Python file that registers games; only ever a file that the person at the keyboard names."""
    if path is None:
        return None
    source = importlib.util.spec_from_file_location(f"plyground_game_file_{path.stem}", path)
    if source is None or source.loader is None:
        raise ParseError(f"{path}: it is not a Python file; accepted is one that ends in .py")
    before = set(registered())
    module = importlib.util.module_from_spec(source)
    sys.modules[source.name] = module
    source.loader.exec_module(module)
    if set(registered()) == before:
        raise ParseError(f"{path}: it registers no game; accepted is a file that calls plyground.register")
    return path


def preparation(context: typer.Context) -> Callable[[], object] | None:
    """What a process must do to know the same games as this one; None: nothing."""
    path = context.find_root().params.get("game_file")
    return None if path is None else partial(load_games, Path(path).absolute())
