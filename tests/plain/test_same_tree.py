"""The engine and the plain search grow the same tree from the same seed, node for node."""

from __future__ import annotations

import pytest

from plain.trees import engine_tree, plain_tree
from plyground import game
from plyground.agents import Limit, agent
from plyground.agents.mcts import SEARCH_OPTIONS
from plyground.plain import Mcts, PieceCutoff
from plyground.plain.playout import PLIES


@pytest.mark.parametrize(
    ("spec", "simulations", "plies"),
    [
        ("tictactoe", 1, PLIES),
        ("tictactoe", 100, PLIES),
        ("tictactoe", 20_000, PLIES),
        ("tictactoe(rows=4, columns=5, line=4)", 3000, PLIES),
        ("connect4", 20_000, PLIES),
        ("connect4(columns=5, rows=4)", 5000, PLIES),
        ("connect4(columns=9, rows=6, line=5)", 1000, PLIES),
        ("checkers", 3000, 20),
        ("checkers", 1000, PLIES),
        ("checkers(draws=openspiel)", 1000, PLIES),
        ("chess", 1000, 20),
        ("chess", 200, PLIES),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_engine_and_plain_search_grow_the_same_tree(spec: str, simulations: int, plies: int, seed: int) -> None:
    start = game(spec).start()
    plain = plain_tree(start, simulations, seed, plies)
    assert plain[()][0] == simulations
    assert plain == engine_tree(start, simulations, seed, plies)


# With c = 0, equal means such as 1/3 and 2/6 are ordered by rounding errors, which differ between the two searches.
@pytest.mark.parametrize("c", [0.01, 0.5, 1.0, 3.0])
def test_the_trees_are_equal_for_any_exploration_constant(c: float) -> None:
    start = game("connect4").start()
    assert plain_tree(start, 3000, 5, PLIES, c) == engine_tree(start, 3000, 5, PLIES, c)


@pytest.mark.parametrize(
    ("spec", "text", "plies"),
    [
        ("tictactoe", "xx./oo./...", PLIES),
        ("connect4", "44444326555", PLIES),
        ("checkers", "W:WK3,K7:BK30,K22", 8),
        ("chess", "8/8/8/3k4/8/8/4Q3/4K3 w - - 90 80", PLIES),
        ("chess", "8/8/8/3k4/8/8/4Q3/4K3 w - - 0 80", PLIES),
    ],
)
def test_the_trees_are_equal_near_the_end_of_a_game(spec: str, text: str, plies: int) -> None:
    position = game(spec).position(text)
    assert plain_tree(position, 2000, 8, plies) == engine_tree(position, 2000, 8, plies)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("spec", "text", "plies"),
    [
        ("checkers", None, 20),
        ("checkers", "W:W17,21,22,K3:B1,2,5", 6),
        ("chess", None, 10),
        ("chess", "8/8/8/3k4/3p4/8/4Q3/4K3 w - - 0 80", 4),
    ],
)
def test_the_trees_are_equal_if_pieces_are_counted_at_the_cutoff(
    spec: str, text: str | None, plies: int, seed: int
) -> None:
    position = game(spec).position(text) if text else game(spec).start()
    plain = plain_tree(position, 1000, seed, plies, search=PieceCutoff)
    assert plain == engine_tree(position, 1000, seed, plies, cutoff="pieces")


@pytest.mark.parametrize("spec", ["connect4", "tictactoe"])
def test_counting_pieces_makes_no_difference_in_games_without_captures(spec: str) -> None:
    start = game(spec).start()
    assert engine_tree(start, 1000, 1, 4, cutoff="pieces") == engine_tree(start, 1000, 1, 4)


def test_a_third_repetition_is_a_draw_in_both_trees() -> None:
    shuffle = ["3-7", "30-26", "7-3", "26-30"]
    position = game("checkers").position("W:WK3,K12:BK30,K21", [*shuffle, *shuffle[:3]])
    plain = plain_tree(position, 4000, 1, 8)
    assert position.play("26-30").outcome is not None
    assert plain[("26-30",)][1] == plain[("26-30",)][0] / 2
    assert plain == engine_tree(position, 4000, 1, 8)


def test_the_agents_give_the_same_analysis() -> None:
    position = game("connect4").position("4453")
    engine, plain = (
        agent(spec).analyse(position, Limit(simulations=2000), seed=4)
        for spec in ("mcts(solver=false, decisive=false, playout_decisive=false)", "plain-mcts")
    )
    assert [move.visits for move in plain.moves] == [move.visits for move in engine.moves]
    assert [move.share for move in plain.moves] == [move.share for move in engine.moves]
    assert (plain.best.move, plain.simulations) == (engine.best.move, engine.simulations)
    assert (plain.mean_depth, plain.max_depth) == (engine.mean_depth, engine.max_depth)
    assert plain.value == pytest.approx(engine.value)


def test_the_defaults_match_those_of_the_engine() -> None:
    defaults = {option.name: option.default for option in SEARCH_OPTIONS}
    assert Mcts.__init__.__defaults__ == (float(defaults["c"]), int(defaults["playout_plies"]))
