"""Searches whose leaves an evaluator values, a batch at a time, and playouts that it guides."""

from __future__ import annotations

import threading
import time

import pytest

import plyground
from plyground import ParseError, Position, UnknownNameError
from plyground._engine import Rng, Search
from plyground.agents import Limit, agent, register_evaluator
from search.reference import Node, grow

GAMES = [game.id for game in plyground.games()]
PUCT = [("leaf", "evaluator"), ("selection", "puct"), ("c", "1.5"), ("first_play", "0.5")]
SIMPLE = [("solver", "false"), ("decisive", "false"), ("minimax", "0")]


def fake(position: Position) -> tuple[float, list[float]]:
    """An opinion of every position that means nothing and is always the same."""
    rng = Rng(position.key)
    return rng.below(1000) / 1000, [1.0 + rng.below(100) for _ in position.moves]


def fake_batch(positions: list[Position]) -> tuple[list[float], list[list[float]]]:
    judged = [fake(position) for position in positions]
    return [value for value, _ in judged], [priors for _, priors in judged]


def engine_tree(start: Position, simulations: int, batch: int) -> dict[tuple[str, ...], tuple[int, float]]:
    search = Search(start, [*PUCT, *SIMPLE, ("batch", str(batch))], evaluator=fake_batch)
    search.run(simulations=simulations, seed=1)
    ways: list[tuple[str, ...]] = []
    tree = {}
    for node in search.top(10**6):
        ways.append(() if node["parent"] is None else (*ways[node["parent"]], node["move"]))
        tree[ways[-1]] = (node["visits"], node["total"])
    return tree


def shape(root: Node) -> dict[tuple[str, ...], tuple[int, float]]:
    tree = {}
    left: list[tuple[tuple[str, ...], Node]] = [((), root)]
    while left:
        way, node = left.pop()
        if node.visits:
            tree[way] = (node.visits, node.total / 2**20)
            left += [((*way, child.move), child) for child in node.children]
    return tree


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("batch", [1, 7, 32])
def test_the_tree_of_a_fake_evaluator_is_the_reference_s_node_for_node(name: str, batch: int) -> None:
    start = plyground.game(name).start()
    expected = shape(grow(start, fake, 400, batch, c=1.5, first_play=0.5))
    assert engine_tree(start, 400, batch) == expected
    assert expected[()][0] == 400


def test_one_search_fills_its_batches() -> None:
    sizes = []

    def evaluate(positions: list[Position]) -> tuple[list[float], None]:
        sizes.append(len(positions))
        assert all(position.outcome is None for position in positions)
        return [0.5] * len(positions), None

    Search(plyground.game("checkers").start(), [*PUCT, ("batch", "64")], evaluator=evaluate).run(
        simulations=2000, seed=1
    )
    assert sum(sizes) == 2000
    assert max(sizes) == 64
    assert sum(sizes) / len(sizes) > 48


@pytest.mark.parametrize("threads", [1, 2])
def test_simulations_are_exact_with_an_evaluator(threads: int) -> None:
    search = Search(plyground.game("connect4").start(), PUCT, evaluator=fake_batch, threads=threads)
    thought = search.run(simulations=999, seed=1)
    assert thought["simulations"] == 999
    assert search.top(1)[0]["visits"] == 999


def test_an_evaluator_that_knows_the_value_finds_the_move() -> None:
    position = plyground.game("connect4").position("4455")
    register_evaluator("counts-centre", lambda positions: ([0.5] * len(positions), None))
    analysis = agent("mcts(evaluator=counts-centre)").analyse(position, Limit(simulations=3000), seed=1)
    assert analysis.best.move in ("3", "6")
    assert analysis.known == "win"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0.5], "accepted is"),
        (([0.5], None, 3), "accepted is"),
        (([], None), "0 values and 1 priors for 1 positions"),
        (([1.5], None), "the value 1.5"),
        (([float("nan")], None), "the value NaN"),
        (([0.5], [[1.0]]), "1 priors for 7 moves"),
        (([0.5], [[-1.0] * 7]), "the prior -1"),
        (([0.5], [[float("inf")] * 7]), "the prior inf"),
        ("win", "accepted is"),
    ],
)
def test_a_wrong_answer_is_told_what_is_accepted(answer: object, message: str) -> None:
    search = Search(plyground.game("connect4").start(), PUCT, evaluator=lambda _: answer)  # type: ignore[arg-type,return-value]
    with pytest.raises(ParseError, match=message):
        search.run(simulations=100, seed=1)


