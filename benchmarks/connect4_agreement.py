"""Scores of Connect Four beside bitbully's at random positions of every ply: a line a ply, and any that differ.

Usage: python benchmarks/connect4_agreement.py [--positions N] [--plies FIRST LAST] [--mebibytes N] [--seed S]
       python benchmarks/connect4_agreement.py --book

Our solver has no book; bitbully has one for the first twelve plies, or it would take hours. With --book all positions
of the deepest ply of our book are compared instead.
"""

from __future__ import annotations

import argparse
import time

from plyground import Rng, game
from plyground.bench.solver import BitBully
from plyground.exact import Solver
from plyground.exact.book import PLY

LAST = 41
"""The last ply of an unfinished game."""


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=2000, help="of all plies together")
    parser.add_argument("--plies", type=int, nargs=2, default=(0, LAST), metavar=("FIRST", "LAST"))
    parser.add_argument("--mebibytes", type=int, default=256, help="memory of our table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--book", action="store_true", help="all positions of the deepest ply of our book")
    given = parser.parse_args()
    if given.book:
        compare_book()
        return
    first, last = given.plies
    solver, peer = Solver("connect4", mebibytes=given.mebibytes, book=False), BitBully(book=True)
    compared = different = 0
    for ply in range(last, first - 1, -1):
        begun, nodes = time.perf_counter(), 0
        games = random_games(ply, max(1, given.positions // (last - first + 1)), Rng(given.seed + ply))
        for text in games:
            solution = solver.solve(game("connect4").position(text))
            nodes += solution.nodes
            theirs = peer.score(peer.board(text))
            if solution.score != theirs:
                different += 1
                print(f"{text}: ours {solution.score}, bitbully {theirs}", flush=True)  # noqa: T201
        compared += len(games)
        seconds = time.perf_counter() - begun
        print(f"ply {ply}: {len(games)} positions, {nodes / len(games):,.0f} nodes each, {seconds:.1f} s", flush=True)  # noqa: T201
    print(f"{compared} positions compared, {different} scores differ")  # noqa: T201


def compare_book() -> None:
    """Compare what both know by heart."""
    solver, peer = Solver("connect4"), BitBully(book=True)
    different = 0
    games = openings(PLY)
    for text in games:
        solution = solver.solve(game("connect4").position(text))
        theirs = peer.score(peer.board(text))
        if (solution.score, solution.nodes) != (theirs, 0):
            different += 1
            print(f"{text}: ours {solution.score}, {solution.nodes} nodes, bitbully {theirs}", flush=True)  # noqa: T201
    print(f"ply {PLY}: {len(games)} positions compared, {different} scores differ")  # noqa: T201


def openings(ply: int) -> list[str]:
    """A game to each position of a ply, mirror images once."""
    games = [""]
    for _ in range(ply):
        found: dict[str, str] = {}
        for text in games:
            position = game("connect4").position(text)
            for move in position.moves:
                after = position.play(move)
                mirrored = "/".join(row[::-1] for row in after.text.split("/"))
                if after.outcome is None:
                    found[min(after.text, mirrored)] = text + move
        games = list(found.values())
    return games


def random_games(ply: int, count: int, rng: Rng) -> list[str]:
    """Unfinished random games of so many plies, none twice where there are enough; early plies have few positions."""
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


if __name__ == "__main__":
    main()
