"""The `alphabeta` and `minimax` agents."""

from __future__ import annotations

import pytest

from plyground import Game, GameOverError, ParseError, Position, Rng, UnknownNameError, game, games
from plyground.agents import Analysis, Limit, agent
from plyground.agents.alphabeta import AlphaBetaAgent, expected_score
from stopping import LONG_S, stop_while_running


def analyse(position: Position, spec: str = "alphabeta", **limit: float) -> Analysis:
    return agent(spec).analyse(position, Limit(**limit), seed=0)  # type: ignore[arg-type]


@pytest.mark.parametrize("one", games(), ids=lambda one: one.id)
@pytest.mark.parametrize("spec", ["alphabeta(depth=4)", "minimax(depth=3)", "minimax(depth=3, pruning=true)"])
def test_analyses_every_game(one: Game, spec: str) -> None:
    position = one.start()
    analysis = analyse(position, spec)
    assert [move.move for move in analysis.moves] == position.moves
    assert sum(move.share for move in analysis.moves) == analysis.best.share == 1
    assert analysis.value is not None and 0 < analysis.value < 1
    assert analysis.nodes > 0
    for move in analysis.pv:
        position = position.play(move)


@pytest.mark.parametrize(
    ("name", "text", "move"),
    [
        ("tictactoe", "oo./xx./...", "c2"),
        ("tictactoe", "o../xx./...", "c2"),
        ("connect4", "112233", "4"),
        ("connect4", "11223", "4"),
        ("checkers", "W:WK22,23:B18,11", "22x8"),
        ("checkers", "B:WK10:BK1", "1-5"),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    ],
)
@pytest.mark.parametrize("spec", ["alphabeta", "alphabeta(evaluation=material)", "minimax(depth=3)"])
def test_takes_a_win_in_one_and_avoids_a_loss_in_one(name: str, text: str, move: str, spec: str) -> None:
    assert analyse(game(name).position(text), spec).best.move == move


@pytest.mark.parametrize(
    ("name", "text", "pv", "distance"),
    [
        ("chess", "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", ["b3g8", "f8g8", "h6f7"], 3),
        ("chess", "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", None, 3),
        ("connect4", "3344", None, 3),
        ("checkers", "W:W17,22,25:B9,11", ["17-14", "9x18", "22x8"], 3),
    ],
)
def test_proves_a_forced_win_with_its_distance(name: str, text: str, pv: list[str] | None, distance: int) -> None:
    analysis = analyse(game(name).position(text), depth=8)
    assert (analysis.proven, analysis.distance, analysis.best.distance) == ("win", distance, distance)
    assert analysis.value == 1
    assert pv is None or list(analysis.pv) == pv


def test_proves_a_forced_loss_and_delays_it() -> None:
    analysis = analyse(game("connect4").position("33445"), depth=8)
    assert (analysis.proven, analysis.value) == ("loss", 0)
    assert analysis.distance == 2


def test_proves_that_tic_tac_toe_is_a_draw() -> None:
    assert analyse(game("tictactoe").start(), depth=20).proven == "draw"


def test_repeating_a_search_gives_the_same_analysis() -> None:
    position = game("checkers").start()
    one, two = analyse(position, depth=9), analyse(position, depth=9)
    assert (one.moves, one.nodes, one.value) == (two.moves, two.nodes, two.value)


def test_a_node_limit_ends_the_search_at_the_same_node() -> None:
    position = game("chess").start()
    one, two = analyse(position, nodes=5000), analyse(position, "alphabeta(nodes=5000)")
    assert (one.moves, one.nodes) == (two.moves, two.nodes)
    assert 5000 <= one.nodes < 5500


def test_the_table_is_kept_while_a_game_continues() -> None:
    player, start = AlphaBetaAgent(), game("connect4").start()
    later = start.play("4").play("4")

    def nodes(player: AlphaBetaAgent, position: Position) -> int:
        return player.analyse(position, Limit(depth=9), seed=0).nodes

    first = nodes(player, start)
    continued, fresh = nodes(player, later), nodes(AlphaBetaAgent(), later)
    assert continued != fresh
    assert nodes(player, start) == first, "another game clears the table"
    assert nodes(player, start) == first, "so does searching the same position again"
    forgetful = AlphaBetaAgent(reuse="false")
    assert (nodes(forgetful, start), nodes(forgetful, later)) == (first, fresh)
    player.analyse(start, Limit(depth=9), seed=0)
    player.clear()
    assert nodes(player, later) == fresh


def test_an_agent_can_switch_games() -> None:
    player = AlphaBetaAgent()
    for name in ("chess", "checkers", "chess"):
        start = game(name).start()
        assert player.analyse(start, Limit(depth=4), seed=0).best.move in start.moves


def test_several_threads_find_the_same_forced_win() -> None:
    analysis = analyse(game("connect4").position("3344"), "alphabeta(threads=3)", depth=8)
    assert (analysis.proven, analysis.distance) == ("win", 3)


def test_reports_after_every_depth() -> None:
    seen: list[Analysis] = []
    agent("alphabeta").analyse(game("checkers").start(), Limit(depth=6), seed=0, report=seen.append)
    assert [analysis.mean_depth for analysis in seen] == [1, 2, 3, 4, 5, 6]


