"""Several threads on one tree: the counts add up in any interleaving."""

from __future__ import annotations

import pytest

import plyground
from plyground._engine import Search

GAMES = [game.id for game in plyground.games()]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "options", [[], [("rave", "0.001")], [("transpositions", "true")], [("selection", "ucb1-tuned")]]
)
@pytest.mark.parametrize("seed", range(3))
def test_counts_every_simulation_once(name: str, options: list[tuple[str, str]], seed: int) -> None:
    """Eight threads on fewer cores interleave often; no visit is lost or counted twice, even in subtree batches."""
    search = Search(plyground.game(name).start(), [*options, ("solver", "false"), ("playout_plies", "30")], threads=8)
    total = 0
    for budget in (1, 17, 5_000, 20_000 if name != "chess" else 100):
        total += budget
        assert search.run(simulations=budget, seed=seed)["simulations"] == budget
        nodes = search.top_nodes(10**6)
        assert nodes[0]["visits"] == total
        below = [0] * len(nodes)
        for node in nodes[1:]:
            below[node["parent"]] += node["visits"]
            assert 0 <= node["total"] <= node["visits"] + 1e-6
        if options != [("transpositions", "true")]:
            # A node is visited once before it is expanded, and other threads may visit it in between.
            for node, sum_below in zip(nodes, below, strict=True):
                assert sum_below <= node["visits"]
            assert total - 8 <= below[0] <= total


def test_several_threads_find_the_same_values_as_one() -> None:
    position = plyground.game("connect4").position("4444")
    results = []
    for threads in (1, 4):
        analysis = Search(position, [("solver", "false")], threads=threads).run(simulations=400_000, seed=1)
        results.append(analysis["moves"])
    for single, several in zip(*results, strict=True):
        # Means of rarely visited moves are too noisy.
        if min(single["visits"], several["visits"]) > 2000:
            assert single["value"] == pytest.approx(several["value"], abs=0.08)
    assert max(move["visits"] for move in results[1]) > 50_000


def test_a_time_limit_within_a_subtree_batch_keeps_the_counts_consistent() -> None:
    search = Search(plyground.game("connect4").start(), [("solver", "false")], threads=4)
    total = 0
    for _ in range(20):
        total += search.run(seconds=0.02, seed=1)["simulations"]
        assert search.top_nodes(1)[0]["visits"] == total
