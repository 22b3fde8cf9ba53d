"""The `plyground` command."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from plyground import PlygroundError, __version__
from plyground.cli.game_file import GameFileOption
from plyground.cli.verbs import LazyGroup
from plyground.errors import describe

app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Rich is slow to import
)


def show_version(requested: bool) -> None:
    """Print the version and exit."""
    if requested:
        typer.echo(f"plyground {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def plyground(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
    game_file: GameFileOption = None,  # noqa: ARG001
) -> None:
    """Play, analyse, train and rate game AIs: checkers, Connect Four, tic-tac-toe, chess and user games.

    Without a command, serve the web UI on http://localhost:5050 and open it, like `plyground serve`.
    """
    if context.invoked_subcommand is None:
        from plyground.cli.serve import serve

        context.invoke(serve, context=context)


def main() -> None:
    """Run the command line. Errors become one line on standard error and an exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None if the stream is closed
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")
    try:
        if sys.argv[1:] == ["uci"]:  # GUIs wait for the engine, and running a command with Typer imports pydantic
            from plyground.cli.uci import uci

            uci()
        else:
            app()
    except PlygroundError as error:
        fail(str(error), error.exit_code)
    except OSError as error:
        fail(f"{error.filename or 'output'}: {error.strerror}", 1)
    except Exception as error:
        if os.environ.get("PLYGROUND_TRACEBACK"):
            raise
        fail(f"internal error: {describe(error)} (set PLYGROUND_TRACEBACK=1 for a traceback)", 1)


def fail(message: str, code: int) -> None:
    """Print the message on one line of standard error and exit."""
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
