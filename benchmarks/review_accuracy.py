"""Review checkers games with one seeded blunder each; count the blunders found and the other moves marked.

python benchmarks/review_accuracy.py --games 200
python benchmarks/review_accuracy.py --games 20 --seconds 0.2       with the limit of the web UI

Two identical alpha-beta players continue random openings. One move of each game, at a random ply, is replaced by one
that hangs a man: the opponent can capture immediately, and searches that evaluate only material, deeper than those of
the players, find that the man is not regained. A move is not used if the endgame tables or a long search prove that the
positions before and after it have the same result. The players continue from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf, isfinite, log10
from typing import Annotated

import typer

from figures import Figures, scaled
from plyground import game
from plyground._engine import Position, Rng
from plyground.agents import Agent, Limit, agent
from plyground.agents.forced import analyse_through_forced_moves
from plyground.exact.tables import activate_tables
from plyground.records import Record
from plyground.review import ReviewedMove, review

PLAYER = "alphabeta(weights=best, tables=true, depth=8)"
MATERIAL = "alphabeta(evaluation=material, reuse=always)"
LINES, VERIFICATION = Limit(depth=9), Limit(depth=14)
"""Limits of the search that compares all moves by material, and of those that verify a blunder."""
REFERENCE, PROOF = "tables(fallback=alphabeta(weights=best, tables=true, reuse=always))", Limit(nodes=500_000)
"""The agent and the limit of the search that checks whether a move changes the proven result."""
OPENING_PLIES = 6
MAX_PLIES = 120
"""Maximum length of a game; most are decided or drawn by then."""
MAN = 100
"""Value of a man, in centipawns."""
REVIEW_LIMIT = Limit(nodes=50_000)
"""About a tenth of the nodes that a 0.2 s search visits on a fast machine."""


@dataclass(frozen=True)
class SeededGame:
    """A game with one blunder."""

    record: Record
    ply: int
    """Number of plies before the blunder."""


@dataclass(frozen=True)
class ReviewedGame:
    """A game and the review of each of its moves, in game order."""

    game: SeededGame
    moves: tuple[ReviewedMove, ...]

    @property
    def blunder(self) -> ReviewedMove:
        """The review of the seeded blunder."""
        return self.moves[self.game.ply]

    @property
    def forced_mistakes(self) -> int:
        """Number of marked moves that were the only legal ones."""
        last = self.game.record.to_position()
        return sum(bool(move.mark) and len(last.replay(move.ply).moves) == 1 for move in self.moves)

    @property
    def other_marks(self) -> int:
        """Number of marked moves other than the blunder; the players are strong enough to make few mistakes."""
        return sum(bool(move.mark) for move in self.moves) - bool(self.blunder.mark)


def seeded_games(first_seed: int = 1) -> Iterator[SeededGame]:
    """Yield one game per seed, starting at `first_seed` and skipping seeds whose games offer no blunder."""
    seed = first_seed
    while True:
        found = seeded_game(seed)
        seed += 1
        if found is not None:
            yield found


def seeded_game(seed: int) -> SeededGame | None:
    """Play a game and replace one of its moves by a blunder; return None if no legal move in it hangs a man."""
    activate_tables()
    rng, player = Rng(seed), agent(PLAYER)
    last = play_on(opening(rng), player)
    plies = list(range(OPENING_PLIES, last.ply))
    while plies:
        position = last.replay(plies.pop(rng.below(len(plies))))
        if blunders := hanging_moves(position):
            blundered = position.play(blunders[rng.below(len(blunders))])
            return SeededGame(Record.from_position(play_on(blundered, agent(PLAYER)), {}), position.ply)
    return None


def opening(rng: Rng) -> Position:
    """Return a position after random moves, in which neither side wins material."""
    while True:
        position = game("checkers").start()
        for _ in range(OPENING_PLIES):
            position = position.play(position.moves[rng.below(len(position.moves))])
        if abs(score(agent(MATERIAL), position, LINES)) < MAN:
            return position


def play_on(position: Position, player: Agent) -> Position:
    """Return the position at the end of a game in which the player continues for both sides."""
    while position.outcome is None and position.ply < MAX_PLIES:
        position = position.play(player.analyse(position).best.move)
    return position


def hanging_moves(position: Position) -> list[str]:
    """Return the moves that hang a man that cannot be regained."""
    if len(position.moves) == 1:
        return []
    lines = agent(f"{MATERIAL.removesuffix(')')}, lines=256)").analyse(position, LINES)
    values = [centipawns(move.value) for move in lines.moves]
    hanging = [move.move for move, value in zip(lines.moves, values, strict=True) if value <= max(values) - MAN]
    return [move for move in hanging if loses_material(position, lines.best.move, move)]


def loses_material(position: Position, best: str, move: str) -> bool:
    """Whether a move permanently loses a man that can be captured immediately, and may change the game's result."""
    after = position.play(move)
    if after.outcome is not None or not any(after.captures(reply) for reply in after.moves):
        return False
    searcher = agent(MATERIAL)
    gained = [-score(searcher, position.play(one), VERIFICATION) for one in (best, move)]
    return isfinite(gained[0]) and gained[0] - gained[1] >= MAN and not is_decided(position, after)


