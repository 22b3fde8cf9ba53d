"""Six sets of Connect Four positions for benchmarking solvers.

Sets are named by phase (begin: fewer than 14 discs, middle: 14 to 28, end: more) and difficulty, the number of plies
until the game ends under perfect play (easy: fewer than 14, medium: 14 to 28, hard: more), as in Pascal Pons's tests.

`python -c "from plyground.bench.connect4_sets import write_sets; write_sets()"` regenerates them.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from plyground._engine import Position, Rng
from plyground.exact import Solver
from plyground.games import game

FILE = "connect4_sets.json"
DISC_RANGES = {
    "end-easy": (29, 38),
    "middle-easy": (14, 28),
    "middle-medium": (14, 28),
    "begin-easy": (6, 13),
    "begin-medium": (6, 13),
    "begin-hard": (6, 13),
}
"""Minimum and maximum number of discs in each set's positions."""
SIZE = 30
SEED = 1


def set_name(discs: int, plies: int) -> str:
    """Return the set name for a position with `discs` discs that ends after `plies` plies of perfect play.

    >>> set_name(10, 30), set_name(28, 13)
    ('begin-hard', 'middle-easy')
    """
    phase = "end" if discs > 28 else "middle" if discs >= 14 else "begin"
    return f"{phase}-{'easy' if plies < 14 else 'medium' if plies <= 28 else 'hard'}"


def sets() -> dict[str, list[str]]:
    """Return the positions of each set; a position is the string of columns played, such as ``4453``."""
    found: dict[str, list[str]] = json.loads(resources.files("plyground.bench").joinpath(FILE).read_text())
    return found


def generate_sets(seed: int = SEED, size: int = SIZE) -> dict[str, list[str]]:
    """Sample random positions without an immediate win until every set has `size` positions."""
    rng = Rng(seed)
    solver = Solver("connect4", mebibytes=128)
    found: dict[str, list[str]] = {name: [] for name in DISC_RANGES}
    for name, (minimum, maximum) in DISC_RANGES.items():
        while len(found[name]) < size:
            position = _random_position(minimum + rng.below(maximum - minimum + 1), rng)
            members = found[set_name(position.ply, solver.solve(position).distance)]
            moves = "".join(position.history)
            if len(members) < size and moves not in members:
                members.append(moves)
    return found


def _random_position(discs: int, rng: Rng) -> Position:
    """Return an unfinished random position in which the side to move has no immediate win."""
    while True:
        position = game("connect4").start()
        while position.ply < discs and position.outcome is None:
            position = position.play_random(rng)
        if position.outcome is None and all(position.play(move).outcome is None for move in position.moves):
            return position


def write_sets() -> None:
    """Regenerate the file in the package from `SEED`."""
    Path(__file__).with_name(FILE).write_text(json.dumps(generate_sets(), indent=1) + "\n")
