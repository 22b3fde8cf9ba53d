"""The tree search through the Python face: its budgets, its seeds, its trees."""

from __future__ import annotations

import functools
import statistics
import threading
import time
from itertools import pairwise

import pytest

import plyground
from plyground import GameOverError, ParseError, Position, UnknownNameError
from plyground._engine import Search
from plyground.agents import Analysis, Limit, agent

GAMES = [game.id for game in plyground.games()]
TUNABLES = [
    "selection=ucb1-tuned",
    "selection=puct",
    "first_play=0.6",
    "rave=0.01",
    "rave=0.01, grave=30",
    "bias=1",
    "widening=2",
    "minimax=0.3",
    "solver=false",
    "decisive=false",
    "leaf=estimate",
    "playout_plies=10",
    "playout_plies=10, playout_estimate=true",
    "capture_weight=2, edge_weight=0.5",
    "choice=value",
    "choice=lower-bound",
    "noise=0.25, selection=puct",
    "workers=2",
    "transpositions=true",
    "guide=0.7",
]


def tree(position: Position, seed: int, simulations: int = 2000) -> list[tuple[object, ...]]:
    search = Search(position)
    search.run(simulations=simulations, seed=seed)
    return [tuple(node.values()) for node in search.top(10**6)]


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_tree(name: str) -> None:
    start = plyground.game(name).start()
    assert tree(start, seed=5) == tree(start, seed=5)
    assert tree(start, seed=5) != tree(start, seed=6)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", TUNABLES)
def test_every_tunable_searches_every_game_and_keeps_its_seed(name: str, options: str) -> None:
    start = plyground.game(name).start()
    first, second = (agent(f"mcts({options})").analyse(start, Limit(simulations=300), seed=3) for _ in range(2))
    assert first.moves == second.moves
    assert first.simulations == 300
    assert first.best.move in start.moves
    assert sum(move.share for move in first.moves) == pytest.approx(1)


@pytest.mark.parametrize("simulations", [1, 15, 16, 17, 1000])
@pytest.mark.parametrize("options", ["", "(threads=2)", "(workers=3)"])
def test_simulations_are_exact(simulations: int, options: str) -> None:
    start = plyground.game("checkers").start()
    analysis = agent(f"mcts{options}").analyse(start, Limit(simulations=simulations), seed=1)
    assert analysis.simulations == simulations
    assert sum(move.visits for move in analysis.moves) == simulations


def test_visits_of_children_add_up_to_their_parents() -> None:
    search = Search(plyground.game("connect4").start(), [("solver", "false"), ("decisive", "false")])
    search.run(simulations=5000, seed=1)
    nodes = search.top(10**6)
    below = [0] * len(nodes)
    for node in nodes[1:]:
        below[node["parent"]] += node["visits"]
    assert nodes[0]["visits"] == below[0] == 5000
    # Every other node was valued once itself before it was opened.
    assert all(node["visits"] == count + 1 for node, count in zip(nodes[1:], below[1:], strict=True) if count)


def test_time_limits_hold() -> None:
    start = plyground.game("chess").start()
    late = []
    for seed in range(10):
        begun = time.perf_counter()
        agent("mcts").analyse(start, Limit(seconds=0.05), seed=seed)
        late.append(time.perf_counter() - begun - 0.05)
    assert min(late) > -0.001
    assert statistics.median(late) < 0.02


def test_a_search_is_stopped_from_another_thread() -> None:
    player = agent("mcts")
    start = plyground.game("connect4").start()
    late = []
    for seed in range(20):
        stopped: list[float] = []

        def stop(stopped: list[float] = stopped) -> None:
            stopped.append(time.perf_counter())
            player.stop()  # type: ignore[attr-defined]

        timer = threading.Timer(0.02, stop)
        timer.start()
        analysis = player.analyse(start, Limit(seconds=20), seed=seed)
        late.append(time.perf_counter() - stopped[0])
        timer.join()
        assert analysis.simulations > 0
    assert statistics.median(late) < 0.02


def test_memory_stays_below_its_cap_however_long_the_search() -> None:
    start = plyground.game("connect4").start()
    analysis = agent("mcts(mebibytes=1, solver=false)").analyse(start, Limit(simulations=300_000), seed=1)
    assert analysis.simulations == 300_000
    assert 0.2 < analysis.mebibytes <= 1
    assert analysis.best.move == "4"


def test_a_tree_is_worth_at_most_32_bytes_a_node() -> None:
    analysis = agent("mcts").analyse(plyground.game("connect4").start(), Limit(simulations=1000), seed=1)
    assert analysis.mebibytes * 2**20 / analysis.nodes <= 32


def test_reports_come_soon_and_often() -> None:
    seen: list[tuple[float, Analysis]] = []
    begun = time.perf_counter()
    agent("mcts").analyse(
        plyground.game("checkers").start(),
        Limit(seconds=0.6),
        seed=1,
        report=lambda analysis: seen.append((time.perf_counter() - begun, analysis)),
    )
    assert seen[0][0] < 0.1
    assert 3 <= len(seen) <= 8
    assert all(earlier.simulations < later.simulations for (_, earlier), (_, later) in pairwise(seen))


