"""Nim in plain Python: take any number of objects from one heap; the player who takes the last object wins.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("nim").start()
>>> position.text, position.moves[:4]
('(1, 3, 5, 7)+0', ['a1', 'b1', 'b2', 'b3'])
>>> agent("mcts").analyse(position.play("d7"), Limit(simulations=20000), seed=1).best.move  # leaves (1, 3, 2, 0)
'c3'
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import plyground


@dataclass(frozen=True)
class Heaps:
    """The size of each heap, and the side to move."""

    sizes: tuple[int, ...]
    turn: int


class Nim:
    """Players take turns removing any number of objects from one heap. Whoever takes the last object wins.

    A move is the letter of the heap and the number of objects to take.
    """

    id = "nim"
    title = "Nim"
    sides = ("one", "two")
    cheap_lookahead = True

    def start(self) -> Heaps:
        """Return four heaps, as in the film "Last Year at Marienbad"."""
        return Heaps((1, 3, 5, 7), 0)

    def turn(self, state: Heaps) -> int:
        """Return the side to move."""
        return state.turn

    def moves(self, state: Heaps) -> list[str]:
        """Return every number of objects from every heap."""
        return [f"{chr(ord('a') + heap)}{take}" for heap, size in enumerate(state.sizes) for take in range(1, size + 1)]

    def play(self, state: Heaps, move: str) -> Heaps:
        """Remove the objects from the heap."""
        sizes = list(state.sizes)
        sizes[ord(move[0]) - ord("a")] -= int(move[1:])
        return Heaps(tuple(sizes), 1 - state.turn)

    def outcome(self, state: Heaps) -> int:
        """Return the side that took the last object."""
        return 1 - state.turn

    def text(self, state: Heaps) -> str:
        """Return the heaps and the side to move: ``(1, 3, 5, 7)+0``."""
        return f"{state.sizes}+{state.turn}"

    def parse(self, text: str) -> Heaps:
        """Parse the format of `text`."""
        match = re.fullmatch(r"\((\d), (\d), (\d), (\d)\)\+([01])", text)
        if match is None:
            raise ValueError("expected text such as (1, 3, 5, 7)+0")
        *sizes, turn = map(int, match.groups())
        return Heaps(tuple(sizes), turn)


plyground.register(Nim())
