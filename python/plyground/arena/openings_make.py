"""Making decks: positions after a few plies that a search holds for balanced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plyground._engine import Game, Position, Rng, split_seed
from plyground.agents import Agent, Limit, agent
from plyground.arena.openings import Opening, shuffled
from plyground.errors import ParseError

BARRED = {
    "checkers": """
        9-13 21-17 10-14, 9-13 23-18 10-14, 9-13 24-19 10-15, 9-13 24-20 12-16, 9-14 22-18 12-16, 9-14 22-18 14-17,
        9-14 23-19 10-15, 9-14 24-19 10-15, 10-14 24-19 11-15, 10-15 21-17 9-14, 10-15 22-17 9-14, 10-15 24-20 11-16,
        11-15 21-17 10-14, 11-16 21-17 10-14, 11-16 22-18 10-15, 11-16 24-19 10-15, 12-16 23-18 9-14, 12-16 23-19 16x23
    """
}
"""Openings that are not in a deck whatever a search says: in checkers, the 18 that the three-move ballot bars."""
_FEW = 20_000
"""Up to so many sequences of moves, all are looked at; beyond, some are drawn."""
_TRIES = 1000
"""Sequences drawn for each opening that is wanted, at most."""


@dataclass(frozen=True)
class Recipe:
    """How a deck is made."""

    plies: int = 4
    """Moves of each opening."""
    count: int = 100
    """Openings, at most."""
    agent: str = "alphabeta(depth=8)"
    """Whose value decides."""
    margin: float = 0.05
    """How far from 0.5 the value may be: 0.05 is 35 hundredths of a man or pawn."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not (0 < self.plies <= 100 and 0 < self.count <= 10_000 and 0 <= self.margin <= 0.5):
            raise ParseError(
                f"plies={self.plies}, count={self.count}, margin={self.margin}: accepted are plies from 1 to 100, "
                "a count from 1 to 10000 and a margin from 0 to 0.5"
            )


RECIPES = {
    # Half a man is 0.07: the positions after three plies either keep the men even or lose one.
    "checkers": Recipe(plies=3, count=1000, agent="alphabeta(depth=5)", margin=0.07),
    # A draw, exactly: nobody has won before the players begin.
    "connect4": Recipe(plies=8, agent="solver", margin=0.0),
    "tictactoe": Recipe(plies=2, agent="alphabeta(depth=9)", margin=0.0),
    "chess": Recipe(plies=6, agent="alphabeta(depth=6)", margin=0.03),
}
"""What the decks of the package were made by."""


def recipe(game: Game) -> Recipe:
    """What `plyground openings make` does where it is told nothing else."""
    return RECIPES.get(game.id, Recipe())


def make(game: Game, by: Recipe, watch: Callable[[int], None] | None = None) -> list[Opening]:
    """The openings of a deck, each position once; `watch` is called with how many there are.

    >>> import plyground
    >>> make(plyground.game("tictactoe"), Recipe(plies=2, agent="alphabeta(depth=9)", margin=0))[:2]
    [('a1', 'b2'), ('b1', 'a1')]
    """
    judge = agent(by.agent)
    barred = {game.position(moves=line.split()).key for line in BARRED.get(game.spec, "").split(",") if line.strip()}
    found: list[Opening] = []
    for position in _candidates(game, by):
        if position.key not in barred and abs(value_first(position, judge) - 0.5) <= by.margin:
            found.append(tuple(position.history))
            if watch:
                watch(len(found))
            if len(found) == by.count:
                break
    if not found:
        raise ParseError(f"no opening of {by.plies} plies in {game.spec} is within {by.margin} of even")
    return sorted(found, key=lambda moves: _places(game, moves))


def value_first(position: Position, judge: Agent) -> float:
    """What the side that begins the game may expect, 0 to 1; a forced move is played before anything is judged."""
    while len(position.moves) == 1:
        position = position.play(position.moves[0])
    first = position.game.sides[0]
    if (outcome := position.outcome) is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == first)
    analysis = judge.analyse(position.without_history(), Limit(), seed=0)
    value = analysis.best.value if analysis.value is None else analysis.value
    if value is None:
        raise ParseError(f"the agent {judge.spec} has no opinion on positions; accepted is one that values them")
    return value if position.turn == first else 1 - value


def _candidates(game: Game, by: Recipe) -> Iterator[Position]:
    """Unfinished positions after so many plies, each once, in an order drawn from the seed."""
    seen: set[int] = set()
    for position in _all(game, by) if _sequences(game, by.plies) <= _FEW else _some(game, by):
        if position.outcome is None and position.key not in seen:
            seen.add(position.key)
            yield position


def _sequences(game: Game, plies: int) -> int:
    """How many sequences of moves there are, counted until they are too many."""
    for depth in range(1, plies + 1):
        count = game.start().perft(depth)
        if count > _FEW:
            return count
    return count


def _all(game: Game, by: Recipe) -> Iterator[Position]:
    level = [game.start()]
    for _ in range(by.plies):
        level = [position.play(move) for position in level for move in position.moves]
    lines = [tuple(position.history) for position in level]
    return (game.position(moves=moves) for moves in shuffled(lines, by.seed))


def _some(game: Game, by: Recipe) -> Iterator[Position]:
    for number in range(by.count * _TRIES):
        rng, position = Rng(split_seed(by.seed, number)), game.start()
        while position.outcome is None and position.ply < by.plies:
            position = position.play_random(rng)
        yield position


def _places(game: Game, moves: Opening) -> list[int]:
    """Where each move stands among the legal ones: sorts openings as the rules list them."""
    places, position = [], game.start()
    for move in moves:
        places.append(position.moves.index(move))
        position = position.play(move)
    return places