def test_a_single_legal_move_is_answered_at_once() -> None:
    position = plyground.game("checkers").position("W:W21:B17,1")
    begun = time.perf_counter()
    analysis = agent("mcts").analyse(position, Limit(seconds=10), seed=1)
    assert time.perf_counter() - begun < 0.5
    assert analysis.best.move == "21x14"


def test_a_finished_game_is_a_clear_error() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        agent("mcts").analyse(plyground.game("connect4").position("1212121"), Limit(simulations=1), seed=1)


def test_a_search_needs_a_limit() -> None:
    with pytest.raises(ParseError, match="simulations, seconds or both"):
        Search(plyground.game("chess").start()).run(seed=1)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("mcts(c=x)", ParseError, "accepted is a number from 0 to 100"),
        ("mcts(c=-1)", ParseError, "accepted is a number from 0 to 100"),
        ("mcts(selection=best)", ParseError, "one of uct, ucb1-tuned, puct"),
        ("mcts(threads=0)", ParseError, "whole number above 0"),
        ("mcts(threads=2, workers=2)", ParseError, "accepted is one of them"),
        ("mcts(reuse=maybe)", ParseError, "true, false or adaptive"),
        ("mcts(colour=red)", UnknownNameError, "it has: simulations, seconds"),
    ],
)
def test_wrong_options_are_told_what_is_accepted(spec: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        agent(spec).analyse(plyground.game("tictactoe").start(), Limit(), seed=1)


@functools.cache
def value(position: Position) -> int:
    """1 if the side to move wins, 0 for a draw, -1 if it loses: a plain solver."""
    if (outcome := position.outcome) is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.turn else -1
    return max(-value(position.play(move)) for move in position.moves)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4(columns=4, rows=3, line=3)", "tictactoe(rows=2, columns=4)"])
def test_proven_values_equal_a_plain_solver(spec: str) -> None:
    rng = plyground.Rng(4)
    for _ in range(40):
        position = plyground.game(spec).start()
        for _ in range(rng.below(5)):
            if position.outcome is None:
                position = position.play_random(rng)
        if position.outcome is not None or len(position.moves) == 1:
            continue
        analysis = agent("mcts").analyse(position, Limit(simulations=200_000), seed=rng.below(1000))
        assert analysis.known == {1: "win", 0: "draw", -1: "loss"}[value(position)]
        for move in analysis.moves:
            if move.known is not None:
                truth = -value(position.play(move.move))
                assert move.known == {1: "win", 0: "draw", -1: "loss"}[truth]
        assert -value(position.play(analysis.best.move)) == value(position)


def test_a_kept_tree_goes_on_where_it_was() -> None:
    player = agent("mcts(reuse=true)")
    start = plyground.game("connect4").start()
    first = player.analyse(start, Limit(simulations=5000), seed=1)
    position = start.play(first.best.move)
    reply = max(first.moves, key=lambda move: move.visits).line[1]
    later = position.play(reply)
    analysis = player.analyse(later, Limit(simulations=100), seed=2)
    assert sum(move.visits for move in analysis.moves) > 150
    back = player.analyse(start, Limit(simulations=100), seed=3)  # a take-back: the tree does not help
    assert sum(move.visits for move in back.moves) == 100


def test_a_kept_tree_follows_to_another_game() -> None:
    player = agent("mcts(reuse=true)")
    for name in GAMES:
        position = plyground.game(name).start()
        assert player.analyse(position, Limit(simulations=50), seed=1).best.move in position.moves


def test_adaptive_reuse_follows_the_last_ten_results() -> None:
    player = agent("mcts(reuse=adaptive)")
    assert player.keeps_tree  # type: ignore[attr-defined]
    for _ in range(10):
        player.report_result(won=False)  # type: ignore[attr-defined]
    assert not player.keeps_tree  # type: ignore[attr-defined]
    for _ in range(4):
        player.report_result(won=True)  # type: ignore[attr-defined]
    assert player.keeps_tree  # type: ignore[attr-defined]


def test_workers_apart_give_the_same_sums_for_the_same_seed() -> None:
    start = plyground.game("checkers").start()
    first, second = (agent("mcts(workers=2)").analyse(start, Limit(simulations=3001), seed=9) for _ in range(2))
    assert first.moves == second.moves
    assert sum(move.visits for move in first.moves) == 3001


def test_top_nodes_tell_what_the_selection_weighs_in() -> None:
    checkers = Search(plyground.game("checkers").start())
    checkers.run(simulations=500, seed=1)
    root, *nodes = checkers.top(50)
    assert root["minimax"] is None
    assert all(0 <= node["minimax"] <= 1 for node in nodes)
    connect4 = Search(plyground.game("connect4").start())
    connect4.run(simulations=500, seed=1)
    assert all(node["minimax"] is None for node in connect4.top(50))
