"""Speed-up from threads, and memory used by a long search."""

from __future__ import annotations

import statistics
from pathlib import Path

from figures import Figures, scaled
from plyground import game
from plyground.agents import Analysis, Limit, agent

PAGE_BYTES = 4096
MEBIBYTES = 64


def threads(effort: float) -> Figures:
    """Return the median ratio of the simulations run by two threads to those run by one in the same time."""
    figures: Figures = {}
    for name in ("connect4", "checkers"):
        start, ratios = game(name).start(), []
        for seed in range(scaled(10, effort, minimum=3)):
            simulations = {}
            for count in (1, 2) if seed % 2 else (2, 1):
                player = agent(f"mcts(threads={count})")
                simulations[count] = player.analyse(start, Limit(seconds=2), seed=seed).simulations
            ratios.append(simulations[2] / simulations[1])
        figures[name] = statistics.median(ratios)
    return figures


def memory(effort: float) -> Figures:
    """Return the maximum tree size and process growth in MiB during 100 million simulations."""
    tree, growth = [0.0], [0.0]
    before = resident_mebibytes()

    def record(analysis: Analysis) -> None:
        tree.append(analysis.mebibytes)
        growth.append(resident_mebibytes() - before)

    limit = Limit(simulations=scaled(100_000_000, effort))
    record(agent(f"mcts(mebibytes={MEBIBYTES})").analyse(game("connect4").start(), limit, seed=1, report=record))
    return {"tree": max(tree), "process growth": max(growth)}


def resident_mebibytes(process: int | str = "self") -> float:
    """Return the resident memory of a process in MiB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE_BYTES / 2**20
