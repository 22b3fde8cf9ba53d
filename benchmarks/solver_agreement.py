"""Compare Connect Four scores with BitBully's in random positions at every ply.

python benchmarks/solver_agreement.py --positions 2000

Our solver runs without its book; BitBully uses its book for the first twelve plies, which would otherwise take hours.
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

from figures import Figures, scaled
from plyground import Rng, game
from plyground.bench.solver import BitBully
from plyground.exact import Solver

LAST_PLY = 41
"""The last ply at which a game can be unfinished."""


def compare(positions: int, first: int, last: int, mebibytes: int, seed: int, *, progress: bool = False) -> list[str]:
    """Return one line for each position whose scores differ."""
    solver, peer = Solver("connect4", mebibytes=mebibytes, book=False), BitBully(book=True)
    differences = []
    for ply in range(last, first - 1, -1):
        started, nodes = time.perf_counter(), 0
        games = random_games(ply, max(1, positions // (last - first + 1)), Rng(seed + ply))
        for moves in games:
            solution = solver.solve(game("connect4").position(moves))
            nodes += solution.nodes
            score = peer.score(peer.board(moves))
            if solution.score != score:
                differences.append(f"{moves}: our score is {solution.score}, BitBully's is {score}")
        if progress:
            seconds = time.perf_counter() - started
            text = f"ply {ply}: {len(games)} positions, {nodes / len(games):,.0f} nodes per position, {seconds:.1f} s"
            typer.echo(text, err=True)
    return differences


def random_games(ply: int, count: int, rng: Rng) -> list[str]:
    """Return unfinished random games of `ply` plies, all different; fewer than `count` if there are not enough."""
    found: dict[str, None] = {}
    for _ in range(1000 * count):
        position = game("connect4").start()
        while position.ply < ply and position.outcome is None:
            position = position.play_random(rng)
        if position.outcome is None:
            found["".join(position.history)] = None
        if len(found) >= count or len(found) == 7**ply:
            break
    return list(found)


def solver_agreement(effort: float) -> Figures:
    """Return how many of 2,000 random positions have different scores."""
    return {"different scores": len(compare(scaled(2000, effort, LAST_PLY + 1), 0, LAST_PLY, 256, seed=0))}


def main(
    positions: Annotated[int, typer.Option(min=1, help="Total number of positions.")] = 2000,
    plies: Annotated[tuple[int, int], typer.Option(metavar="FIRST LAST", help="Range of plies.")] = (0, LAST_PLY),
    mebibytes: Annotated[int, typer.Option(min=1, help="Size of our transposition table.")] = 256,
    seed: Annotated[int, typer.Option(help="Seed of the positions.")] = 0,
) -> None:
    """Compare scores; the exit code is 1 if any differ."""
    differences = compare(positions, *plies, mebibytes, seed, progress=True)
    for difference in differences:
        typer.echo(difference)
    typer.echo(f"{len(differences)} scores differ")
    raise typer.Exit(bool(differences))


if __name__ == "__main__":
    typer.run(main)
