"""`plyground analyse`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from plyground import Position
from plyground import game as make_game
from plyground.agents import Agent, Analysis, Budget, Limit, MoveAnalysis
from plyground.agents import agent as agent_by_spec
from plyground.agents.mcts import MctsAgent
from plyground.board_text import draw
from plyground.cli.options import (
    GameArgument,
    JsonOption,
    MovesOption,
    PositionOption,
    SeedOption,
    SyzygyOption,
)
from plyground.cli.progress import on_first_ctrl_c, show_status
from plyground.cli.text_table import label, number, print_table, text, without_empty_columns
from plyground.errors import ParseError
from plyground.formatting import line_notation
from plyground.levels import player

DEFAULT_SECONDS = 1.0
"""Duration of an analysis if neither the command nor the agent sets a limit."""
BOUND_SIGNS = {None: "", "lower": ">= ", "upper": "<= "}
PV_PLIES = 8
"""Maximum number of plies of a principal variation that are printed."""


def analyse(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    agent: Annotated[
        str,
        typer.Option("--agent", "--level", metavar="SPEC", help="Agent spec, preset or level to analyse with."),
    ] = "mcts",
    simulations: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop after N simulations.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Stop after S seconds.", show_default="1, unless the agent has its own limit"),
    ] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop at a depth of N plies.")] = None,
    tree: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Load the search tree from this file if it exists, and save it there afterwards.",
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Print only the N best moves.", show_default="all")
    ] = None,
    syzygy: SyzygyOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Analyse a position: print the value and principal variation of every move.

    Ctrl-C ends the analysis early and prints its result so far.
    """
    root = make_game(game).position(position, moves.split())
    limit = Limit(simulations=simulations, seconds=seconds, depth=depth)
    analyst = _with_default_time(player(root.game.spec, agent, syzygy=syzygy), limit)
    if tree is not None and not isinstance(analyst, MctsAgent):
        raise ParseError(f"--tree requires an mcts(...) agent, got {agent}")
    if isinstance(analyst, MctsAgent) and tree is not None and tree.exists():
        _load_tree(analyst, tree, root)
    analysis = _analyse(analyst, root, limit, seed)
    if isinstance(analyst, MctsAgent) and tree is not None:
        analyst.save_tree(tree)
    if as_json:
        typer.echo(json.dumps(_report(analysis)))
    else:
        typer.echo(f"{draw(root)}\n")
        _print_table(root, analysis, top)


def _with_default_time(analyst: Agent, limit: Limit) -> Agent:
    """Return the agent with a time limit if it can have one and nothing else limits its analysis."""
    if limit != Limit() or analyst.limits_itself:
        return analyst
    return agent_by_spec(analyst.spec, seconds=DEFAULT_SECONDS)


def _load_tree(analyst: MctsAgent, file: Path, position: Position) -> None:
    """Load a saved tree; raise an error if the analysis would replace it with the tree of an unrelated position."""
    root = analyst.load_tree(file)
    if root.game != position.game:
        raise ParseError(f"{file} contains a tree of {root.game.spec}, not of {position.game.spec}; use another file")
    continues = root.ply <= position.ply and position.history[: root.ply] == root.history
    if not continues or position.replay(0).text != root.replay(0).text:
        raise ParseError(
            f"{file} contains the tree of another position, after {' '.join(root.history) or 'no moves'} from "
            f"{root.replay(0).text}; use another file"
        )


def _analyse(analyst: Agent, position: Position, limit: Limit, seed: int) -> Analysis:
    """Run the analysis with a progress line on a terminal; Ctrl-C ends it early."""

    def report(analysis: Analysis) -> None:
        work = f"{analysis.simulations:,} simulations" if analysis.simulations else f"{analysis.nodes:,} nodes"
        value = "" if analysis.value is None else f" ({analysis.value:.1%})"
        best = " ".join(line_notation(position, analysis.pv[:PV_PLIES]))
        update(f"{analysis.seconds:.1f} s, {work}, best so far{value}: {best} (Ctrl-C: stop)")

    with show_status(f"{analyst.spec} is thinking (Ctrl-C: stop)") as update:
        budget = Budget(limit, report=report)
        with on_first_ctrl_c(budget.stop):
            return analyst.analyse(position, budget, seed=seed)


def _report(analysis: Analysis) -> dict[str, object]:
    fields = {
        field.name: getattr(analysis, field.name)
        for field in dataclasses.fields(analysis)
        if field.name not in ("position", "moves", "best_index")
    }
    return {
        "game": analysis.position.game.spec,
        "position": analysis.position.text,
        "turn": analysis.position.turn,
        "best": analysis.best.move,
        "pv": analysis.pv,
        **fields,
        "moves": [dataclasses.asdict(move) for move in analysis.moves],
    }


def _print_table(position: Position, analysis: Analysis, top: int | None) -> None:
    ranked = sorted(
        analysis.moves, key=lambda move: (move is analysis.best, move.share, move.value or 0.0), reverse=True
    )
    shown = ranked[:top]
    rows = [
        (
            position.notation(move.move),
            _value(move),
            f"{move.low:.1%} - {move.high:.1%}"
            if move.visits and move.low is not None and move.high is not None
            else "",
            f"{move.visits:,}" if move.visits else "",
            " in ".join(str(part) for part in (move.proven, move.distance) if part is not None),
            " ".join(line_notation(position, move.pv[:PV_PLIES])) + (" ..." if len(move.pv) > PV_PLIES else ""),
        )
        for move in shown
    ]
    columns = (
        label("Move"),
        number("Value"),
        number("95% interval"),
        number("Visits"),
        label("Proven"),
        text("Principal variation"),
    )
    print_table(*without_empty_columns(columns, rows), title=f"{position.turn} to move")
    if hidden := len(ranked) - len(shown):
        typer.echo(f"{hidden} more {'move is' if hidden == 1 else 'moves are'} not listed.")
    typer.echo(
        f"{analysis.simulations:,} simulations and {analysis.nodes:,} nodes in {analysis.seconds:.2f} s, "
        f"mean depth {analysis.mean_depth:.1f} plies, maximum {analysis.max_depth}"
    )
    if playouts := sum(analysis.playout_results):
        first, second = position.game.sides
        names = (f"won by {first}", f"won by {second}", "drawn", "cut off")
        shares = (f"{count / playouts:.1%} {name}" for count, name in zip(analysis.playout_results, names, strict=True))
        typer.echo(f"{playouts:,} playouts of {analysis.mean_playout_length:.1f} plies on average: {', '.join(shares)}")


def _value(move: MoveAnalysis) -> str:
    """Return the value of a move; alpha-beta may know only a bound."""
    if move.value is None:
        return ""
    return f"{BOUND_SIGNS[move.bound]}{move.value:.1%}"
