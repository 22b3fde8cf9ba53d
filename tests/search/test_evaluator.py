"""Searches with an evaluator: batched leaf evaluation and guided playouts."""

from __future__ import annotations

import pytest

import plyground
from plyground import ParseError, Position, UnknownNameError
from plyground._engine import Rng, Search
from plyground.agents import Limit, agent, register_evaluator
from search.reference import Node, grow
from stopping import LONG_S, stop_while_running

GAMES = [game.id for game in plyground.games()]
PUCT = [("leaf", "evaluator"), ("selection", "puct"), ("c", "1.5"), ("first_play", "0.5")]
CORNERS = {"1": "a1", "7": "g1"}
SIMPLE = [("solver", "false"), ("decisive", "false"), ("minimax", "0")]


def fake(position: Position) -> tuple[float, list[float]]:
    """Return a meaningless but reproducible value and priors."""
    rng = Rng(position.key)
    return rng.below(1000) / 1000, [1.0 + rng.below(100) for _ in position.moves]


def fake_batch(positions: list[Position]) -> tuple[list[float], list[list[float]]]:
    evaluations = [fake(position) for position in positions]
    return [value for value, _ in evaluations], [priors for _, priors in evaluations]


def engine_tree(start: Position, simulations: int, batch: int) -> dict[tuple[str, ...], tuple[int, float]]:
    search = Search(start, [*PUCT, *SIMPLE, ("batch", str(batch))], evaluator=fake_batch)
    search.run(simulations=simulations, seed=1)
    paths: list[tuple[str, ...]] = []
    tree = {}
    for node in search.top_nodes(10**6):
        paths.append(() if node["parent"] is None else (*paths[node["parent"]], node["move"]))
        tree[paths[-1]] = (node["visits"], node["total"])
    return tree


def shape(root: Node) -> dict[tuple[str, ...], tuple[int, float]]:
    tree = {}
    remaining: list[tuple[tuple[str, ...], Node]] = [((), root)]
    while remaining:
        path, node = remaining.pop()
        if node.visits:
            tree[path] = (node.visits, node.total / 2**20)
            remaining += [((*path, child.move), child) for child in node.children]
    return tree


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("batch", [1, 7, 32])
def test_the_tree_with_a_fake_evaluator_equals_the_reference_tree(name: str, batch: int) -> None:
    start = plyground.game(name).start()
    expected = shape(grow(start, fake, 400, batch, c=1.5, first_play=0.5))
    assert engine_tree(start, 400, batch) == expected
    assert expected[()][0] == 400


def test_a_search_fills_its_batches() -> None:
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
def test_runs_exactly_the_requested_simulations(threads: int) -> None:
    search = Search(plyground.game("connect4").start(), PUCT, evaluator=fake_batch, threads=threads)
    assert search.run(simulations=999, seed=1)["simulations"] == 999
    assert search.top_nodes(1)[0]["visits"] == 999


@pytest.mark.parametrize("column", CORNERS)
def test_the_evaluators_values_determine_the_best_move(column: str) -> None:
    def value(position: Position) -> float:
        """Red is better if and only if it owns the bottom square of the column."""
        red = 0.9 if position.cells.get(CORNERS[column]) == "r" else 0.1
        return red if position.turn == "red" else 1 - red

    register_evaluator("favours-a-column", lambda positions: ([value(position) for position in positions], None))
    start = plyground.game("connect4").start()
    analysis = agent("mcts(evaluator=favours-a-column)").analyse(start, Limit(simulations=500), seed=1)
    assert analysis.best.move == column
    assert analysis.value == pytest.approx(0.9, abs=0.1)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0.5], "must return"),
        (([0.5], None, 3), "must return"),
        (([], None), "values must have one item per position, got 0 for 1 positions"),
        (([0.5], [None, None]), "priors must have one item per position, got 2 for 1 positions"),
        (([1.5], None), "values must be between 0 and 1, got 1.5"),
        (([float("nan")], None), "values must be between 0 and 1, got NaN"),
        (([0.5], [[1.0]]), "priors of a position must have one item per move, got 1 for 7 moves"),
        (([0.5], [[-1.0] * 7]), "priors must be finite and at least 0, got -1"),
        (([0.5], [[float("inf")] * 7]), "priors must be finite and at least 0, got inf"),
        ("win", "must return"),
    ],
)
def test_an_invalid_evaluation_is_rejected(answer: object, message: str) -> None:
    search = Search(plyground.game("connect4").start(), PUCT, evaluator=lambda _: answer)  # type: ignore[arg-type,return-value]
    with pytest.raises(ParseError, match=message):
        search.run(simulations=100, seed=1)


