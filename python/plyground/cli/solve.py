"""`plyground solve`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from plyground import ParseError, Position
from plyground.cli.options import GameArgument, JsonOption, ThreadsOption
from plyground.cli.progress import shown
from plyground.drawing import draw
from plyground.exact import Solution, Solver, build_book
from plyground.exact.book import PLY
from plyground.exact.solve import MEBIBYTES, read


def solve(
    game: GameArgument,
    moves: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MOVES",
            help="Games from the start: columns without gaps ('4444'), moves of tictactoe with spaces ('b2 a1').",
        ),
    ] = None,
    as_json: JsonOption = False,
    threads: ThreadsOption = None,
    mebibytes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=f"Memory of the table ({MEBIBYTES}; 1024 for a book).")
    ] = None,
    book: Annotated[bool, typer.Option(help="Look at the opening book.")] = True,
    build: Annotated[
        Path | None,
        typer.Option(
            "--build-book",
            metavar="FILE",
            help="Build the opening book instead, or a deeper one from that; it resumes.",
        ),
    ] = None,
    ply: Annotated[int, typer.Option(metavar="N", min=1, max=12, help="The ply of the book that is built.")] = PLY,
) -> None:
    """Say who wins, and how soon: the exact score of positions and of every move.

    A score is for the side to move: above 0 it wins, below 0 it loses, 0 is a draw; its size is one more than the
    discs the winner has left when it wins.
    """
    threads = threads or os.cpu_count() or 1
    if build is not None:
        if game != "connect4" or moves:
            raise ParseError("--build-book: accepted is connect4 without moves")
        _build(build, ply, mebibytes or 1024, threads)
        return
    solver = Solver(game, mebibytes=mebibytes or MEBIBYTES, threads=threads, book=book)
    games = moves if moves is not None else [""]
    positions = [read(game, text) for text in games]
    for text, position in zip(games, positions, strict=True):
        if position.outcome is not None:
            raise ParseError(f"{text!r}: the game is over ({position.outcome}); accepted is an unfinished one")
    for text, position in zip(games, positions, strict=True):
        solution = solver.solve_moves(position)
        if as_json:
            typer.echo(json.dumps(_report(text, position, solution)))
        else:
            typer.echo(f"{draw(position)}\n\n{_words(position, solution)}\n")


def _report(text: str, position: Position, solution: Solution) -> dict[str, object]:
    known = {move.move: move.score for move in solution.moves}
    # Every move that the empty board has: of Connect Four every column.
    names = position.game.start().moves
    return {
        "moves": text,
        "score": solution.score,
        "scores": [known.get(name) for name in names],
        "distance": solution.distance,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
    }


def _words(position: Position, solution: Solution) -> str:
    turn = position.turn
    plies = f"{solution.distance} {'ply' if solution.distance == 1 else 'plies'}"
    end = {True: f"{turn} wins in {plies}", False: f"{turn} loses in {plies}"}.get(solution.score > 0, "")
    first = end if solution.score else f"a draw, {plies} to the end"
    scores = "  ".join(f"{move.move}: {move.score:+d}" if move.score else f"{move.move}: 0" for move in solution.moves)
    return f"{turn} to move: {first}\n{scores}\n{solution.nodes:,} nodes in {solution.seconds:.3f} s"


def _build(target: Path, ply: int, mebibytes: int, threads: int) -> None:
    with shown("Solving") as report:
        build_book(target, ply, mebibytes=mebibytes, threads=threads, report=report)
    typer.echo(f"{target}: {target.stat().st_size:,} bytes")
