"""The command `plyground`. Rich is imported where it is used: it costs as much as all the rest."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from plyground import PlygroundError, __version__
from plyground.cli.analyse import analyse
from plyground.cli.bench import bench
from plyground.cli.game_file import load_games
from plyground.cli.games import app as games
from plyground.cli.match import match
from plyground.cli.openings import app as openings
from plyground.cli.perft import perft
from plyground.cli.play import play
from plyground.cli.serve import serve
from plyground.cli.solve import solve
from plyground.cli.tables import app as tables
from plyground.cli.tournament import app as tournament
from plyground.cli.train import app as train
from plyground.cli.weights import app as weights

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
for command in (serve, play, analyse, match, solve, perft, bench):
    app.command()(command)
GROUPS = {
    "tournament": tournament,
    "openings": openings,
    "games": games,
    "tables": tables,
    "train": train,
    "weights": weights,
}
for name, commands in GROUPS.items():
    app.add_typer(commands, name=name)


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(f"plyground {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def plyground(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and leave."),
    ] = False,
    game_file: Annotated[  # noqa: ARG001
        Path | None,
        typer.Option(metavar="FILE", callback=load_games, help="Run this Python file first: it registers your games."),
    ] = None,
) -> None:
    """Play, analyse, train and rate game-playing programs: checkers, Connect Four, tic-tac-toe and chess.

    Alone it serves the page on http://localhost:5050 and opens it: the same as plyground serve.
    """
    if context.invoked_subcommand is None:
        context.invoke(serve, context=context)


def main() -> None:
    """Run the command line; whatever goes wrong becomes one line and an exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where it is closed
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")
    try:
        app()
    except PlygroundError as error:
        leave(str(error), error.exit_code)
    except OSError as error:
        leave(f"{error.filename or 'output'}: {error.strerror}", 1)
    except Exception as error:
        if os.environ.get("PLYGROUND_TRACEBACK"):
            raise
        why = f"{type(error).__name__}: {error}"
        leave(f"this should not happen: {why} (PLYGROUND_TRACEBACK=1 shows where)", 1)


def leave(why: str, code: int) -> None:
    """Say on one line of standard error what was wrong, and exit."""
    typer.echo(f"error: {' '.join(why.split())}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
