"""Won endings of checkers played out by the tables against the longest resistance: how many are won within the rules.

Usage: python benchmarks/tables_endings.py [ENDINGS] [PIECES] [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from plyground import game
from plyground._engine import random_ending
from plyground.agents import Limit, agent
from plyground.exact.tables import use


def main(endings: int = 2000, pieces: int = 4, folder: str | None = None) -> None:
    """Play and print the count of wins, draws and losses, the longest game and the most plies without progress."""
    use(Path(folder) if folder else None)
    checkers = game("checkers")
    player = agent(f"tables(folder={folder})" if folder else "tables")
    played = seed = longest = 0
    results = {"won": 0, "drawn": 0, "lost": 0}
    while played < endings:
        position = checkers.position(random_ending(pieces, seed))
        seed += 1
        exact, winner = position.exact, position.turn
        if exact is None or exact["winner"] != winner or position.outcome is not None:
            continue
        played += 1
        while (outcome := position.outcome) is None:
            position = position.play(player.analyse(position, Limit(), seed=0).best.move)
        result = "drawn" if outcome.winner is None else "won" if outcome.winner == winner else "lost"
        results[result] += 1
        longest = max(longest, position.ply)
        if result != "won":
            print(f"{result}: {position.replay(0).text}")  # noqa: T201
    print(f"{endings} won endings of {pieces} pieces: {results}, the longest took {longest} plies")  # noqa: T201


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(*map(int, arguments[:2]), *arguments[2:3])
