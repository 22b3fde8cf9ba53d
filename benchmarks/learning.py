"""Score of learned weights against random play, the initial weights and the heuristic: the table in docs/learning.md.

python benchmarks/learning.py --output learning.jsonl

Every opening of the three-move ballot is played twice, once from each side. Rows in the file are not played again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Annotated

import typer

from figures import Figures, scaled
from plyground import game, split_seed
from plyground._engine import Weights, play_game
from plyground.arena.elo import elo_from_score
from plyground.arena.openings import openings, shuffled
from plyground.arena.rating import Z_95
from plyground.weights import engine_weights

CHECKERS = game("checkers")
START = CHECKERS.start()
LEARNED = ["rookie", "trained", "veteran", "leaf", "aggressor", "turtle", "best"]
MOVE_SECONDS = 0.01


@dataclass(frozen=True)
class Row:
    """A match between two evaluations: weight sets, `heuristic` or `random`."""

    a: str
    b: str
    games: int = 400
    depth: int | None = None
    seconds: float | None = None

    @property
    def key(self) -> str:
        """Identifier in the results file."""
        return f"{self.a} v {self.b} {self.games} {self.depth} {self.seconds}"

    @property
    def limit(self) -> str:
        """The limit per move as text."""
        return f"depth {self.depth}" if self.seconds is None else f"{1000 * self.seconds:g} ms"


def rows(seconds: float, games: int = 400) -> list[Row]:
    """Return the rows of the table."""
    return [
        Row("trained", "random", games, depth=3),
        Row("trained", "random", games, depth=5),
        *(Row(name, "default", games, depth=3) for name in LEARNED),
        *(Row(name, "default", games, depth=5) for name in LEARNED),
        Row("default", "heuristic", games, depth=5),
        Row("best", "heuristic", games, depth=5),
        Row("best", "heuristic", games, seconds=seconds),
    ]


def evaluation(name: str) -> Weights | str:
    """Return the evaluation in the form that the engine expects."""
    return name if name in ("heuristic", "random") else engine_weights(name, START)


def play(row: Row, seed: int) -> tuple[int, int, int]:
    """Return A's wins, draws and losses."""
    score = [0, 0, 0]
    a, b = evaluation(row.a), evaluation(row.b)
    deck = [CHECKERS.position(moves=moves) for moves in shuffled(openings(CHECKERS), seed)]
    for index in range(row.games):
        a_first = index % 2 == 0
        sides = (a, b) if a_first else (b, a)
        start = deck[index // 2 % len(deck)]
        result = play_game(start, *sides, depth=row.depth, seconds=row.seconds, seed=split_seed(seed, index))
        score[1 - result if a_first else 1 + result] += 1
    return score[0], score[1], score[2]


def elo_interval(wins: int, draws: int, losses: int) -> tuple[float, float, float]:
    """Return the Elo difference and its 95% interval, computed from the variance of the results."""
    games = wins + draws + losses
    share = (wins + draws / 2) / games
    error = sqrt(max((wins + draws / 4) / games - share**2, 0) / games)

    def elo(share: float) -> float:
        return elo_from_score(min(max(share, 0.5 / games), 1 - 0.5 / games)) or 0.0

    return elo(share), elo(share - Z_95 * error), elo(share + Z_95 * error)


def format_row(row: Row, score: tuple[int, int, int]) -> str:
    """Return a line of the Markdown table."""
    difference, low, high = elo_interval(*score)
    results = "-".join(map(str, score))
    return f"| {row.a} | {row.b} | {row.limit} | {results} | {difference:+.0f} ({low:+.0f} to {high:+.0f}) |"


def learned_weights(effort: float) -> Figures:
    """Return A's score in percent for each row."""
    figures: Figures = {}
    for row in rows(MOVE_SECONDS, scaled(400, effort, minimum=2)):
        wins, draws, _ = play(row, seed=0)
        figures[f"{row.a} v {row.b}, {row.limit}"] = 100 * (wins + draws / 2) / row.games
    return figures


def stored_or_played(path: Path, seed: int) -> Callable[[Row], tuple[int, int, int]]:
    """Return a function that reads a row's score from a file, or plays the row and appends its score."""
    lines = path.read_text().splitlines() if path.exists() else []
    stored = {entry["key"]: entry["score"] for entry in map(json.loads, lines) if entry["seed"] == seed}

    def score(row: Row) -> tuple[int, int, int]:
        if row.key not in stored:
            stored[row.key] = list(play(row, seed))
            with path.open("a") as file:
                file.write(json.dumps({"key": row.key, "seed": seed, "score": stored[row.key]}) + "\n")
        wins, draws, losses = stored[row.key]
        return wins, draws, losses

    return score


def main(
    output: Annotated[Path, typer.Option(metavar="FILE", help="File that results are appended to.")] = Path(
        "learning.jsonl"
    ),
    seed: Annotated[int, typer.Option(help="Seed of the matches.")] = 0,
    seconds: Annotated[float, typer.Option(help="Seconds per move in the row with a time limit.")] = MOVE_SECONDS,
    only: Annotated[str, typer.Option(metavar="TEXT", help="Only rows that contain this text.")] = "",
) -> None:
    """Play the rows that are not in the file and print the table."""
    score = stored_or_played(output, seed)
    typer.echo("| A | B | limit | A's wins-draws-losses | Elo (95%) |\n|---|---|---|---|---|")
    for row in rows(seconds):
        if only in row.key:
            typer.echo(format_row(row, score(row)))


if __name__ == "__main__":
    typer.run(main)