def is_decided(before: Position, after: Position) -> bool:
    """Whether two consecutive positions are proven to have the same result."""
    reference = agent(REFERENCE)
    winners = []
    for position in (before, after):
        analysis = analyse_through_forced_moves(reference, position, PROOF)
        if analysis.proven is None:
            return False
        first, second = position.game.sides
        opponent = second if position.turn == first else first
        winners.append({"win": position.turn, "draw": None, "loss": opponent}[analysis.proven])
    return winners[0] == winners[1]


def score(searcher: Agent, position: Position, limit: Limit) -> float:
    """Return the score of a position in centipawns for the side to move, infinite if it is won or lost."""
    return centipawns(analyse_through_forced_moves(searcher, position, limit).value)


def centipawns(value: float | None) -> float:
    """Convert an expected score to centipawns, the inverse of `plyground.agents.alphabeta.expected_score`.

    >>> round(centipawns(0.64)), centipawns(1)
    (100, inf)
    """
    if value is None or value in (0, 1):
        return -inf if value == 0 else inf if value == 1 else 0
    return 400 * log10(value / (1 - value))


def review_games(games: Iterable[SeededGame], limit: Limit) -> Iterator[ReviewedGame]:
    """Review games."""
    for one in games:
        yield ReviewedGame(one, tuple(review(one.record, limit))[::-1])


def first(count: int, first_seed: int = 1) -> Iterator[SeededGame]:
    """Yield the first `count` seeded games."""
    games = seeded_games(first_seed)
    for _ in range(count):
        yield next(games)


def review_accuracy(effort: float) -> Figures:
    """Return the percentage of 200 seeded blunders that a review marks, and the marks of other moves."""
    reviewed = list(review_games(first(scaled(200, effort, minimum=5)), REVIEW_LIMIT))
    return {
        "blunders marked": 100 * sum(bool(one.blunder.mark) for one in reviewed) / len(reviewed),
        "forced moves marked": sum(one.forced_mistakes for one in reviewed),
        "other marks per game": sum(one.other_marks for one in reviewed) / len(reviewed),
    }


def main(
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game.")] = 1,
    seconds: Annotated[float | None, typer.Option(help="Time per search, instead of 50,000 nodes.")] = None,
) -> None:
    """Review seeded games; print every blunder that is not marked, and a summary."""
    limit = REVIEW_LIMIT if seconds is None else Limit(seconds=seconds)
    marks: Counter[str] = Counter()
    plies = forced = others = 0
    for one in review_games(first(games, seed), limit):
        marks[one.blunder.mark or "none"] += 1
        plies += len(one.moves)
        forced += one.forced_mistakes
        others += one.other_marks
        if not one.blunder.mark:
            before, after = one.blunder.before, one.blunder.after
            position = one.game.record.to_position().replay(one.game.ply)
            values = f"{before.value_first:.3f} to {after.value_first:.3f}, best {before.best}"
            typer.echo(f"{position.text} {one.blunder.move}: not marked, {values}")
    typer.echo(f"{marks.total()} blunders: {dict(marks)}")
    typer.echo(f"{plies} plies; {forced} forced moves marked; {others} other moves marked")


if __name__ == "__main__":
    typer.run(main)
