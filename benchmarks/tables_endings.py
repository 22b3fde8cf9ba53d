"""Endings of checkers that a player with the tables must not spoil: won ones won, drawn ones held, within the rules.

Usage: python benchmarks/tables_endings.py [--endings N] [--pieces N] [--player NAME] [--seconds S] [--processes N]

Random endings of two to so many pieces. The player has the side that wins, to move or not, and in drawn endings either
side in turns. Its opponent is perfect: the longest resistance, and of drawing moves the one that a search likes best. A
won ending must be won before 80 plies without progress draw it.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import Counter
from functools import partial

from plyground import game
from plyground._engine import random_ending
from plyground.agents import Limit, agent
from plyground.exact.tables import use
from plyground.levels import player

Result = tuple[str, str, int, str]
"""What the ending was for the player, what became of it, its plies, where it began."""


def play(seed: int, *, most: int, name: str, seconds: float) -> Result | None:
    """One ending; None where the game is over at once."""
    use()
    text = random_ending(2 + seed % (most - 1), seed)
    position = game("checkers").position(text)
    exact = position.exact
    if exact is None or not position.moves:
        return None
    first, second = position.game.sides
    mine = exact["winner"] or (position.turn if seed % 2 else second if position.turn == first else first)
    promised = "drawn" if exact["winner"] is None else "won"
    mover, opponent = player("checkers", name), agent("tables(depth=5)")
    while (outcome := position.outcome) is None:
        if position.turn == mine:
            position = position.play(mover.analyse(position, Limit(seconds=seconds), seed=seed).best.move)
        else:
            position = position.play(opponent.analyse(position, Limit(), seed=seed).best.move)
    became = "drawn" if outcome.winner is None else "won" if outcome.winner == mine else "lost"
    return promised, became, position.ply, text


def main() -> None:
    """Play and print what became of won and of drawn endings, the longest game, and each that was spoilt."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--endings", type=int, default=2000)
    parser.add_argument("--pieces", type=int, default=4, help="the most, 3 to 6")
    parser.add_argument("--player", default="Master", help="a level of checkers, or the spec of an agent")
    parser.add_argument("--seconds", type=float, default=0.05, help="a move, where tables leave the choice among draws")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    use()
    work = partial(play, most=given.pieces, name=given.player, seconds=given.seconds)
    counts: Counter[tuple[str, str]] = Counter()
    longest = 0
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        seeds = iter(range(10 * given.endings))
        for result in pool.imap_unordered(work, seeds, chunksize=8):
            if result is None:
                continue
            promised, became, plies, text = result
            counts[promised, became] += 1
            longest = max(longest, plies)
            if became == "lost" or (promised == "won" and became == "drawn"):
                print(f"{promised}, but {became}: {text}", flush=True)  # noqa: T201
            if (done := counts.total()) % 200 == 0:
                print(f"{done}: {dict(counts)}", flush=True)  # noqa: T201
            if done >= given.endings:
                pool.terminate()
                break
    print(f"{given.endings} endings: {dict(counts)}, the longest took {longest} plies")  # noqa: T201


if __name__ == "__main__":
    main()