def test_an_exception_in_a_report_callback_is_raised() -> None:
    def fail(_: Analysis) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        agent("alphabeta").analyse(game("chess").start(), Limit(depth=30), seed=0, report=fail)


@pytest.mark.parametrize("name", ["checkers", "chess", "connect4"])
def test_a_time_limit_ends_the_search(name: str) -> None:
    analysis = analyse(game(name).start(), seconds=0.05)
    assert analysis.best.move in game(name).start().moves


def test_stop_ends_a_search_in_another_thread() -> None:
    player, start = AlphaBetaAgent(), game("chess").start()
    analysis = stop_while_running(lambda: player.analyse(start, Limit(seconds=LONG_S), seed=0), player.stop)
    assert analysis.best.move in start.moves


def test_a_single_legal_move_is_played_without_searching() -> None:
    analysis = analyse(game("checkers").position("B:W15,32:B11"), seconds=60)
    assert (analysis.best.move, analysis.nodes, analysis.best.share) == ("11x18", 0, 1)


def test_a_finished_game_cannot_be_analysed() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        analyse(game("connect4").position("1212121"))


def test_a_simulation_limit_leaves_the_default_depth() -> None:
    assert analyse(game("checkers").start(), "alphabeta(depth=3)", simulations=10).mean_depth == 3
    assert analyse(game("checkers").start(), "alphabeta(depth=3)", depth=4).mean_depth == 4


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphabeta(depth=0)", "depth must be an integer between 1 and 200, got"),
        ("alphabeta(depth=201)", "depth must be an integer between 1 and 200, got"),
        ("alphabeta(seconds=-1)", "seconds must be a positive number up to 1000000000, got '-1'"),
        ("alphabeta(table=maybe)", "table must be true or false, got 'maybe'"),
        ("alphabeta(evaluation=magic)", "evaluation must be one of features, material"),
        ("alphabeta(threads=257)", "threads must be an integer between 1 and 256"),
        ("alphabeta(nodes=0)", "nodes must be a positive integer"),
        ("alphabeta(reuse=maybe)", "reuse must be one of true, false, always"),
        ("alphabeta(mebibytes=x)", "mebibytes must be an integer between 1 and"),
    ],
)
def test_an_invalid_option_error_lists_the_allowed_values(spec: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        agent(spec)


def test_an_unknown_option_error_lists_the_available_ones() -> None:
    with pytest.raises(UnknownNameError, match="available: depth, seconds, weights, evaluation, pruning, quiescence"):
        agent("minimax(table=true)")


def test_pruning_visits_fewer_nodes_with_the_same_result() -> None:
    position = game("checkers").start()
    full, pruned = analyse(position, "minimax"), analyse(position, "minimax(pruning=true)")
    assert full.nodes == sum(position.perft(depth) for depth in range(1, 6))
    assert pruned.nodes < full.nodes / 3
    assert (pruned.value, pruned.best.move) == (full.value, full.best.move)


def test_minimax_computes_the_exact_value_of_every_move() -> None:
    assert all(move.low == move.value == move.high for move in analyse(game("connect4").start(), "minimax").moves)


@pytest.mark.parametrize(
    "text",
    ["8/8/8/3k4/8/8/8/QK6 w - - 0 1", "8/8/8/3k4/8/8/8/RK6 w - - 0 1", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"],
    ids=["queen", "rook", "pawn"],
)
def test_mates_a_bare_king(text: str) -> None:
    position, rng = game("chess").position(text), Rng(5)
    while position.outcome is None:
        position = (
            position.play(analyse(position, depth=8).best.move)
            if position.turn == "white"
            else position.play_random(rng)
        )
    assert (position.outcome.winner, position.outcome.reason) == ("white", "checkmate")


def test_expected_scores_follow_the_elo_scale() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(-30_000) == pytest.approx(0)


@pytest.mark.parametrize("name", ["checkers", "chess", "connect4"])
def test_several_lines_have_exact_values_instead_of_bounds(name: str) -> None:
    position = game(name).position(moves={"checkers": ["11-15", "23-19"], "chess": ["e2e4"], "connect4": []}[name])
    analysis = analyse(position, "alphabeta(lines=3)", depth=6)
    values = [move for move in analysis.moves if move.bound is None]
    assert len(values) >= 3
    assert analysis.best in values
    assert all(len(move.pv) > 1 for move in values)
    floor = sorted((move.value or 0 for move in values), reverse=True)[2]
    others = [move for move in analysis.moves if move.bound is not None]
    assert all(move.bound == "upper" and move.value is not None and move.value <= floor for move in others)


def test_one_line_gives_other_moves_bounds() -> None:
    analysis = analyse(game("checkers").start(), depth=8)
    assert analysis.best.bound is None
    assert sum(move.bound == "upper" for move in analysis.moves) >= 5


def test_reuse_always_keeps_the_table_for_any_position() -> None:
    start = game("connect4").start()
    later = start.play("4").play("4")
    player = AlphaBetaAgent(reuse="always")
    player.analyse(later, Limit(depth=9))
    fresh = AlphaBetaAgent().analyse(start, Limit(depth=9)).nodes
    assert player.analyse(start, Limit(depth=9)).nodes < fresh
    assert AlphaBetaAgent(reuse=False).spec == "alphabeta(reuse=false)"
