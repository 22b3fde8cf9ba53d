"""Mistakes in Connect Four, with and without the shipped network: moves that change the result under perfect play."""

from __future__ import annotations

from collections.abc import Iterator

from figures import Figures, scaled
from plyground import Position, game, split_seed
from plyground.agents import Limit, agent
from plyground.bench.connect4_sets import DISC_RANGES, generate_sets
from plyground.exact import Solver

SEED = 2
"""Other positions than those of the solver benchmark, whose seed is 1."""
POSITIONS = 1000
LIMIT = Limit(simulations=600)
AGENTS = {"default": "mcts", "network": "mcts(network=best)"}


def network_mistakes(effort: float) -> Figures:
    """Return the percentage of mistakes of each agent and the ratio of the network's to the default's."""
    size = scaled(-(-POSITIONS // len(DISC_RANGES)), effort)
    exact = list(_exact_values(size))
    mistakes = {
        name: sum(
            values[agent(spec).play(position, LIMIT, seed=split_seed(SEED, index))] != max(values.values())
            for index, (position, values) in enumerate(exact)
        )
        for name, spec in AGENTS.items()
    }
    figures = {f"{name}, mistakes": 100 * count / len(exact) for name, count in mistakes.items()}
    return {**figures, "ratio": mistakes["network"] / max(1, mistakes["default"])}


def _exact_values(size: int) -> Iterator[tuple[Position, dict[str, int]]]:
    """Yield positions of every set and the result of each move: 1 for a win, 0 for a draw, -1 for a loss."""
    solver = Solver("connect4", mebibytes=128)
    for moves in (one for members in generate_sets(SEED, size).values() for one in members):
        position = game("connect4").position(moves)
        solution = solver.solve_moves(position)
        yield position, {move.move: (move.score > 0) - (move.score < 0) for move in solution.moves}
