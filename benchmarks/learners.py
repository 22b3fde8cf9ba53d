"""Score of agents that play by learned values, against simple agents or each other, as in docs/learning.md.

python benchmarks/learners.py                                   the rows with thresholds
python benchmarks/learners.py connect4 qlearning "flat(playouts=20)" --games 100

Every opening consists of random plies and is played twice, once from each side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from figures import Figures, scaled
from match_runner import PairedMatch, format_score
from plyground import Position, Rng, game, split_seed
from plyground.agents import Limit, agent
from plyground.arena import Score
from plyground.arena.elo import wilson_interval

GAMES = 400
OPENING_PLIES = 4


@dataclass(frozen=True)
class Row:
    """A match between two agents, given by their specs."""

    game: str
    a: str
    b: str

    @property
    def name(self) -> str:
        """Name of the figure: A's score in percent."""
        return f"{self.game}: {self.a} v {self.b}"

    @property
    def low_name(self) -> str:
        """Name of the figure with the lower end of the 95% interval of A's score."""
        return f"{self.name}, lower bound"


ROWS = [
    *(Row(name, "qlearning", "random") for name in ("connect4", "checkers", "chess")),
    *(Row(name, "qlearning", "flat(playouts=20)") for name in ("connect4", "checkers")),
]


def random_openings(spec: str, plies: int, count: int, seed: int) -> list[Position]:
    """Return positions after random plies, in which the game is not over."""
    found: list[Position] = []
    for index in range(100 * count):
        position, rng = game(spec).start(), Rng(split_seed(seed, index))
        for _ in range(plies):
            if position.outcome is None:
                position = position.play_random(rng)
        if position.outcome is None:
            found.append(position)
        if len(found) == count:
            return found
    raise typer.BadParameter(f"{spec} has too few unfinished positions after {plies} plies")


def play(row: Row, games: int, opening_plies: int, seed: int) -> Iterator[Score]:
    """Play a match; yield A's score after each game."""
    starts = random_openings(row.game, opening_plies, -(-games // 2), seed)
    match = PairedMatch(game(row.game), agent(row.a), agent(row.b), Limit(), seed, starts=tuple(starts))
    return match.play(games)


def learner_scores(effort: float) -> Figures:
    """Return A's score in percent and the lower end of its interval for each row."""
    figures: Figures = {}
    for row in ROWS:
        *_, score = play(row, scaled(GAMES, effort, minimum=2), OPENING_PLIES, seed=0)
        figures[row.name] = 100 * score.share
        figures[row.low_name] = 100 * wilson_interval(score.share, score.games)[0]
    return figures


def main(
    spec: Annotated[str | None, typer.Argument(metavar="GAME", show_default="every row")] = None,
    a: Annotated[str, typer.Argument(metavar="A", help="Agent.")] = "qlearning",
    b: Annotated[str, typer.Argument(metavar="B", help="Opponent.")] = "random",
    games: Annotated[int, typer.Option(min=2, metavar="N", help="Number of games.")] = GAMES,
    opening_plies: Annotated[int, typer.Option(min=0, metavar="N", help="Random plies per opening.")] = OPENING_PLIES,
    seed: Annotated[int, typer.Option(help="Seed of the openings and the agents.")] = 0,
) -> None:
    """Print A's wins-draws-losses, score and 95% interval."""
    for row in ROWS if spec is None else [Row(spec, a, b)]:
        *_, score = play(row, games, opening_plies, seed)
        typer.echo(f"{row.name}: {format_score(score)}")


if __name__ == "__main__":
    typer.run(main)
