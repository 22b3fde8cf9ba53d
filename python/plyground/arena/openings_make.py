"""Generation of decks: openings of a few plies that a search evaluates as balanced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plyground._engine import Game, Position, Rng, split_seed
from plyground.agents import Agent, Limit, agent
from plyground.arena.openings import MAX_OPENINGS, Opening, shuffled
from plyground.errors import ParseError

BARRED = {
    "checkers": """
        9-13 21-17 10-14, 9-13 23-18 10-14, 9-13 24-19 10-15, 9-13 24-20 12-16, 9-14 22-18 12-16, 9-14 22-18 14-17,
        9-14 23-19 10-15, 9-14 24-19 10-15, 10-14 24-19 11-15, 10-15 21-17 9-14, 10-15 22-17 9-14, 10-15 24-20 11-16,
        11-15 21-17 10-14, 11-16 21-17 10-14, 11-16 22-18 10-15, 11-16 24-19 10-15, 12-16 23-18 9-14, 12-16 23-19 16x23
    """
}
"""Openings excluded regardless of their evaluation: the 18 barred by the three-move ballot of checkers."""
MAX_ENUMERATED = 20_000
"""If there are at most this many move sequences, all are enumerated; otherwise, they are sampled."""
TRIES_PER_OPENING = 1000
"""Maximum number of sampled sequences per opening of the deck."""


@dataclass(frozen=True)
class DeckSettings:
    """Settings for generating a deck."""

    plies: int = 4
    """Length of each opening, in plies."""
    count: int = 100
    """Maximum number of openings."""
    agent: str = "alphabeta(depth=8)"
    """Spec of the agent that evaluates the positions."""
    margin: float = 0.05
    """Maximum deviation of the value from 0.5; 0.05 corresponds to 35 centipawns."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.plies <= 100:
            raise ParseError(f"plies must be between 1 and 100, got {self.plies}")
        if not 1 <= self.count <= MAX_OPENINGS:
            raise ParseError(f"count must be between 1 and {MAX_OPENINGS}, got {self.count}")
        if not 0 <= self.margin <= 0.5:
            raise ParseError(f"margin must be between 0 and 0.5, got {self.margin}")


SHIPPED_SETTINGS = {
    # 0.07 corresponds to half a man; after three plies, material is either even or off by a whole man.
    "checkers": DeckSettings(plies=3, count=1000, agent="alphabeta(depth=5)", margin=0.07),
    # Exact draws only.
    "connect4": DeckSettings(plies=8, count=500, agent="solver", margin=0.0),
    "tictactoe": DeckSettings(plies=2, agent="alphabeta(depth=9)", margin=0.0),
    "chess": DeckSettings(plies=6, count=500, agent="alphabeta(depth=6)", margin=0.03),
}
"""Settings of the shipped decks, by game id."""


def default_settings(game: Game) -> DeckSettings:
    """Return the settings of the game's shipped deck, or the defaults if it has none."""
    return SHIPPED_SETTINGS.get(game.id, DeckSettings())


def make_deck(game: Game, settings: DeckSettings, progress: Callable[[int], None] | None = None) -> list[Opening]:
    """Generate balanced openings that lead to distinct positions, sorted by the order of the legal moves.

    In Connect Four, mirror images count as the same position. `progress` is called with the number of openings found.

    >>> import plyground
    >>> make_deck(plyground.game("tictactoe"), DeckSettings(plies=2, agent="alphabeta(depth=9)", margin=0))[:2]
    [('a1', 'b2'), ('b1', 'a1')]
    """
    evaluator = agent(settings.agent)
    barred = {game.position(moves=line.split()).key for line in BARRED.get(game.spec, "").split(",") if line.strip()}
    deck: list[Opening] = []
    for position in _candidates(game, settings):
        if position.key not in barred and abs(value_first(position, evaluator) - 0.5) <= settings.margin:
            deck.append(tuple(position.history))
            if progress:
                progress(len(deck))
            if len(deck) == settings.count:
                break
    if not deck:
        raise ParseError(
            f"no opening of {game.spec} with plies={settings.plies} has a value within {settings.margin:g} of 0.5"
        )
    return sorted(deck, key=lambda moves: _move_indices(game, moves))


def value_first(position: Position, evaluator: Agent) -> float:
    """Return the value for the first player, 0 to 1; forced moves are played before the position is evaluated."""
    while len(position.moves) == 1:
        position = position.play(position.moves[0])
    first = position.game.sides[0]
    if (outcome := position.outcome) is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == first)
    analysis = evaluator.analyse(position.without_history(), Limit(), seed=0)
    value = analysis.best.value if analysis.value is None else analysis.value
    if value is None:
        raise ParseError(f"{evaluator.spec} does not evaluate positions; use an agent that does, such as alphabeta")
    return value if position.turn == first else 1 - value


def _candidates(game: Game, settings: DeckSettings) -> Iterator[Position]:
    """Yield distinct unfinished positions after `settings.plies` plies, in random order."""
    seen: set[int] = set()
    enumerable = _count_sequences(game, settings.plies) <= MAX_ENUMERATED
    for position in _enumerate(game, settings) if enumerable else _sample(game, settings):
        if position.outcome is None and (key := _symmetric_key(position)) not in seen:
            seen.add(key)
            yield position


def _symmetric_key(position: Position) -> int:
    """Return the key of the position or, in Connect Four, the smaller of its key and its mirror image's."""
    if position.game.id != "connect4":
        return position.key
    columns = len(position.game.squares[0])
    mirrored = [str(columns + 1 - int(move)) for move in position.history]
    return min(position.key, position.game.position(moves=mirrored).key)


def _count_sequences(game: Game, plies: int) -> int:
    """Return the number of move sequences, or a number above `MAX_ENUMERATED` if there are more than that."""
    for depth in range(1, plies + 1):
        count = game.start().perft(depth)
        if count > MAX_ENUMERATED:
            return count
    return count


def _enumerate(game: Game, settings: DeckSettings) -> Iterator[Position]:
    level = [game.start()]
    for _ in range(settings.plies):
        level = [position.play(move) for position in level for move in position.moves]
    sequences = [tuple(position.history) for position in level]
    return (game.position(moves=moves) for moves in shuffled(sequences, settings.seed))


def _sample(game: Game, settings: DeckSettings) -> Iterator[Position]:
    for index in range(settings.count * TRIES_PER_OPENING):
        rng, position = Rng(split_seed(settings.seed, index)), game.start()
        while position.outcome is None and position.ply < settings.plies:
            position = position.play_random(rng)
        yield position


def _move_indices(game: Game, moves: Opening) -> list[int]:
    """Return the index of each move among the legal moves, as a key for sorting openings."""
    indices, position = [], game.start()
    for move in moves:
        indices.append(position.moves.index(move))
        position = position.play(move)
    return indices
