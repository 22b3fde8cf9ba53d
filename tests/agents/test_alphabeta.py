"""The agents of alpha-beta search."""

from __future__ import annotations

import statistics
import threading
import time

import pytest

from plyground import Game, GameOverError, ParseError, Position, Rng, UnknownNameError, game, games
from plyground.agents import Analysis, Limit, agent
from plyground.agents.alphabeta import AlphaBetaAgent, expectation


def analyse(position: Position, spec: str = "alphabeta", **limit: float) -> Analysis:
    return agent(spec).analyse(position, Limit(**limit), seed=0)  # type: ignore[arg-type]


@pytest.mark.parametrize("one", games(), ids=lambda one: one.id)
@pytest.mark.parametrize("spec", ["alphabeta(depth=4)", "minimax(depth=3)", "minimax(depth=3, pruning=true)"])
def test_every_game_is_analysed(one: Game, spec: str) -> None:
    position = one.start()
    analysis = analyse(position, spec)
    assert [move.move for move in analysis.moves] == position.moves
    assert sum(move.share for move in analysis.moves) == analysis.best.share == 1
    assert analysis.value is not None and 0 < analysis.value < 1
    assert analysis.nodes > 0
    for move in analysis.line:
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
def test_a_win_in_one_is_taken_and_a_loss_in_one_avoided(name: str, text: str, move: str, spec: str) -> None:
    assert analyse(game(name).position(text), spec).best.move == move


@pytest.mark.parametrize(
    ("name", "text", "line", "distance"),
    [
        ("chess", "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", ["b3g8", "f8g8", "h6f7"], 3),
        ("chess", "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", None, 3),
        ("connect4", "3344", None, 3),
        ("checkers", "W:W17,22,25:B9,11", ["17-14", "9x18", "22x8"], 3),
    ],
)
def test_a_forced_win_is_known_with_its_distance(name: str, text: str, line: list[str] | None, distance: int) -> None:
    analysis = analyse(game(name).position(text), depth=8)
    assert (analysis.known, analysis.distance, analysis.best.distance) == ("win", distance, distance)
    assert analysis.value == 1
    assert line is None or list(analysis.line) == line


def test_a_forced_loss_is_known_and_put_off() -> None:
    analysis = analyse(game("connect4").position("33445"), depth=8)
    assert (analysis.known, analysis.value) == ("loss", 0)
    assert analysis.distance == 2


def test_tic_tac_toe_is_known_to_be_drawn() -> None:
    assert analyse(game("tictactoe").start(), depth=20).known == "draw"


def test_the_same_search_gives_the_same_analysis() -> None:
    position = game("checkers").start()
    one, two = analyse(position, depth=9), analyse(position, depth=9)
    assert (one.moves, one.nodes, one.value) == (two.moves, two.nodes, two.value)


def test_reports_come_depth_by_depth() -> None:
    seen: list[Analysis] = []
    agent("alphabeta").analyse(game("checkers").start(), Limit(depth=6), seed=0, report=seen.append)
    assert [analysis.depth for analysis in seen] == [1, 2, 3, 4, 5, 6]


def test_an_error_in_a_report_comes_out() -> None:
    def fail(_: Analysis) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        agent("alphabeta").analyse(game("chess").start(), Limit(depth=30), seed=0, report=fail)


@pytest.mark.parametrize("name", ["checkers", "chess", "connect4"])
def test_time_is_kept(name: str) -> None:
    late = []
    for _ in range(5):
        began = time.perf_counter()
        analyse(game(name).start(), seconds=0.1)
        late.append(time.perf_counter() - began - 0.1)
    assert statistics.median(late) < 0.05


def test_a_stop_from_another_thread_is_heard() -> None:
    player = AlphaBetaAgent()
    delays = []
    for _ in range(3):
        done: list[float] = []

        def think(done: list[float] = done) -> None:
            analysis = player.analyse(game("chess").start(), Limit(seconds=30), seed=0)
            assert analysis.value is not None
            done.append(time.perf_counter())

        thread = threading.Thread(target=think)
        thread.start()
        time.sleep(0.1)
        asked = time.perf_counter()
        player.stop()
        thread.join()
        delays.append(done[0] - asked)
    assert statistics.median(delays) < 0.05


def test_a_single_move_is_answered_at_once() -> None:
    analysis = analyse(game("checkers").position("B:W15,32:B11"), seconds=60)
    assert (analysis.best.move, analysis.nodes, analysis.best.share) == ("11x18", 0, 1)
    assert analysis.seconds < 1


def test_nothing_is_thought_about_a_game_that_is_over() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        analyse(game("connect4").position("1212121"))


def test_a_limit_of_simulations_alone_leaves_the_agent_its_own() -> None:
    assert analyse(game("checkers").start(), "alphabeta(depth=3)", simulations=10).depth == 3
    assert analyse(game("checkers").start(), "alphabeta(depth=3)", depth=4).depth == 4


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphabeta(depth=0)", "whole number from 1 to 200"),
        ("alphabeta(depth=201)", "whole number from 1 to 200"),
        ("alphabeta(seconds=-1)", "a number above 0"),
        ("alphabeta(table=maybe)", "true or false"),
        ("alphabeta(evaluation=magic)", "one of features, material"),
        ("alphabeta(mebibytes=x)", "whole number from 1 to"),
    ],
)
def test_a_wrong_option_is_told_what_is_accepted(spec: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        agent(spec)


def test_an_unknown_option_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="it has: depth, seconds, weights, evaluation, pruning, quiescence"):
        agent("minimax(table=true)")


def test_pruning_visits_less_and_finds_the_same() -> None:
    position = game("checkers").start()
    every, pruned = analyse(position, "minimax"), analyse(position, "minimax(pruning=true)")
    assert every.nodes == sum(position.perft(depth) for depth in range(1, 6))
    assert pruned.nodes < every.nodes / 3
    assert (pruned.value, pruned.best.move) == (every.value, every.best.move)


def test_minimax_knows_every_move_s_value() -> None:
    assert all(move.low == move.value == move.high for move in analyse(game("connect4").start(), "minimax").moves)


@pytest.mark.parametrize(
    "text",
    ["8/8/8/3k4/8/8/8/QK6 w - - 0 1", "8/8/8/3k4/8/8/8/RK6 w - - 0 1", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"],
    ids=["queen", "rook", "pawn"],
)
def test_a_bare_king_is_mated(text: str) -> None:
    position, rng = game("chess").position(text), Rng(5)
    while position.outcome is None:
        position = (
            position.play(analyse(position, depth=8).best.move)
            if position.turn == "white"
            else position.play_random(rng)
        )
    assert (position.outcome.winner, position.outcome.reason) == ("white", "checkmate")


def test_expectation_follows_the_scale_of_elo() -> None:
    assert expectation(400) == pytest.approx(10 / 11)
    assert expectation(-30_000) == pytest.approx(0)
