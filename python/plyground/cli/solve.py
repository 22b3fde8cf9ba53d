"""`plyground solve`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from plyground import ParseError, Position
from plyground.board_text import draw
from plyground.cli.options import MAX_MEBIBYTES, GameArgument, JsonOption, ThreadsOption
from plyground.cli.progress import on_first_ctrl_c, show_progress, show_status
from plyground.exact import Solution, Solver, build_book
from plyground.exact.book import PLY
from plyground.exact.solve import DEFAULT_MEBIBYTES, parse_position


def solve(
    game: GameArgument,
    moves: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MOVES",
            help="Moves from the start: column digits for Connect Four ('4444'), squares for tic-tac-toe ('b2 a1').",
        ),
    ] = None,
    as_json: JsonOption = False,
    threads: ThreadsOption = None,
    mebibytes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=MAX_MEBIBYTES,
            help=f"Memory of the transposition table in MiB (default: {DEFAULT_MEBIBYTES}, or 1024 to build a book).",
        ),
    ] = None,
    book: Annotated[bool, typer.Option(help="Use the opening book.")] = True,
    build: Annotated[
        Path | None,
        typer.Option(
            "--build-book",
            metavar="FILE",
            help="Build or deepen an opening book in this file. Resumes an interrupted build.",
        ),
    ] = None,
    ply: Annotated[int, typer.Option(metavar="N", min=1, max=12, help="Depth of the book in plies.")] = PLY,
) -> None:
    """Solve positions exactly: print the score of each position and of every move.

    Scores are for the side to move: positive for a win, negative for a loss, 0 for a draw. The magnitude is one more
    than the number of discs the winner has left after the winning move.
    """
    threads = threads or os.cpu_count() or 1
    if build is not None:
        if game != "connect4" or moves:
            raise ParseError("--build-book requires connect4 without moves")
        _build(build, ply, mebibytes or 1024, threads)
        return
    solver = Solver(game, mebibytes=mebibytes or DEFAULT_MEBIBYTES, threads=threads, book=book)
    games = moves if moves is not None else [""]
    positions = [parse_position(game, text) for text in games]
    for text, position in zip(games, positions, strict=True):
        if position.outcome is not None:
            raise ParseError(f"{text!r}: the game is already over ({position.outcome})")
    for text, position in zip(games, positions, strict=True):
        solution = _solve(solver, position)
        if as_json:
            typer.echo(json.dumps(_report(text, position, solution)))
        else:
            typer.echo(f"{draw(position)}\n\n{_summary(position, solution)}\n")


def _solve(solver: Solver, position: Position) -> Solution:
    """Solve a position with a progress line on a terminal; after Ctrl-C, print the bounds found so far and exit."""
    known = "The score is unknown."

    def report(low: int, high: int, nodes: int) -> None:
        nonlocal known
        score = f"{low:+d}" if low == high else f"between {low:+d} and {high:+d}"
        known = f"The score is {score} after {nodes:,} nodes."
        update(f"Solving. {known} (Ctrl-C: stop)")

    with show_status("Solving (Ctrl-C: stop)") as update, on_first_ctrl_c(solver.stop):
        solution = solver.try_solve(position, all_moves=True, report=report)
    if solution is None:
        typer.echo(f"Interrupted. {known}", err=True)
        raise typer.Exit(130)
    return solution


def _report(text: str, position: Position, solution: Solution) -> dict[str, object]:
    scores = {move.move: move.score for move in solution.moves}
    # Full columns have no score but keep their place in the list.
    names = position.game.start().moves
    return {
        "moves": text,
        "score": solution.score,
        "scores": [scores.get(name) for name in names],
        "distance": solution.distance,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
    }


def _summary(position: Position, solution: Solution) -> str:
    turn = position.turn
    plies = f"{solution.distance} {'ply' if solution.distance == 1 else 'plies'}"
    if solution.score == 0:
        result = f"draw in {plies}"
    else:
        result = f"{turn} {'wins' if solution.score > 0 else 'loses'} in {plies}"
    scores = "  ".join(f"{move.move}: {move.score:+d}" if move.score else f"{move.move}: 0" for move in solution.moves)
    return f"{turn} to move: {result}\n{scores}\n{solution.nodes:,} nodes in {solution.seconds:.3f} s"


def _build(target: Path, ply: int, mebibytes: int, threads: int) -> None:
    try:
        with show_progress("Solving") as report:
            build_book(target, ply, mebibytes=mebibytes, threads=threads, report=report)
    except KeyboardInterrupt:
        typer.echo("Interrupted. Run the same command to resume.", err=True)
        raise typer.Exit(130) from None
    typer.echo(f"{target}: {target.stat().st_size:,} bytes")
