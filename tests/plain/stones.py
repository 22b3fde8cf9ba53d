"""A user game in plain Python in which a side may move twice, games may be drawn, and positions have a heuristic."""

from __future__ import annotations

from plyground import Game, register

State = tuple[int, int, int, int]
"""The stones taken by each side, the side to move, and the number of stones left."""


class Stones:
    """Take 1 to 3 of 16 stones; the side with more wins. A side that takes 1 and then has an odd number moves again."""

    id = "stones"
    title = "Stones"
    sides = ("left", "right")

    def start(self) -> State:
        return (0, 0, 0, 16)

    def turn(self, state: State) -> int:
        return state[2]

    def moves(self, state: State) -> list[str]:
        return ["1", "2", "3"][: state[3]]

    def play(self, state: State, move: str) -> State:
        taken = [state[0], state[1]]
        taken[state[2]] += int(move)
        again = move == "1" and taken[state[2]] % 2 == 1
        return (taken[0], taken[1], state[2] if again else 1 - state[2], state[3] - int(move))

    def outcome(self, state: State) -> int | str:
        return "draw" if state[0] == state[1] else int(state[1] > state[0])

    def heuristic(self, state: State) -> float:
        return 40.0 * (state[state[2]] - state[1 - state[2]])


def stones() -> Game:
    """Register the game and return it."""
    return register(Stones())
