"""Random games for testing file formats."""

from __future__ import annotations

from plyground import Outcome, Rng, game
from plyground.records import Record


def random_games(spec: str, count: int, *, plies: int = 1000, start: str | None = None) -> list[Record]:
    """Return seeded random games of at most `plies` plies.

    A game that does not end by then is drawn by the ply limit, resigned or left unfinished.
    """
    records = []
    for seed in range(count):
        position, rng = game(spec).position(start), Rng(seed)
        while position.outcome is None and position.ply < plies:
            position = position.play_random(rng)
        players = dict.fromkeys(position.game.sides, ("random", f"mcts(simulations={seed + 1})")[seed % 2])
        records.append(
            Record.from_position(
                position,
                players,
                outcome=(Outcome(None, "ply limit"), Outcome(position.game.sides[0], "resignation"), None)[seed % 3],
                seed=seed,
                started=f"2026-01-{seed % 28 + 1:02}T12:00:{seed % 60:02}+00:00",
                headers={"Event": f'Match "{seed}" \\ Café', "Round": str(seed)},
            )
        )
    return records
