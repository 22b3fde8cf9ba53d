"""Compare the values proven by tree search with the exact solvers and the checkers endgame tables.

python benchmarks/proven_values.py --positions 100000

The winner must be correct. The distance of a win or a loss may be longer than under best play, but not shorter. The
searches do not use the tables; the checkers positions have no reversible plies yet, so no win runs into the move limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Annotated

import typer

from figures import Figures, scaled
from plyground import Position, Rng, game
from plyground._engine import random_endgame
from plyground.agents import Limit, agent
from plyground.exact import Solver
from plyground.exact.tables import activate_tables

SIMULATIONS = 300
MAX_DISTANCE = 255
"""The largest distance that a node stores."""

AGENTS = [
    "mcts(mebibytes=1)",
    "mcts(mebibytes=1, transpositions=true)",
    "mcts(mebibytes=1, decisive=false, selection=ucb1-tuned, first_play=0.5)",
    "mcts(mebibytes=1, widening=1, rave=0.001, minimax=0.5)",
]
"""Searches, used in turn."""

SHARES = {"tictactoe": 0.15, "tictactoe(rows=3, columns=4, line=3)": 0.15, "connect4": 0.35, "checkers": 0.35}
"""Fraction of the positions that come from each game."""


@dataclass(frozen=True)
class Exact:
    """The exact value of a move or of a position for the side to move."""

    result: str
    """win, draw or loss."""
    distance: int | None
    """Plies to the end of the game under best play; None if unknown or drawn."""


@dataclass
class Counts:
    """Counts of compared positions and values."""

    positions: int = 0
    proven: int = 0
    """Proven values, of positions and of moves."""
    wrong: int = 0
    """Proven values that differ from the exact ones."""
    too_short: int = 0
    """Proven wins and losses that are shorter than under best play."""


def compare(positions: int, seed: int, *, report: bool = False) -> Counts:
    """Search random positions and compare every proven value with the exact one."""
    counts = Counts()
    for spec, share in SHARES.items():
        random_positions = random_endgames(seed) if spec == "checkers" else random_games(spec, Rng(seed))
        searchers = cycle([agent(text) for text in AGENTS])
        exact_values = ExactValues(spec)
        for position in islice(random_positions, round(positions * share)):
            searcher = next(searchers)
            analysis = searcher.analyse(position, Limit(simulations=SIMULATIONS), seed=seed + counts.positions)
            counts.positions += 1
            found = [("", analysis.proven, analysis.distance)]
            found += [(move.move, move.proven, move.distance) for move in analysis.moves]
            if not any(proven for _, proven, _ in found):
                continue
            values = exact_values.of(position)
            for move, proven, distance in found:
                if proven is None:
                    continue
                exact = values[move]
                counts.proven += 1
                wrong = proven != exact.result
                too_short = (distance or 0) < min(exact.distance or 0, MAX_DISTANCE)
                counts.wrong += wrong
                counts.too_short += too_short and not wrong
                if report and (wrong or too_short):
                    typer.echo(f"{spec} {position.text} {move} {searcher.spec}: {proven} in {distance}, {exact}")
    return counts


class ExactValues:
    """Exact values of the positions of one game."""

    def __init__(self, spec: str) -> None:
        self.solver = None if spec == "checkers" else Solver(spec, book=False)
        if self.solver is None:
            activate_tables()

    def of(self, position: Position) -> dict[str, Exact]:
        """Return the exact value of each move for the side that makes it, and that of the position under the key ''."""
        if self.solver is None:
            moves = {move: position.play(move) for move in position.moves}
            return {"": table_value(position, position.turn, 0)} | {
                move: table_value(after, position.turn, 1) for move, after in moves.items()
            }
        solution = self.solver.solve_moves(position)
        values = {"": score_value(solution.score, solution.distance)}
        return values | {move.move: score_value(move.score, move.distance) for move in solution.moves}


def score_value(score: int, distance: int) -> Exact:
    """Return the value of an exact score."""
    return Exact("draw" if score == 0 else "win" if score > 0 else "loss", distance if score else None)


def table_value(position: Position, side: str, plies: int) -> Exact:
    """Return the value of a position for a side, from the tables, with `plies` added to the distance."""
    value = position.proven_value
    if value is None:
        raise ValueError(f"{position.text} is not in the tables")
    if value["winner"] is None:
        return Exact("draw", None)
    distance = value["distance"]
    return Exact("win" if value["winner"] == side else "loss", None if distance is None else distance + plies)


def random_games(spec: str, rng: Rng) -> Iterator[Position]:
    """Yield unfinished random games with at least two legal moves, late enough to be solved in milliseconds."""
    cells = game(spec).rows * game(spec).columns
    earliest = cells * 2 // 5 if cells > 16 else 0
    while True:
        plies = earliest + rng.below(cells - earliest)
        position = game(spec).start()
        while position.ply < plies and position.outcome is None:
            position = position.play_random(rng)
        if len(position.moves) > 1:
            yield position


def random_endgames(seed: int) -> Iterator[Position]:
    """Yield random checkers positions of two to four pieces with at least two legal moves."""
    number = seed * 1_000_000
    while True:
        number += 1
        position = game("checkers").position(random_endgame(2 + number % 3, number))
        if len(position.moves) > 1:
            yield position


def proven_values(effort: float) -> Figures:
    """Return the number of proven values that are wrong or too short in 100,000 random positions."""
    counts = compare(scaled(100_000, effort, minimum=200), seed=1)
    return {
        "wrong values": counts.wrong,
        "distances shorter than best play": counts.too_short,
        "proven values per position": counts.proven / counts.positions,
    }


def main(
    positions: Annotated[int, typer.Option(min=1, help="Total number of positions.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the positions.")] = 1,
) -> None:
    """Compare values; the exit code is 1 if any is wrong."""
    counts = compare(positions, seed, report=True)
    typer.echo(f"{counts}")
    raise typer.Exit(bool(counts.wrong or counts.too_short))


if __name__ == "__main__":
    typer.run(main)
