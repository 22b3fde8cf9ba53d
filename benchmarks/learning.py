"""Learned weights against random play, the starting weights and the rule of thumb: the tables of docs/learning.md.

Every opening of the three-move ballot is played twice, once from each side. Results are appended to a file, and a row
that is in it is not played again.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from math import log10, sqrt
from pathlib import Path

import typer

from plyground import game, split_seed
from plyground._engine import Weights, duel
from plyground.arena.openings import openings, shuffled
from plyground.weights import engine_weights

CHECKERS = game("checkers")
START = CHECKERS.start()


@dataclass(frozen=True)
class Row:
    """Two who judge (a set of weights, the rule of thumb `estimate`, or `random`) and how many games they play."""

    a: str
    b: str
    games: int = 400
    depth: int | None = None
    seconds: float | None = None

    @property
    def key(self) -> str:
        """What tells it from other rows."""
        return f"{self.a} v {self.b} {self.games} {self.depth} {self.seconds}"


def rows(seconds: float) -> list[Row]:
    """Every row of the table."""
    named = ["rookie", "trained", "veteran", "leaf", "aggressor", "turtle", "best"]
    return [
        Row("trained", "random", depth=3),
        Row("trained", "random", depth=5),
        *(Row(name, "default", depth=3) for name in named),
        *(Row(name, "default", depth=5) for name in named),
        Row("default", "estimate", depth=5),
        Row("best", "estimate", depth=5),
        Row("best", "estimate", seconds=seconds),
    ]


def judge(name: str) -> Weights | str:
    """Who judges, as the engine takes it."""
    return name if name in ("estimate", "random") else engine_weights(name, START)


def play(row: Row, seed: int) -> tuple[int, int, int]:
    """Wins, draws and losses of A."""
    score = [0, 0, 0]
    a, b = judge(row.a), judge(row.b)
    deck = [CHECKERS.position(moves=moves) for moves in shuffled(openings(CHECKERS), seed)]
    for index in range(row.games):
        a_begins = index % 2 == 0
        sides = (a, b) if a_begins else (b, a)
        start = deck[index // 2 % len(deck)]
        result = duel(start, *sides, depth=row.depth, seconds=row.seconds, seed=split_seed(seed, index))
        score[1 - result if a_begins else 1 + result] += 1
    return score[0], score[1], score[2]


def rating(wins: int, draws: int, losses: int) -> tuple[float, float, float]:
    """The difference in Elo points and its 95 % interval, from the spread of the results."""
    games = wins + draws + losses
    share = (wins + draws / 2) / games
    error = sqrt(max((wins + draws / 4) / games - share**2, 0) / games)

    def elo(share: float) -> float:
        share = min(max(share, 0.5 / games), 1 - 0.5 / games)
        return 400 * log10(share / (1 - share))

    return elo(share), elo(share - 1.96 * error), elo(share + 1.96 * error)


def main() -> None:
    """Play what is not in the file yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=Path("learning.jsonl"), help="where results are kept")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.01, help="time of a move in the row at equal time")
    parser.add_argument("--only", default="", help="only rows that contain this text")
    arguments = parser.parse_args()
    lines = arguments.file.read_text().splitlines() if arguments.file.exists() else []
    done = {entry["key"]: entry["score"] for entry in map(json.loads, lines) if entry["seed"] == arguments.seed}
    typer.echo("| A | B | limit | A's wins-draws-losses | Elo (95 %) |\n|---|---|---|---|---|")
    for row in rows(arguments.seconds):
        if arguments.only not in row.key:
            continue
        if row.key not in done:
            done[row.key] = list(play(row, arguments.seed))
            with arguments.file.open("a") as file:
                file.write(json.dumps({"key": row.key, "seed": arguments.seed, "score": done[row.key]}) + "\n")
        wins, draws, losses = done[row.key]
        middle, low, high = rating(wins, draws, losses)
        limit = f"depth {row.depth}" if row.seconds is None else f"{1000 * row.seconds:g} ms"
        elo = f"{middle:+.0f} ({low:+.0f} to {high:+.0f})"
        typer.echo(f"| {row.a} | {row.b} | {limit} | {wins}-{draws}-{losses} | {elo} |")


if __name__ == "__main__":
    main()
