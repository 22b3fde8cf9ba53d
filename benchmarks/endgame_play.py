"""Checkers endgames that a player with endgame tables must win or draw, as the tables predict.

python benchmarks/endgame_play.py --endgames 2000 --pieces 4

The player takes the winning side in won endgames and alternating sides in drawn ones. Its opponent plays perfectly: the
longest defence in lost positions, and the drawing move that a search prefers in drawn ones. A won endgame must be won
before 80 plies without progress make it a draw.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import typer

from figures import Figures, scaled
from plyground import game
from plyground._engine import random_endgame
from plyground.agents import Limit, agent
from plyground.exact.tables import activate_tables
from plyground.levels import player


@dataclass(frozen=True)
class Endgame:
    """A played endgame; results are from the player's point of view."""

    expected: str
    """won or drawn, according to the tables."""
    result: str
    """won, drawn or lost."""
    plies: int
    start: str

    @property
    def spoiled(self) -> bool:
        """Whether the result is worse for the player than the tables predict."""
        return self.result == "lost" or (self.expected == "won" and self.result == "drawn")


def play(seed: int, *, pieces: int, name: str, seconds: float) -> Endgame | None:
    """Play one random endgame of 2 to `pieces` pieces; None if the tables do not cover it or it is already over."""
    activate_tables()
    start = random_endgame(2 + seed % (pieces - 1), seed)
    position = game("checkers").position(start)
    exact = position.proven_value
    if exact is None or not position.moves:
        return None
    first, second = position.game.sides
    side = exact["winner"] or (position.turn if seed % 2 else second if position.turn == first else first)
    expected = "drawn" if exact["winner"] is None else "won"
    mover, opponent = player("checkers", name), agent("tables(depth=5)")
    while (outcome := position.outcome) is None:
        if position.turn == side:
            position = position.play(mover.analyse(position, Limit(seconds=seconds), seed=seed).best.move)
        else:
            position = position.play(opponent.analyse(position, Limit(), seed=seed).best.move)
    result = "drawn" if outcome.winner is None else "won" if outcome.winner == side else "lost"
    return Endgame(expected, result, position.ply, start)


def play_endgames(count: int, pieces: int, name: str, seconds: float, processes: int) -> Iterator[Endgame]:
    """Play random endgames in several processes."""
    activate_tables()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        played = 0
        task = partial(play, pieces=pieces, name=name, seconds=seconds)
        for endgame in pool.imap_unordered(task, range(10 * count), chunksize=8):
            if endgame is not None:
                yield endgame
                played += 1
            if played >= count:
                pool.terminate()
                break


def endgame_play(effort: float) -> Figures:
    """Return how many of 2,000 endgames of up to four pieces Master spoils."""
    endgames = play_endgames(scaled(2000, effort, minimum=10), 4, "Master", 0.05, processes=1)
    return {"spoiled endgames": sum(endgame.spoiled for endgame in endgames)}


def main(
    endgames: Annotated[int, typer.Option(min=1, help="Number of endgames.")] = 2000,
    pieces: Annotated[int, typer.Option(min=3, max=6, help="Maximum number of pieces.")] = 4,
    name: Annotated[str, typer.Option("--player", help="Checkers level or agent spec.")] = "Master",
    seconds: Annotated[float, typer.Option(help="Seconds per move.")] = 0.05,
    processes: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
) -> None:
    """Play endgames and print the results, the longest game and every spoiled endgame."""
    counts: Counter[str] = Counter()
    longest = spoiled = 0
    for endgame in play_endgames(endgames, pieces, name, seconds, processes):
        counts[f"{endgame.expected} endgames {endgame.result}"] += 1
        longest = max(longest, endgame.plies)
        if endgame.spoiled:
            spoiled += 1
            typer.echo(f"expected {endgame.expected}, but {endgame.result}: {endgame.start}")
        if counts.total() % 200 == 0:
            typer.echo(f"{counts.total()}: {dict(counts)}", err=True)
    typer.echo(f"{counts.total()} endgames: {dict(counts)}; longest game {longest} plies")
    raise typer.Exit(spoiled > 0)


if __name__ == "__main__":
    typer.run(main)
