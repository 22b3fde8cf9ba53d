"""Threads on one tree: whatever their order, the numbers add up."""

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
def test_every_simulation_is_counted_once(name: str, options: list[tuple[str, str]], seed: int) -> None:
    """Eight threads on two cores take turns at every moment; nothing is lost or counted twice, stays included."""
    search = Search(plyground.game(name).start(), [*options, ("solver", "false"), ("playout_plies", "30")], threads=8)
    made = 0
    for budget in (1, 17, 5_000, 20_000 if name != "chess" else 100):
        made += budget
        assert search.run(simulations=budget, seed=seed)["simulations"] == budget
        nodes = search.top(10**6)
        assert nodes[0]["visits"] == made
        below = [0] * len(nodes)
        for node in nodes[1:]:
            below[node["parent"]] += node["visits"]
            assert 0 <= node["total"] <= node["visits"] + 1e-6
        if options != [("transpositions", "true")]:
            # A node was entered once before its children were made; threads may have come in between.
            for node, sum_below in zip(nodes, below, strict=True):
                assert sum_below <= node["visits"]
            assert made - 8 <= below[0] <= made


def test_threads_think_what_one_thinks() -> None:
    position = plyground.game("connect4").position("4444")
    shares = []
    for threads in (1, 4):
        thought = Search(position, [("solver", "false")], threads=threads).run(simulations=400_000, seed=1)
        shares.append(thought["moves"])
    for one, other in zip(*shares, strict=True):
        # Where a move was hardly tried, its mean is chance.
        if min(one["visits"], other["visits"]) > 2000:
            assert one["value"] == pytest.approx(other["value"], abs=0.08)
    assert max(move["visits"] for move in shares[1]) > 50_000


def test_a_time_limit_in_the_middle_of_stays_leaves_whole_numbers() -> None:
    search = Search(plyground.game("connect4").start(), [("solver", "false")], threads=4)
    made = 0
    for _ in range(20):
        made += search.run(seconds=0.02, seed=1)["simulations"]
        assert search.top(1)[0]["visits"] == made
