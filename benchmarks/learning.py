"""Learned weights against random play, the starting weights and the rule of thumb: the tables of docs/learning.md.

Every opening (three random plies) is played twice, once from each side. Results are appended to a file, and a row that
is in it is not played again.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from math import log10, sqrt
from pathlib import Path

import typer

from plyground import Position, Rng, game, split_seed
from plyground.agents import Agent, Limit, agent, pick

OPENING = 3
LONGEST = 300


@dataclass(frozen=True)
class Row:
    """Two agents and how many games they play."""

    a: str
    b: str
    games: int
    depth: int | None = None
    seconds: float | None = None

    @property
    def key(self) -> str:
        """What tells it from other rows."""
        return f"{self.a} v {self.b} {self.games} {self.depth} {self.seconds}"


def rows(seconds: float) -> list[Row]:
    """Every row of the tables."""

    def by(name: str) -> str:
        return f"alphabeta(weights={name})"

    named = ["rookie", "trained", "veteran", "aggressor", "turtle", "best"]
    return [
        Row(by("trained"), "random", 400, depth=3),
        Row(by("trained"), "random", 400, depth=5),
        *(Row(by(name), by("default"), 400, depth=3) for name in named),
        *(Row(by(name), by("default"), 400, depth=5) for name in ("trained", "best")),
        Row(by("default"), "alphabeta", 400, depth=5),
        Row(by("best"), "alphabeta", 400, depth=5),
        Row(by("best"), "alphabeta", 400, seconds=seconds),
    ]


def play(row: Row, seed: int) -> tuple[int, int, int]:
    """Wins, draws and losses of A."""
    score = [0, 0, 0]
    players = (agent(row.a), agent(row.b))
    for index in range(row.games):
        result = _result(row, players if index % 2 == 0 else players[::-1], index, seed)
        score[1 - result if index % 2 == 0 else 1 + result] += 1
    return score[0], score[1], score[2]


def _result(row: Row, players: tuple[Agent, Agent], index: int, seed: int) -> int:
    """What the first side got: 1, 0 or -1."""
    rng = Rng(split_seed(seed, index // 2))
    position: Position = game("checkers").start()
    for _ in range(OPENING):
        position = position.play_random(rng)
    sides = position.game.sides
    limit = Limit(depth=row.depth, seconds=row.seconds)
    while position.outcome is None and position.ply < LONGEST:
        move_seed = split_seed(split_seed(seed, index), position.ply)
        analysis = players[sides.index(position.turn)].analyse(position, limit, seed=move_seed)
        position = position.play(pick(analysis, 0, move_seed))
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0
    return 1 if outcome.winner == sides[0] else -1


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
        typer.echo(f"| `{row.a}` | `{row.b}` | {limit} | {wins}-{draws}-{losses} | {elo} |")


if __name__ == "__main__":
    main()