@pytest.mark.parametrize("options", [PUCT, [("guide", "0.7")]])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_an_evaluator_raises_comes_out_of_the_search(options: list[tuple[str, str]], threads: int) -> None:
    calls = []

    def evaluate(positions: list[Position]) -> tuple[list[float], None]:
        calls.append(len(positions))
        if len(calls) == 5:
            raise ZeroDivisionError("my own")
        return [0.5] * len(positions), None

    search = Search(plyground.game("connect4").start(), options, evaluator=evaluate, threads=threads)
    with pytest.raises(ZeroDivisionError, match="my own") as raised:
        search.run(seconds=5, seed=1)
    assert raised.value.__notes__ == ["raised by the evaluator"]
    assert len(search.top(10)) == 1, "what was learnt by then is not to be trusted"


def test_a_search_by_evaluator_is_stopped_from_another_thread() -> None:
    search = Search(plyground.game("connect4").start(), PUCT, evaluator=fake_batch)
    began = time.monotonic()
    threading.Timer(0.1, search.stop).start()
    assert search.run(seconds=30, seed=1)["simulations"] > 0
    assert time.monotonic() - began < 5


def test_an_evaluator_is_asked_for_by_name() -> None:
    with pytest.raises(UnknownNameError, match="no evaluator is called 'nobody'"):
        agent("mcts(evaluator=nobody)")
    with pytest.raises(ParseError, match="was given no evaluator"):
        agent("mcts(leaf=evaluator)").analyse(plyground.game("chess").start(), Limit(simulations=1), seed=1)
    with pytest.raises(ParseError, match="small letters"):
        register_evaluator("My Own", fake_batch)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "spec", ["mcts(evaluator=random)", "mcts(guide=0.7)", "mcts(guide=0.7, evaluator=minimax(depth=1))"]
)
def test_agents_judge_and_guide_in_every_game_and_keep_the_seed(name: str, spec: str) -> None:
    start = plyground.game(name).start()
    first, second = (agent(spec).analyse(start, Limit(simulations=30), seed=3) for _ in range(2))
    assert first.moves == second.moves
    assert first.simulations == 30
    assert agent(spec).spec == spec


def test_a_guide_makes_its_share_of_the_moves() -> None:
    """With a guide that always plays in the first open column, playouts of Connect Four fill it up."""
    asked = []

    def leftmost(positions: list[Position]) -> tuple[list[float], list[list[float]]]:
        asked.append(positions[0].ply)
        return [0.5], [[float(index == 0) for index, _ in enumerate(positions[0].moves)]]

    options = [("guide", "0.7"), ("playout_decisive", "false"), ("solver", "false")]
    thought = Search(plyground.game("connect4").start(), options, evaluator=leftmost).run(simulations=500, seed=1)
    plies = sum(10 * index * count for index, count in enumerate(thought["lengths"])) + 5 * 500
    assert 0.5 < len(asked) / plies < 0.9


def test_guided_playouts_by_the_rule_of_thumb_see_more_than_random_ones() -> None:
    """A man hangs: playouts that capture and do not give men away judge the position better."""
    position = plyground.game("checkers").position("B:W18,19,23:B9,10,14")
    guided = agent("mcts(guide=0.7, simulations=400)").analyse(position, Limit(), seed=1)
    plain = agent("mcts(simulations=20000)").analyse(position, Limit(), seed=1)
    assert guided.best.move == plain.best.move
