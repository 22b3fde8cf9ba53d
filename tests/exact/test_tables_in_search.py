"""Searches that use the endgame tables."""

from __future__ import annotations

import pytest

import plyground
from plyground._engine import Position, random_endgame
from plyground.agents import Limit, agent
from plyground.exact.tables import activate_tables
from plyground.levels import player

SPECS = ["mcts(tables=true, simulations=3000)", "alphabeta(tables=true, depth=4)"]


@pytest.mark.parametrize("spec", SPECS)
def test_a_search_with_tables_proves_every_four_piece_endgame(spec: str) -> None:
    activate_tables()
    checkers, searcher = plyground.game("checkers"), agent(spec)
    for seed in range(40):
        position = checkers.position(random_endgame(4, seed))
        if position.outcome is not None or len(position.moves) == 1:
            continue
        exact = position.proven_value
        assert exact is not None
        analysis = searcher.analyse(position, Limit(), seed=1)
        expected = "draw" if exact["winner"] is None else "win" if exact["winner"] == position.turn else "loss"
        chosen = position.play(analysis.best.move)
        if chosen.outcome is None:
            after = chosen.proven_value
            assert after is not None
            assert after["winner"] == exact["winner"]
        if expected != "draw":
            assert analysis.proven == expected
            assert analysis.distance is not None
            # Tree search ends with the first proven win; alpha-beta finds the quickest.
            assert analysis.distance == exact["distance"] or (spec.startswith("mcts") and expected == "win")


def shuffle_kings(plies: int, seed: int) -> Position:
    """Play random moves with two kings against one until `plies` plies have passed without a capture."""
    rng = plyground.Rng(seed)
    while True:
        position = plyground.game("checkers").position("B:WK32:BK1,K5")
        while position.reversible_plies < plies:
            quiet = [
                following
                for following in map(position.play, position.moves)
                if following.outcome is None and following.reversible_plies > position.reversible_plies
            ]
            if not quiet:
                break  # start again
            position = quiet[rng.below(len(quiet))]
        else:
            return position


def test_a_table_win_that_the_move_limit_prevents_is_not_proven() -> None:
    """Two kings beat one, but not within the few plies that are left before the draw."""
    activate_tables()
    position = shuffle_kings(76, seed=3)
    exact = position.proven_value
    assert exact is not None
    assert exact["winner"] is not None
    assert exact["distance"] > 80 - position.reversible_plies
    for spec in SPECS:
        analysis = agent(spec).analyse(position, Limit(), seed=1)
        assert analysis.proven in (None, "draw"), spec


def test_active_tables_do_not_affect_searches_without_the_option() -> None:
    position = plyground.game("checkers").position("B:WK5,K6:BK28,K32,K31")
    activate_tables()
    analysis = agent("mcts").analyse(position, Limit(simulations=500), seed=1)
    assert analysis.simulations == 500


@pytest.mark.parametrize("name", ["mcts", "alphabeta"])
def test_the_option_has_no_effect_in_games_without_tables(name: str) -> None:
    start = plyground.game("connect4").start()
    limit = Limit(depth=5) if name == "alphabeta" else Limit(simulations=500)
    assert (
        agent(f"{name}(tables=true)").analyse(start, limit, seed=1).best
        == agent(name).analyse(start, limit, seed=1).best
    )


@pytest.mark.parametrize(("value", "count"), [("won", 40), ("drawn", 12)])
def test_master_keeps_the_result_of_small_endgames(value: str, count: int) -> None:
    """`benchmarks/endgame_play.py` plays 2,000 endgames."""
    activate_tables()
    checkers, master, perfect = plyground.game("checkers"), player("checkers", "Master"), agent("tables(depth=3)")
    played = seed = 0
    while played < count:
        seed += 1
        position = checkers.position(random_endgame(2 + seed % 3, seed))
        exact = position.proven_value
        if exact is None or position.outcome is not None or (exact["winner"] is None) != (value == "drawn"):
            continue
        played += 1
        side = exact["winner"] or checkers.sides[seed % 2]
        while (outcome := position.outcome) is None:
            mover = master if position.turn == side else perfect
            position = position.play(mover.analyse(position, Limit(depth=3), seed=0).best.move)
        assert outcome.winner in ((side,) if value == "won" else (side, None)), position.replay(0).text
