"""The flat agent and the plain ones: what they say, and how they keep limits."""

from __future__ import annotations

from time import perf_counter

import pytest

from plyground import GameOverError, ParseError, UnknownNameError, game
from plyground.agents import Analysis, Limit, agent

FLAT = ["flat", "plain-flat"]
PLAIN = ["plain-mcts(simulations=300)", "plain-flat(playouts=20)", "plain-minimax(depth=2)"]
ALL = ["flat(playouts=20)", *PLAIN]


@pytest.mark.parametrize("spec", ALL)
def test_it_takes_a_win_in_one(spec: str) -> None:
    for name, text, win in [("tictactoe", "xx./oo./...", "c3"), ("connect4", "112233", "4")]:
        analysis = agent(spec).analyse(game(name).position(text), Limit(), seed=1)
        assert analysis.best.move == win


@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize("name", ["checkers", "connect4", "tictactoe", "chess"])
def test_it_speaks_of_every_legal_move_in_every_game(spec: str, name: str) -> None:
    position = game(name).start()
    analysis = agent(spec).analyse(position, Limit(), seed=1)
    assert [move.move for move in analysis.moves] == position.moves
    assert sum(move.share for move in analysis.moves) == pytest.approx(1)
    for move in analysis.moves:
        assert move.value is None or (move.low or 0) <= move.value <= (1 if move.high is None else move.high)


@pytest.mark.parametrize("spec", ALL)
def test_the_same_seed_gives_the_same_moves(spec: str) -> None:
    position = game("checkers").start()
    one, same = (agent(spec).analyse(position, Limit(), seed=5) for _ in range(2))
    assert (one.moves, one.results) == (same.moves, same.results)


@pytest.mark.parametrize("spec", ALL)
def test_a_finished_game_is_refused(spec: str) -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        agent(spec).analyse(game("connect4").position("1212121"), Limit(), seed=0)


@pytest.mark.parametrize("spec", [*FLAT, "plain-mcts"])
@pytest.mark.parametrize("simulations", [1, 10, 333])
def test_simulations_are_made_exactly(spec: str, simulations: int) -> None:
    analysis = agent(spec).analyse(game("connect4").start(), Limit(simulations=simulations), seed=0)
    assert analysis.simulations == simulations == sum(move.visits for move in analysis.moves)


@pytest.mark.parametrize("spec", FLAT)
def test_playouts_are_counted_for_each_move_and_each_side(spec: str) -> None:
    analysis = agent(f"{spec}(playouts=30)").analyse(game("connect4").position("4"), Limit(), seed=0)
    assert {move.visits for move in analysis.moves} == {30}
    assert sum(analysis.results) == 7 * 30
    assert analysis.results[0] > analysis.results[1]


@pytest.mark.parametrize("spec", [*FLAT, "plain-mcts"])
def test_it_thinks_as_long_as_it_is_told_and_reports(spec: str) -> None:
    reports: list[Analysis] = []
    began = perf_counter()
    analysis = agent(spec).analyse(game("checkers").start(), Limit(seconds=0.3), seed=0, report=reports.append)
    assert 0.3 <= perf_counter() - began < 1
    assert 1 <= len(reports) <= 4
    assert reports[0].simulations < analysis.simulations


def test_a_move_that_ends_the_game_needs_no_playouts() -> None:
    analysis = agent("flat").analyse(game("connect4").position("112233"), Limit(), seed=0)
    best = analysis.best
    assert (best.move, best.visits, best.value, best.known, best.distance) == ("4", 0, 1, "win", 1)
    assert (analysis.known, analysis.distance, analysis.simulations) == ("win", 1, 600)


def test_where_every_move_ends_the_game_no_playouts_are_made() -> None:
    analysis = agent("flat").analyse(game("tictactoe").position("xox/xoo/ox."), Limit(seconds=60), seed=0)
    assert (analysis.simulations, analysis.known, analysis.value) == (0, "draw", 0.5)


def test_flat_and_plain_flat_agree_about_values() -> None:
    position = game("connect4").position("4453")
    engine, plain = (agent(f"{spec}(playouts=1500)").analyse(position, Limit(), seed=1) for spec in FLAT)
    for one, other in zip(engine.moves, plain.moves, strict=True):
        assert one.value == pytest.approx(other.value, abs=0.06)


def test_minimax_knows_a_win_and_how_far_it_is() -> None:
    analysis = agent("plain-minimax(depth=3)").analyse(game("connect4").position("112233"), Limit(), seed=0)
    assert (analysis.known, analysis.distance, analysis.value) == ("win", 1, 1)


def test_minimax_follows_the_limit_of_depth() -> None:
    start = game("checkers").start()
    depths = [
        agent("plain-minimax(depth=2)").analyse(start, limit, seed=0).depth for limit in (Limit(), Limit(depth=3))
    ]
    assert depths == [2, 3]


def test_without_pruning_every_move_has_a_value() -> None:
    start = game("checkers").start()
    for pruning in (True, False):
        spec = f"plain-minimax(depth=2, pruning={str(pruning).lower()})"
        analysis = agent(spec).analyse(start, Limit(), seed=0)
        assert sum(move.value is None for move in analysis.moves) == (6 if pruning else 0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("flat(playouts=0)", "option playouts='0': accepted is a whole number above 0"),
        ("plain-flat(playouts=many)", "option playouts='many': accepted is a whole number above 0"),
        ("plain-mcts(c=-1)", "option c='-1': accepted is a number from 0 to 100"),
        ("plain-mcts(c=nan)", "option c='nan': accepted is a number from 0 to 100"),
        ("plain-mcts(playout_plies=1.5)", "option playout_plies='1.5': accepted is a whole number above 0"),
        ("plain-minimax(depth=-2)", "option depth='-2': accepted is a whole number above 0"),
        ("plain-minimax(pruning=yes)", "option pruning='yes': accepted is true or false"),
    ],
)
def test_an_option_that_makes_no_sense_is_told_what_is_accepted(spec: str, message: str) -> None:
    with pytest.raises(ParseError) as error:
        agent(spec)
    assert str(error.value) == message


def test_an_unknown_option_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="agent flat has no option 'c'; it has: playouts"):
        agent("flat(c=1)")
