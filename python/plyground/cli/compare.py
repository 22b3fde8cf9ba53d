"""`plyground compare`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plyground import game as make_game
from plyground.agents import Limit
from plyground.board_text import draw
from plyground.cli.options import GameArgument, JsonOption, MovesOption, PositionOption, SeedOption
from plyground.cli.progress import make_bar
from plyground.cli.text_table import label, number, print_table, text, without_empty_columns
from plyground.compare import (
    EXACT_SECONDS,
    SECONDS,
    Comparison,
    default_agents,
    exact_text,
    propose,
    work_text,
)
from plyground.formatting import line_notation
from plyground.review import exact_lookup

PV_PLIES = 6
"""Maximum number of plies of a principal variation that are printed."""


def compare(
    game: GameArgument,
    others: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT...", help="More agents.", show_default=False)
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agents",
            metavar="AGENT...",
            help="Agent specs, presets or levels.",
            show_default="flat, mcts, alphabeta and the learned agents of the game",
        ),
    ] = None,
    position: PositionOption = None,
    moves: MovesOption = "",
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds per agent.", show_default=f"its own limit, or {SECONDS:g}"),
    ] = None,
    simulations: Annotated[int | None, typer.Option(metavar="N", min=1, help="Simulations per agent.")] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare agents on one position: print the move, value, time and work of each.

    Where the solver or the endgame tables know the position, the exact value of each move is printed, too.
    """
    root = make_game(game).position(position, moves.split())
    chosen = [*(agents or []), *(others or [])] or default_agents(root.game)
    exact = exact_lookup(root.game, EXACT_SECONDS)
    with make_bar() as progress:
        limit = Limit(simulations=simulations, seconds=seconds)
        proposals = propose(root, chosen, limit, seed=seed, exact=exact)
        found = tuple(progress.track(proposals, total=len(chosen), description="Comparing"))
    comparison = Comparison(root, exact(root), found)
    if as_json:
        typer.echo(json.dumps(comparison.to_dict()))
    else:
        typer.echo(f"{draw(root)}\n")
        _print_table(comparison)


def _print_table(comparison: Comparison) -> None:
    position = comparison.position
    rows = [
        (
            one.agent,
            position.notation(one.move),
            "" if one.value is None else f"{one.value:.1%}",
            exact_text(one.exact),
            f"{one.analysis.seconds:.2f} s",
            work_text(one.analysis),
            " ".join(line_notation(position, one.analysis.pv[:PV_PLIES])),
        )
        for one in comparison.proposals
    ]
    columns = (
        text("Agent"),
        label("Move"),
        number("Value"),
        label("Exact"),
        number("Time"),
        number("Work"),
        text("Principal variation"),
    )
    print_table(*without_empty_columns(columns, rows), title=f"{position.turn} to move")
    if comparison.exact is not None:
        typer.echo(f"Exact value of the position: {exact_text(comparison.exact)} ({comparison.exact.source})")
