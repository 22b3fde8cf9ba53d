"""Nim in plain Python: take any number from one heap; whoever takes the last one wins.

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
    """How many are left in each heap, and whose turn it is."""

    left: tuple[int, ...]
    turn: int


class Nim:
    """The game; a move is a heap's letter and how many to take from it."""

    id = "nim"
    title = "Nim"
    sides = ("one", "two")

    def start(self) -> Heaps:
        """Four heaps, as in Marienbad."""
        return Heaps((1, 3, 5, 7), 0)

    def turn(self, state: Heaps) -> int:
        """Whose turn it is."""
        return state.turn

    def moves(self, state: Heaps) -> list[str]:
        """Any number from any heap."""
        return [f"{chr(ord('a') + heap)}{take}" for heap, left in enumerate(state.left) for take in range(1, left + 1)]

    def play(self, state: Heaps, move: str) -> Heaps:
        """Take them away."""
        left = list(state.left)
        left[ord(move[0]) - ord("a")] -= int(move[1:])
        return Heaps(tuple(left), 1 - state.turn)

    def outcome(self, state: Heaps) -> int:
        """Nothing is left: the side that took the last one won."""
        return 1 - state.turn

    def text(self, state: Heaps) -> str:
        """The heaps and the number of the side to move: ``(1, 3, 5, 7)+0``."""
        return f"{state.left}+{state.turn}"

    def parse(self, text: str) -> Heaps:
        """What `text` writes."""
        found = re.fullmatch(r"\((\d), (\d), (\d), (\d)\)\+([01])", text)
        if found is None:
            raise ValueError("accepted is a text such as (1, 3, 5, 7)+0")
        *left, turn = map(int, found.groups())
        return Heaps(tuple(left), turn)


plyground.register(Nim())
