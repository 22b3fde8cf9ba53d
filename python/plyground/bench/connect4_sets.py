"""Positions of Connect Four in six kinds, for measuring solvers.

`python -c "from plyground.bench.connect4_sets import write_sets; write_sets()"` draws them anew.

A kind says how far the game is (end: more than 28 discs, middle: 14 to 28, begin: fewer) and how long it still lasts
under best play (easy: fewer than 14 plies, medium: 14 to 28, hard: more), as in the test sets of Pascal Pons.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from plyground._engine import Position, Rng
from plyground.exact import Solver
from plyground.games import game

FILE = "connect4_sets.json"
KINDS = {
    "end-easy": (29, 38),
    "middle-easy": (14, 28),
    "middle-medium": (14, 28),
    "begin-easy": (6, 13),
    "begin-medium": (6, 13),
    "begin-hard": (6, 13),
}
"""The kinds, and the fewest and the most discs of their positions."""
SIZE = 30
SEED = 1


def kind(discs: int, plies: int) -> str:
    """The kind of a position with so many discs whose game lasts so many plies more.

    >>> kind(10, 30), kind(28, 13)
    ('begin-hard', 'middle-easy')
    """
    phase = "end" if discs > 28 else "middle" if discs >= 14 else "begin"
    return f"{phase}-{'easy' if plies < 14 else 'medium' if plies <= 28 else 'hard'}"


def sets() -> dict[str, list[str]]:
    """The games, written as columns, of each kind."""
    found: dict[str, list[str]] = json.loads(resources.files("plyground.bench").joinpath(FILE).read_text())
    return found


def draw_sets(seed: int = SEED, size: int = SIZE) -> dict[str, list[str]]:
    """Random games without an overlooked win, sorted by kind until each kind has `size`."""
    rng = Rng(seed)
    solver = Solver("connect4", mebibytes=128)
    found: dict[str, list[str]] = {name: [] for name in KINDS}
    for name, (fewest, most) in KINDS.items():
        while len(found[name]) < size:
            position = _random_position(fewest + rng.below(most - fewest + 1), rng)
            into = found[kind(position.ply, solver.solve(position).distance)]
            text = "".join(position.history)
            if len(into) < size and text not in into:
                into.append(text)
    return found


def _random_position(discs: int, rng: Rng) -> Position:
    """After so many random discs, nobody having won and nobody being able to with the next disc."""
    while True:
        position = game("connect4").start()
        while position.ply < discs and position.outcome is None:
            position = position.play_random(rng)
        if position.outcome is None and all(position.play(move).outcome is None for move in position.moves):
            return position


def write_sets() -> None:
    """Write the file of the package anew, from `SEED`."""
    Path(__file__).with_name(FILE).write_text(json.dumps(draw_sets(), indent=1) + "\n")
