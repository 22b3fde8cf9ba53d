"""Tree search through its Python interface: limits, seeds, trees."""

from __future__ import annotations

import functools

import pytest

import plyground
from plyground import GameOverError, ParseError, Position, UnknownNameError
from plyground._engine import Search
from plyground.agents import Analysis, Limit, agent
from plyground.agents.mcts import MctsAgent
from stopping import LONG_S

GAMES = [game.id for game in plyground.games()]
OPTIONS = [
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
    "leaf=heuristic",
    "playout_plies=10",
    "playout_plies=10, cutoff=draw",
    "playout_plies=10, cutoff=pieces",
    "playout_plies=10, cutoff=heuristic",
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
    return [tuple(node.values()) for node in search.top_nodes(10**6)]


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_tree(name: str) -> None:
    start = plyground.game(name).start()
    assert tree(start, seed=5) == tree(start, seed=5)
    assert tree(start, seed=5) != tree(start, seed=6)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", OPTIONS)
def test_every_option_works_in_every_game_reproducibly(name: str, options: str) -> None:
    start = plyground.game(name).start()
    first, second = (agent(f"mcts({options})").analyse(start, Limit(simulations=300), seed=3) for _ in range(2))
    assert first.moves == second.moves
    assert first.simulations == 300
    assert first.best.move in start.moves
    assert sum(move.share for move in first.moves) == pytest.approx(1)


@pytest.mark.parametrize("simulations", [1, 15, 16, 17, 1000])
@pytest.mark.parametrize("options", ["", "(threads=2)", "(workers=3)"])
def test_runs_exactly_the_requested_simulations(simulations: int, options: str) -> None:
    start = plyground.game("checkers").start()
    analysis = agent(f"mcts{options}").analyse(start, Limit(simulations=simulations), seed=1)
    assert analysis.simulations == simulations
    assert sum(move.visits for move in analysis.moves) == simulations


def test_visits_of_children_add_up_to_their_parents() -> None:
    search = Search(plyground.game("connect4").start(), [("solver", "false"), ("decisive", "false")])
    search.run(simulations=5000, seed=1)
    nodes = search.top_nodes(10**6)
    below = [0] * len(nodes)
    for node in nodes[1:]:
        below[node["parent"]] += node["visits"]
    assert nodes[0]["visits"] == below[0] == 5000
    # Every other node was evaluated once before it was expanded.
    assert all(node["visits"] == count + 1 for node, count in zip(nodes[1:], below[1:], strict=True) if count)


def test_memory_stays_below_its_limit() -> None:
    start = plyground.game("connect4").start()
    analysis = agent("mcts(mebibytes=1, solver=false)").analyse(start, Limit(simulations=300_000), seed=1)
    assert analysis.simulations == 300_000
    assert 0.2 < analysis.mebibytes <= 1
    assert analysis.best.move == "4"


def test_a_node_takes_at_most_32_bytes() -> None:
    analysis = agent("mcts").analyse(plyground.game("connect4").start(), Limit(simulations=1000), seed=1)
    assert analysis.mebibytes * 2**20 / analysis.nodes <= 32


def test_reports_have_increasing_simulations() -> None:
    player = agent("mcts")
    reports: list[Analysis] = []

    def report(analysis: Analysis) -> None:
        reports.append(analysis)
        if len(reports) == 3:
            player.stop()

    last = player.analyse(plyground.game("checkers").start(), Limit(seconds=LONG_S), seed=1, report=report)
    simulations = [analysis.simulations for analysis in [*reports, last]]
    assert len(reports) >= 3
    assert simulations == sorted(simulations)
    assert simulations[0] < simulations[2]


def test_a_single_legal_move_is_played_without_a_full_search() -> None:
    position = plyground.game("checkers").position("W:W21:B17,1")
    analysis = agent("mcts").analyse(position, Limit(simulations=10**9), seed=1)
    assert analysis.best.move == "21x14"
    assert analysis.simulations < 10**9


def test_a_finished_game_cannot_be_analysed() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        agent("mcts").analyse(plyground.game("connect4").position("1212121"), Limit(simulations=1), seed=1)


def test_a_search_requires_a_limit() -> None:
    with pytest.raises(ParseError, match="simulations, seconds or both"):
        Search(plyground.game("chess").start()).run(seed=1)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("mcts(c=x)", ParseError, "c must be between 0 and 100, got 'x'"),
        ("mcts(c=-1)", ParseError, "c must be between 0 and 100, got '-1'"),
        ("mcts(selection=best)", ParseError, "one of uct, ucb1-tuned, puct"),
        ("mcts(threads=0)", ParseError, "threads must be an integer between 1 and 256, got '0'"),
        ("mcts(threads=2, workers=2)", ParseError, "threads and workers cannot be combined"),
        ("mcts(reuse=maybe)", ParseError, "reuse must be one of true, false, adaptive, got 'maybe'"),
        ("mcts(colour=red)", UnknownNameError, "available: simulations, seconds"),
    ],
)
def test_an_invalid_option_error_lists_the_allowed_values(spec: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        agent(spec).analyse(plyground.game("tictactoe").start(), Limit(), seed=1)


@functools.cache
def value(position: Position) -> int:
    """Return 1 if the side to move wins, 0 for a draw, -1 if it loses, by plain negamax."""
    if (outcome := position.outcome) is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.turn else -1
    return max(-value(position.play(move)) for move in position.moves)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4(columns=4, rows=3, line=3)", "tictactoe(rows=2, columns=4)"])
def test_proven_values_equal_plain_negamax(spec: str) -> None:
    rng = plyground.Rng(4)
    for _ in range(40):
        position = plyground.game(spec).start()
        for _ in range(rng.below(5)):
            if position.outcome is None:
                position = position.play_random(rng)
        if position.outcome is not None or len(position.moves) == 1:
            continue
        analysis = agent("mcts").analyse(position, Limit(simulations=200_000), seed=rng.below(1000))
        assert analysis.proven == {1: "win", 0: "draw", -1: "loss"}[value(position)]
        for move in analysis.moves:
            if move.proven is not None:
                assert move.proven == {1: "win", 0: "draw", -1: "loss"}[-value(position.play(move.move))]
        assert -value(position.play(analysis.best.move)) == value(position)


def test_a_reused_tree_keeps_its_visits() -> None:
    player = agent("mcts(reuse=true)")
    start = plyground.game("connect4").start()
    first = player.analyse(start, Limit(simulations=5000), seed=1)
    position = start.play(first.best.move)
    reply = max(first.moves, key=lambda move: move.visits).pv[1]
    later = position.play(reply)
    analysis = player.analyse(later, Limit(simulations=100), seed=2)
    assert sum(move.visits for move in analysis.moves) > 150
    back = player.analyse(start, Limit(simulations=100), seed=3)  # taking back a move starts a new tree
    assert sum(move.visits for move in back.moves) == 100


def test_an_agent_that_reuses_its_tree_can_switch_games() -> None:
    player = agent("mcts(reuse=true)")
    for name in GAMES:
        position = plyground.game(name).start()
        assert player.analyse(position, Limit(simulations=50), seed=1).best.move in position.moves


def test_adaptive_reuse_depends_on_the_last_ten_results() -> None:
    player = agent("mcts(reuse=adaptive)")
    assert isinstance(player, MctsAgent)
    kept = [player.keeps_tree]
    player.analyse(plyground.game("connect4").start(), Limit(simulations=100), seed=1)
    for result in ("win", "win", "win", "draw", "draw", "draw", "loss", "loss", "loss"):
        player.report_result(result)
        kept.append(player.keeps_tree)
    assert all(kept), "more than 30% of the games were won"
    tree_before = player.tree
    assert tree_before is not None
    player.report_result("loss")
    assert (player.keeps_tree, player.tree) == (False, None), "three wins in ten games"
    kept.clear()
    for _ in range(4):
        player.report_result("win")
        kept.append(player.keeps_tree)
    assert kept == [False, False, False, True], "the earlier wins are no longer among the last ten results"


@pytest.mark.parametrize("reuse", ["true", "false"])
def test_results_do_not_affect_other_reuse_settings(reuse: str) -> None:
    player = agent(f"mcts(reuse={reuse})")
    assert isinstance(player, MctsAgent)
    player.analyse(plyground.game("connect4").start(), Limit(simulations=100), seed=1)
    for _ in range(10):
        player.report_result("loss")
    assert player.keeps_tree == (reuse == "true")
    assert player.tree is not None


def test_workers_are_reproducible() -> None:
    start = plyground.game("checkers").start()
    first, second = (agent("mcts(workers=2)").analyse(start, Limit(simulations=3001), seed=9) for _ in range(2))
    assert first.moves == second.moves
    assert sum(move.visits for move in first.moves) == 3001


def test_top_nodes_have_minimax_values_where_the_selection_uses_them() -> None:
    checkers = Search(plyground.game("checkers").start())
    checkers.run(simulations=500, seed=1)
    root, *nodes = checkers.top_nodes(50)
    assert root["minimax"] is None
    assert all(0 <= node["minimax"] <= 1 for node in nodes)
    connect4 = Search(plyground.game("connect4").start())
    connect4.run(simulations=500, seed=1)
    assert all(node["minimax"] is None for node in connect4.top_nodes(50))
