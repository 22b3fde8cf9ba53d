"""The `flat` agent and the plain Python agents: analyses and limits."""

from __future__ import annotations

import pytest

from plyground import GameOverError, ParseError, UnknownNameError, game
from plyground.agents import Analysis, Limit, agent
from stopping import LONG_S

FLAT = ["flat", "plain-flat"]
PLAIN = ["plain-mcts(simulations=300)", "plain-flat(playouts=20)", "plain-minimax(depth=2)"]
ALL = ["flat(playouts=20)", *PLAIN]


@pytest.mark.parametrize("spec", ALL)
def test_takes_a_win_in_one(spec: str) -> None:
    for name, text, win in [("tictactoe", "xx./oo./...", "c3"), ("connect4", "112233", "4")]:
        analysis = agent(spec).analyse(game(name).position(text), Limit(), seed=1)
        assert analysis.best.move == win


@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize("name", ["checkers", "connect4", "tictactoe", "chess"])
def test_analyses_every_legal_move_of_every_game(spec: str, name: str) -> None:
    position = game(name).start()
    analysis = agent(spec).analyse(position, Limit(), seed=1)
    assert [move.move for move in analysis.moves] == position.moves
    assert sum(move.share for move in analysis.moves) == pytest.approx(1)
    for move in analysis.moves:
        assert move.value is None or (move.low or 0) <= move.value <= (1 if move.high is None else move.high)


@pytest.mark.parametrize("spec", ALL)
def test_the_same_seed_gives_the_same_moves(spec: str) -> None:
    position = game("checkers").start()
    first, second = (agent(spec).analyse(position, Limit(), seed=5) for _ in range(2))
    assert (first.moves, first.playout_results) == (second.moves, second.playout_results)


@pytest.mark.parametrize("spec", ALL)
def test_a_finished_game_cannot_be_analysed(spec: str) -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        agent(spec).analyse(game("connect4").position("1212121"), Limit(), seed=0)


@pytest.mark.parametrize("spec", [*FLAT, "plain-mcts"])
@pytest.mark.parametrize("simulations", [1, 10, 333])
def test_runs_exactly_the_requested_simulations(spec: str, simulations: int) -> None:
    analysis = agent(spec).analyse(game("connect4").start(), Limit(simulations=simulations), seed=0)
    assert analysis.simulations == simulations == sum(move.visits for move in analysis.moves)


@pytest.mark.parametrize("spec", FLAT)
def test_counts_playouts_per_move_and_per_side(spec: str) -> None:
    analysis = agent(f"{spec}(playouts=30)").analyse(game("connect4").position("4"), Limit(), seed=0)
    assert {move.visits for move in analysis.moves} == {30}
    assert sum(analysis.playout_results) == 7 * 30
    assert analysis.playout_results[0] > analysis.playout_results[1]


@pytest.mark.parametrize("spec", [*FLAT, "plain-mcts"])
def test_reports_until_it_is_stopped(spec: str) -> None:
    reports: list[Analysis] = []
    player = agent(spec)

    def report(analysis: Analysis) -> None:
        reports.append(analysis)
        if len(reports) == 2:
            player.stop()

    analysis = player.analyse(game("checkers").start(), Limit(seconds=LONG_S), seed=0, report=report)
    assert len(reports) == 2
    assert reports[0].simulations < reports[1].simulations <= analysis.simulations


@pytest.mark.parametrize("spec", [*FLAT, "plain-mcts"])
def test_a_time_limit_ends_the_analysis(spec: str) -> None:
    start = game("checkers").start()
    analysis = agent(spec).analyse(start, Limit(seconds=0.02), seed=0)
    assert analysis.seconds >= 0.02
    assert analysis.best.move in start.moves


def test_a_move_that_ends_the_game_needs_no_playouts() -> None:
    analysis = agent("flat").analyse(game("connect4").position("112233"), Limit(), seed=0)
    best = analysis.best
    assert (best.move, best.visits, best.value, best.proven, best.distance) == ("4", 0, 1, "win", 1)
    assert (analysis.proven, analysis.distance, analysis.simulations) == ("win", 1, 600)


def test_runs_no_playouts_if_every_move_ends_the_game() -> None:
    analysis = agent("flat").analyse(game("tictactoe").position("xox/xoo/ox."), Limit(seconds=60), seed=0)
    assert (analysis.simulations, analysis.proven, analysis.value) == (0, "draw", 0.5)


def test_flat_and_plain_flat_agree_on_values() -> None:
    position = game("connect4").position("4453")
    engine, plain = (agent(f"{spec}(playouts=1500)").analyse(position, Limit(), seed=1) for spec in FLAT)
    for fast, slow in zip(engine.moves, plain.moves, strict=True):
        assert fast.value == pytest.approx(slow.value, abs=0.06)


def test_minimax_proves_a_win_with_its_distance() -> None:
    analysis = agent("plain-minimax(depth=3)").analyse(game("connect4").position("112233"), Limit(), seed=0)
    assert (analysis.proven, analysis.distance, analysis.value) == ("win", 1, 1)


def test_minimax_respects_a_depth_limit() -> None:
    start = game("checkers").start()
    depths = [
        agent("plain-minimax(depth=2)").analyse(start, limit, seed=0).mean_depth for limit in (Limit(), Limit(depth=3))
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
        ("flat(playouts=0)", "option playouts must be a positive integer, got '0'"),
        ("plain-flat(playouts=many)", "option playouts must be a positive integer, got 'many'"),
        ("plain-mcts(c=-1)", "option c must be between 0 and 100, got '-1'"),
        ("plain-mcts(c=nan)", "option c must be between 0 and 100, got 'nan'"),
        ("plain-mcts(playout_plies=1.5)", "option playout_plies must be an integer between 1 and 1000000, got '1.5'"),
        ("plain-minimax(depth=-2)", "option depth must be an integer between 1 and 200, got '-2'"),
        ("plain-minimax(pruning=yes)", "option pruning must be true or false, got 'yes'"),
    ],
)
def test_an_invalid_option_error_lists_the_allowed_values(spec: str, message: str) -> None:
    with pytest.raises(ParseError) as error:
        agent(spec)
    assert str(error.value) == message


def test_an_unknown_option_error_lists_the_available_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown option 'c' for agent flat; available: playouts"):
        agent("flat(c=1)")
