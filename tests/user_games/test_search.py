"""Searching user games: strength, reproducibility, limits, and exceptions raised by their rules."""

from __future__ import annotations

import functools
import operator
import resource
from pathlib import Path
from typing import Any

import pytest

import plyground
from plain.trees import engine_tree, plain_tree
from plyground import ParseError, register
from plyground.agents import Limit, agent
from plyground.agents.mcts import MctsAgent
from plyground.plain import PieceCutoff
from user_games.sample_games import Bargain, Count, Failing, example

METHODS = ["play", "moves", "turn"]


@pytest.mark.parametrize("sizes", ["(0, 3, 5, 7)", "(1, 3, 0, 4)", "(1, 2, 4, 0)", "(0, 3, 5, 0)"])
def test_finds_the_perfect_move_in_nim(sizes: str) -> None:
    position = example("nim").position(f"{sizes}+1")
    # Random playouts are uninformative in Nim, so the search needs more exploration.
    best = agent("mcts(c=1)").analyse(position, Limit(simulations=50_000), seed=1).best.move
    heaps = [int(digit) for digit in position.play(best).text if digit.isdigit()][:4]
    assert functools.reduce(operator.xor, heaps) == 0


@pytest.mark.parametrize(("share", "chosen"), [(0.3, "a"), (0.7, "g")])
@pytest.mark.parametrize("choice", ["visits", "value", "lower-bound"])
def test_takes_a_proven_draw_unless_another_move_is_better(share: float, chosen: str, choice: str) -> None:
    position = register(Bargain("bargain", share)).start()
    analysis = agent(f"mcts(choice={choice})").analyse(position, Limit(simulations=2000), seed=1)
    assert analysis.best.move == chosen
    proven = {move.move: move.proven for move in analysis.moves}
    assert (proven["a"], proven["g"]) == ("draw", None)


@pytest.mark.parametrize("name", ["othello", "my-tictactoe", "compiled-tictactoe"])
def test_pieces_on_the_board_can_be_counted_at_the_cutoff(name: str) -> None:
    start = example(name).start()
    plain = plain_tree(start, 200, seed=1, plies=3, search=PieceCutoff)
    assert plain == engine_tree(start, 200, seed=1, plies=3, cutoff="pieces")


@pytest.mark.parametrize("name", ["nim", "othello"])
def test_the_same_seed_gives_the_same_tree(name: str) -> None:
    def tree() -> list[dict[str, Any]]:
        search = MctsAgent().search(example(name).start(), Limit())
        search.run(simulations=300, seed=5)
        return search.top_nodes(100)

    assert tree() == tree()


def test_cached_states_cost_no_calls() -> None:
    count = Count("count-calls")
    start = register(count).start()
    start.playouts(1000, 1)
    assert count.plays <= 2 * 2 * count.goal
    before = count.plays
    agent("mcts(solver=false)").analyse(start, Limit(simulations=2000), seed=1)
    assert count.plays - before <= 2 * 2 * count.goal


@pytest.mark.parametrize("cache_mebibytes", [0, 0.005, 1])
def test_the_cache_size_does_not_change_results(cache_mebibytes: float) -> None:
    count = Count("count-small-cache")
    large = register(count).start()
    small = register(count, cache_mebibytes=cache_mebibytes).start()
    assert large.playouts(200, 3).plies == small.playouts(200, 3).plies
    moves = [agent("mcts").analyse(start, Limit(simulations=300), seed=1).moves for start in (large, small)]
    assert moves[0] == moves[1]


