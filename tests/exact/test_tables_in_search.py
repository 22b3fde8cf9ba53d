"""Searches that take values from the endgame tables."""

from __future__ import annotations

import pytest

import plyground
from plyground._engine import random_ending
from plyground.agents import Limit, agent
from plyground.exact.tables import use
from plyground.levels import player

SPECS = ["mcts(tables=true, simulations=3000)", "alphabeta(tables=true, depth=4)"]


@pytest.mark.parametrize("spec", SPECS)
def test_a_search_with_tables_knows_every_ending_of_four_pieces(spec: str) -> None:
    use()
    checkers, searcher = plyground.game("checkers"), agent(spec)
    for seed in range(40):
        position = checkers.position(random_ending(4, seed))
        if position.outcome is not None or len(position.moves) == 1:
            continue
        exact = position.exact
        assert exact is not None
        analysis = searcher.analyse(position, Limit(), seed=1)
        expected = "draw" if exact["winner"] is None else "win" if exact["winner"] == position.turn else "loss"
        chosen = position.play(analysis.best.move)
        if chosen.outcome is None:
            after = chosen.exact
            assert after is not None
            assert after["winner"] == exact["winner"]
        if expected != "draw":
            assert analysis.known == expected
            assert analysis.distance is not None
            # The tree search ends with the first win it proves; alpha-beta looks for the quickest.
            assert analysis.distance == exact["distance"] or (spec.startswith("mcts") and expected == "win")


def test_without_the_option_nothing_depends_on_open_tables() -> None:
    position = plyground.game("checkers").position("B:WK5,K6:BK28,K32,K31")
    use()
    one = agent("mcts").analyse(position, Limit(simulations=500), seed=1)
    assert one.simulations == 500


@pytest.mark.parametrize("name", ["mcts", "alphabeta"])
def test_games_without_tables_search_as_ever(name: str) -> None:
    start = plyground.game("connect4").start()
    limit = Limit(depth=5) if name == "alphabeta" else Limit(simulations=500)
    assert (
        agent(f"{name}(tables=true)").analyse(start, limit, seed=1).best
        == agent(name).analyse(start, limit, seed=1).best
    )


@pytest.mark.parametrize(("value", "endings"), [("won", 40), ("drawn", 12)])
def test_master_spoils_no_ending_of_four_pieces(value: str, endings: int) -> None:
    """A few of them, with either side to move; `benchmarks/tables_endings.py` plays two thousand."""
    use()
    checkers, master, perfect = plyground.game("checkers"), player("checkers", "Master"), agent("tables(depth=3)")
    played = seed = 0
    while played < endings:
        seed += 1
        position = checkers.position(random_ending(2 + seed % 3, seed))
        exact = position.exact
        if exact is None or position.outcome is not None or (exact["winner"] is None) != (value == "drawn"):
            continue
        played += 1
        mine = exact["winner"] or checkers.sides[seed % 2]
        while (outcome := position.outcome) is None:
            mover = master if position.turn == mine else perfect
            position = position.play(mover.analyse(position, Limit(depth=3), seed=0).best.move)
        assert outcome.winner in ((mine,) if value == "won" else (mine, None)), position.replay(0).text