@pytest.mark.parametrize("options", [PUCT, [("guide", "0.7")]])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_in_the_evaluator_is_raised_by_the_search(options: list[tuple[str, str]], threads: int) -> None:
    calls = []

    def evaluate(positions: list[Position]) -> tuple[list[float], None]:
        calls.append(len(positions))
        if len(calls) == 5:
            raise ZeroDivisionError("evaluator failed")
        return [0.5] * len(positions), None

    search = Search(plyground.game("connect4").start(), options, evaluator=evaluate, threads=threads)
    with pytest.raises(ZeroDivisionError, match="evaluator failed") as raised:
        search.run(simulations=10_000, seed=1)
    assert raised.value.__notes__ == ["raised by the evaluator"]
    assert len(search.top_nodes(10)) == 1, "the tree is discarded"


@pytest.mark.parametrize("options", [PUCT, [*PUCT, ("root", "gumbel")], [*PUCT, ("lines", "3")]])
def test_an_exception_at_the_root_is_raised_by_the_search(options: list[tuple[str, str]]) -> None:
    def evaluate(_: list[Position]) -> tuple[list[float], None]:
        raise ZeroDivisionError("evaluator failed")

    search = Search(plyground.game("connect4").start(), options, evaluator=evaluate)
    with pytest.raises(ZeroDivisionError, match="evaluator failed"):
        search.run(simulations=100, seed=1)


def test_stop_ends_a_search_with_an_evaluator() -> None:
    search = Search(plyground.game("connect4").start(), PUCT, evaluator=fake_batch)
    analysis = stop_while_running(lambda: search.run(seconds=LONG_S, seed=1), search.stop)
    assert analysis["simulations"] > 0


def test_an_evaluator_is_selected_by_name() -> None:
    with pytest.raises(UnknownNameError, match="unknown evaluator 'nobody'; available: "):
        agent("mcts(evaluator=nobody)")
    with pytest.raises(ParseError, match="requires an evaluator"):
        agent("mcts(leaf=evaluator)").analyse(plyground.game("chess").start(), Limit(simulations=1), seed=1)
    with pytest.raises(ParseError, match="must consist of lower-case letters"):
        register_evaluator("My Own", fake_batch)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "spec", ["mcts(evaluator=random)", "mcts(guide=0.7)", "mcts(guide=0.7, evaluator=minimax(depth=1))"]
)
def test_agents_evaluate_and_guide_in_every_game_reproducibly(name: str, spec: str) -> None:
    start = plyground.game(name).start()
    first, second = (agent(spec).analyse(start, Limit(simulations=30), seed=3) for _ in range(2))
    assert first.moves == second.moves
    assert first.simulations == 30
    assert agent(spec).spec == spec


def test_a_guide_chooses_its_share_of_playout_moves() -> None:
    """A guide with probability 0.7 is called for about 70% of the playout moves."""
    calls = []

    def leftmost(positions: list[Position]) -> tuple[list[float], list[list[float]]]:
        calls.append(positions[0].ply)
        return [0.5], [[float(index == 0) for index, _ in enumerate(positions[0].moves)]]

    options = [("guide", "0.7"), ("playout_decisive", "false"), ("solver", "false")]
    analysis = Search(plyground.game("connect4").start(), options, evaluator=leftmost).run(simulations=500, seed=1)
    # The histogram has bins of ten plies; 5 approximates the mean offset within a bin.
    plies = sum((10 * index + 5) * count for index, count in enumerate(analysis["playout_lengths"]))
    assert 0.5 < len(calls) / plies < 0.9


def test_playouts_guided_by_the_heuristic_need_fewer_simulations() -> None:
    """A man is hanging: guided playouts capture it without losing one."""
    position = plyground.game("checkers").position("B:W18,19,23:B9,10,14")
    guided = agent("mcts(guide=0.7, simulations=400)").analyse(position, Limit(), seed=1)
    plain = agent("mcts(simulations=20000)").analyse(position, Limit(), seed=1)
    assert guided.best.move == plain.best.move