def test_memory_is_bounded() -> None:
    class Heavy(Count):
        """A game with states of 100 kB, none of which repeats."""

        def start(self) -> Any:
            return (0, 0, "")

        def play(self, state: Any, move: str) -> Any:
            return (state[0] + int(move), 1 - state[1], f"{move}{state[2][: state[0]]}{'x' * 100_000}")

    start = register(Heavy("count-heavy"), cache_mebibytes=5).start()
    start.playouts(20, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start.playouts(60, 2)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB


def test_the_heuristic_evaluates_leaves_for_the_side_to_move() -> None:
    class EvenSum(Count):
        """An even sum is good for the side that has just moved."""

        def heuristic(self, state: tuple[int, int]) -> float:
            return 500.0 if state[0] % 2 else -500.0

    analysis = agent("mcts(leaf=heuristic)").analyse(
        register(EvenSum("even-sum", goal=1000)).start(), Limit(simulations=2), seed=1
    )
    values = {move.move: move.value for move in analysis.moves}
    assert values["2"] is not None and values["1"] is not None
    assert values["2"] > 0.5 > values["1"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", ["", "threads=2", "workers=2", "leaf=heuristic"])
def test_an_exception_in_the_rules_is_raised_by_the_search(method: str, options: str) -> None:
    error = ZeroDivisionError("a bug")
    start = register(Failing("failing", method, error)).start()
    with pytest.raises(ZeroDivisionError, match="a bug") as caught:
        agent(f"mcts({options})").analyse(start, Limit(simulations=10**9), seed=1)
    assert any(note.startswith(f"raised by {method}(state") for note in caught.value.__notes__)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spec", ["alphabeta", "alphabeta(threads=2)", "minimax"])
def test_alphabeta_raises_an_exception_in_the_rules_with_its_file_and_line(method: str, spec: str) -> None:
    start = register(Failing("failing", method, ZeroDivisionError("a bug"))).start()
    player = agent(spec)
    with pytest.raises(ZeroDivisionError, match="a bug") as caught:
        player.analyse(start, Limit(depth=100), seed=1)
    assert any(note.startswith(f"raised by {method}(state") for note in caught.value.__notes__)
    assert "sample_games.py" in {Path(entry.path).name for entry in caught.traceback}


@pytest.mark.parametrize("spec", ["alphabeta(depth=12)", "minimax(depth=8)", "minimax(depth=8, pruning=true)"])
def test_alphabeta_sees_draws_by_repetition(spec: str) -> None:
    class Wait:
        """Each side may wait or resign, which loses. The heuristic always favours the left side."""

        id, title, sides, repetition_limit = "wait", "Wait", ("left", "right"), 3

        def start(self) -> tuple[int, bool]:
            return (0, False)

        def turn(self, state: tuple[int, bool]) -> int:
            return state[0]

        def moves(self, state: tuple[int, bool]) -> list[str]:
            return [] if state[1] else ["wait", "resign"]

        def play(self, state: tuple[int, bool], move: str) -> tuple[int, bool]:
            return (1 - state[0], move == "resign")

        def outcome(self, state: tuple[int, bool]) -> int:
            return state[0]

        def heuristic(self, state: tuple[int, bool]) -> float:
            return 300.0 if state[0] == 0 else -300.0

    analysis = agent(spec).analyse(register(Wait()).start(), Limit(), seed=1)
    assert (analysis.best.move, analysis.value) == ("wait", 0.5)


@pytest.mark.parametrize("method", METHODS)
def test_an_exception_in_the_rules_is_raised_by_every_method(method: str) -> None:
    if method != "turn":  # playouts and perft do not call turn
        with pytest.raises(LookupError, match="gone"):
            register(Failing("failing", method, LookupError("gone"))).start().playouts(10_000, 1)
        with pytest.raises(LookupError, match="gone"):
            register(Failing("failing", method, LookupError("gone"))).start().perft(12)
    position = register(Failing("failing", method, LookupError("gone"))).start()
    with pytest.raises(LookupError, match="gone"):
        while position.turn and position.outcome is None:
            position = position.play("1")


def test_a_failed_search_can_be_repeated() -> None:
    failing = Failing("failing-once", "play", OSError("not now"))
    player = agent("mcts(reuse=true)")
    start = register(failing).start()
    with pytest.raises(OSError, match="not now"):
        player.analyse(start, Limit(simulations=1000), seed=1)
    failing.calls = -(10**9)
    again = player.analyse(start, Limit(simulations=1000), seed=1)
    fresh = agent("mcts").analyse(register(Count("count-fresh")).start(), Limit(simulations=1000), seed=1)
    assert again.moves == fresh.moves


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("turn", 2, "turn(state) must return 0 or 1, got 2"),
        ("moves", [1, 2], "moves(state) must return strings, got 1"),
        ("moves", 5, "'int' object is not iterable"),
        ("outcome", None, "outcome(state) must return 0, 1 or 'draw' for a state without moves, got None"),
        ("play", [1], "unhashable type"),
    ],
)
def test_invalid_return_values_are_rejected(method: str, answer: object, message: str) -> None:
    count = Count("count-invalid", goal=3)
    setattr(count, method, lambda *_: answer)
    with pytest.raises((TypeError, ValueError)) as caught:
        agent("mcts").analyse(register(count).start(), Limit(simulations=100), seed=1)
    assert message in str(caught.value)


def test_an_out_of_bounds_index_in_compiled_rules_is_an_error() -> None:
    from plyground.examples.tictactoe_compiled import CompiledTicTacToe

    class OutOfBounds(CompiledTicTacToe):
        id = "out-of-bounds"

        @staticmethod
        def play(state: Any, move: int) -> None:
            state[state[2] + 3 * (move == 5)] |= 1 << move
            state[2] = 1 - state[2]

    start = register(plyground.compiled(OutOfBounds())).start()
    assert start.play("a1").turn == "o"
    for options in ["", "threads=2"]:
        with pytest.raises(ParseError, match="the compiled play"):
            agent(f"mcts({options})").analyse(start, Limit(simulations=10**9), seed=1)
    with pytest.raises(IndexError):
        register(plyground.compiled(OutOfBounds()).interpreted()).start().playouts(100, 1)
