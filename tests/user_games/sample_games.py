"""Small user games for the tests."""

from __future__ import annotations

from typing import Any

from plyground import Game, Position, Rng, game


def example(name: str) -> Game:
    """Return a game from `plyground.examples` by its ID."""
    import plyground.examples.five_in_a_row
    import plyground.examples.nim
    import plyground.examples.othello
    import plyground.examples.tictactoe
    import plyground.examples.tictactoe_compiled  # noqa: F401

    return game(name)


def five_in_a_row(name: str = "five-in-a-row") -> Any:
    """Return the rules of the five-in-a-row example with another ID.

    The import is local because tests that run for every game would include a game registered during collection.
    """
    from plyground.examples.five_in_a_row import FiveInARow

    rules: Any = FiveInARow()
    rules.id = name
    return rules


def random_game(start: Position, seed: int) -> list[Position]:
    """Return every position of a random game."""
    rng, positions = Rng(seed), [start]
    while positions[-1].outcome is None:
        positions.append(positions[-1].play_random(rng))
    return positions


class Count:
    """Add 1 or 2; the side that reaches `goal` wins. Counts the calls to `play`."""

    title = "Count"
    sides = ("left", "right")

    def __init__(self, name: str, goal: int = 30) -> None:
        self.id = name
        self.goal = goal
        self.plays = 0

    def start(self) -> tuple[int, int]:
        return (0, 0)

    def turn(self, state: tuple[int, int]) -> int:
        return state[1]

    def moves(self, state: tuple[int, int]) -> list[str]:
        return ["1", "2"][: self.goal - state[0]]

    def play(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        self.plays += 1
        return (state[0] + int(move), 1 - state[1])

    def outcome(self, state: tuple[int, int]) -> int | str:
        return 1 - state[1]


class Bargain:
    """The left side agrees to a draw (a) or gambles (g): it then wins `share` of all games, twenty moves later."""

    title = "Bargain"
    sides = ("left", "right")

    def __init__(self, name: str, share: float) -> None:
        self.id = name
        self.share = share

    def start(self) -> str:
        return ""

    def turn(self, state: str) -> int:
        return len(state) % 2

    def moves(self, state: str) -> list[str]:
        if state == "a" or len(state) > 20:
            return []
        return list("012") if state else ["a", "g"]

    def play(self, state: str, move: str) -> str:
        return state + move

    def outcome(self, state: str) -> int | str:
        if state == "a":
            return "draw"
        return 0 if Rng(int(state[1:], 3)).unit() < self.share else 1


class Failing(Count):
    """Raises an exception in one method from its eleventh call on."""

    def __init__(self, name: str, method: str, error: Exception) -> None:
        super().__init__(name)
        self.calls = 0
        original = getattr(super(), method)

        def failing(*arguments: Any) -> Any:
            self.calls += 1
            if self.calls > 10:
                raise error
            return original(*arguments)

        setattr(self, method, failing)
