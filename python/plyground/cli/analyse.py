"""`plyground analyse`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from plyground import Position
from plyground import game as make_game
from plyground.agents import Analysis, Limit
from plyground.agents.mcts import MctsAgent
from plyground.cli.options import GameArgument, JsonOption, PositionOption, SeedOption, SyzygyOption
from plyground.drawing import draw
from plyground.errors import ParseError
from plyground.levels import player

SHOWN = 10
"""Moves that are printed."""


def analyse(
    game: GameArgument,
    position: PositionOption = None,
    moves: Annotated[str, typer.Option(metavar="MOVES", help="Moves played from there, apart by spaces.")] = "",
    agent: Annotated[
        str,
        typer.Option("--agent", "--level", metavar="SPEC", help="Who analyses: the spec of an agent, or a level."),
    ] = "mcts",
    simulations: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop after so many.")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Stop after so long.")] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop at this depth.")] = None,
    tree: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Keep the tree of the search here: go on from it if it is there, and save it in the end.",
        ),
    ] = None,
    syzygy: SyzygyOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Say what an agent thinks of a position: every move, its value, the best line."""
    where = make_game(game).position(position, moves.split())
    limit = Limit(simulations=simulations, seconds=seconds, depth=depth)
    analyst = player(where.game.spec, agent, syzygy=syzygy)
    if tree is not None and not isinstance(analyst, MctsAgent):
        raise ParseError(f"--tree: {agent} keeps no tree; accepted is an agent mcts(...)")
    if isinstance(analyst, MctsAgent) and tree is not None and tree.exists():
        analyst.load_tree(tree)
    analysis = analyst.analyse(where, limit, seed=seed)
    if isinstance(analyst, MctsAgent) and tree is not None:
        analyst.save_tree(tree)
    if as_json:
        typer.echo(json.dumps(_report(analysis)))
    else:
        typer.echo(f"{draw(where)}\n")
        _print(where, analysis)


def _report(analysis: Analysis) -> dict[str, object]:
    fields = {
        field.name: getattr(analysis, field.name)
        for field in dataclasses.fields(analysis)
        if field.name not in ("position", "moves", "choice")
    }
    return {
        "game": analysis.position.game.spec,
        "position": analysis.position.text,
        "turn": analysis.position.turn,
        "best": analysis.best.move,
        "line": analysis.line,
        **fields,
        "moves": [dataclasses.asdict(move) for move in analysis.moves],
    }


def _print(position: Position, analysis: Analysis) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{position.turn} to move", title_justify="left", title_style="")
    for name in ("Move", "Value", "95 %", "Visits", "Known", "Line"):
        table.add_column(name, justify="right" if name in ("Value", "95 %", "Visits") else "left")
    ranked = sorted(analysis.moves, key=lambda move: (move is analysis.best, move.share), reverse=True)
    for move in ranked[:SHOWN]:
        known: str = move.known or ""
        if move.distance is not None:
            known += f" in {move.distance}"
        table.add_row(
            move.move,
            "" if move.value is None else f"{move.value:.1%}",
            "" if move.low is None or move.high is None else f"{move.low:.1%} - {move.high:.1%}",
            f"{move.visits:,}" if move.visits else "",
            known,
            " ".join(move.line[:8]),
        )
    Console().print(table)
    typer.echo(
        f"{analysis.simulations:,} simulations and {analysis.nodes:,} nodes in {analysis.seconds:.2f} s, "
        f"{analysis.depth:.1f} plies deep, {analysis.deepest} at most"
    )
