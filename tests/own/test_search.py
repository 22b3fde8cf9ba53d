"""The search of games of one's own: strong, repeatable, bounded, and honest about errors in them."""

from __future__ import annotations

import functools
import operator
import resource
from typing import Any

import pytest

import plyground
from own.sample_games import Bargain, Count, Failing, example
from plyground import ParseError, register
from plyground.agents import Limit, agent
from plyground.agents.mcts import MctsAgent

METHODS = ["play", "moves", "turn"]


@pytest.mark.parametrize("left", ["(0, 3, 5, 7)", "(1, 3, 0, 4)", "(1, 2, 4, 0)", "(0, 3, 5, 0)"])
def test_finds_the_perfect_move_of_nim(left: str) -> None:
    position = example("nim").position(f"{left}+1")
    # Random play says little about Nim: more exploration than usual is needed.
    best = agent("mcts(c=1)").analyse(position, Limit(simulations=50_000), seed=1).best.move
    heaps = [int(digit) for digit in position.play(best).text if digit.isdigit()][:4]
    assert functools.reduce(operator.xor, heaps) == 0


@pytest.mark.parametrize(("share", "chosen"), [(0.3, "a"), (0.7, "g")])
@pytest.mark.parametrize("choice", ["visits", "value", "lower-bound"])
def test_a_certain_draw_is_taken_unless_something_promises_more(share: float, chosen: str, choice: str) -> None:
    position = register(Bargain("bargain", share)).start()
    thought = agent(f"mcts(choice={choice})").analyse(position, Limit(simulations=2000), seed=1)
    assert thought.best.move == chosen
    known = {move.move: move.known for move in thought.moves}
    assert (known["a"] is not None, known["g"]) == (True, None)


@pytest.mark.parametrize("name", ["nim", "othello"])
def test_same_seed_same_tree(name: str) -> None:
    def tree() -> list[dict[str, Any]]:
        search = MctsAgent().search(example(name).start(), Limit())
        search.run(simulations=300, seed=5)
        return search.top(100)

    assert tree() == tree()


def test_a_state_met_again_costs_no_call() -> None:
    own = Count("count-calls")
    start = register(own).start()
    start.playouts(1000, 1)
    assert own.plays <= 2 * 2 * own.goal
    before = own.plays
    agent("mcts(solver=false)").analyse(start, Limit(simulations=2000), seed=1)
    assert own.plays - before <= 2 * 2 * own.goal


@pytest.mark.parametrize("remember", [1, 7, 1000])
def test_forgetting_changes_nothing(remember: int) -> None:
    own = Count("count-forgets")
    plenty = register(own).start()
    scarce = register(own, remember=remember).start()
    tallies = [start.playouts(200, 3) for start in (plenty, scarce)]
    assert tallies[0].plies == tallies[1].plies
    shares = [agent("mcts").analyse(start, Limit(simulations=300), seed=1).moves for start in (plenty, scarce)]
    assert shares[0] == shares[1]


def test_memory_is_bounded() -> None:
    class Heavy(Count):
        """Its states are a hundred kilobytes each, and none comes twice."""

        def start(self) -> Any:
            return (0, 0, "")

        def play(self, state: Any, move: str) -> Any:
            return (state[0] + int(move), 1 - state[1], f"{move}{state[2][: state[0]]}{'x' * 100_000}")

    start = register(Heavy("count-heavy"), remember=50).start()
    start.playouts(20, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start.playouts(60, 2)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", ["", "threads=2", "workers=2", "leaf=estimate"])
def test_an_exception_of_the_rules_comes_out_of_a_search(method: str, options: str) -> None:
    error = ZeroDivisionError("my own mistake")
    start = register(Failing("failing", method, error)).start()
    with pytest.raises(ZeroDivisionError, match="my own mistake") as caught:
        agent(f"mcts({options})").analyse(start, Limit(simulations=10**9), seed=1)
    assert any(note.startswith(f"raised by {method}(state") for note in caught.value.__notes__)


@pytest.mark.parametrize("method", METHODS)
def test_an_exception_of_the_rules_comes_out_of_everything(method: str) -> None:
    if method != "turn":  # random games and counting ask nobody whose turn it is
        with pytest.raises(LookupError, match="gone"):
            register(Failing("failing", method, LookupError("gone"))).start().playouts(10_000, 1)
        with pytest.raises(LookupError, match="gone"):
            register(Failing("failing", method, LookupError("gone"))).start().perft(12)
    position = register(Failing("failing", method, LookupError("gone"))).start()
    with pytest.raises(LookupError, match="gone"):
        while position.turn and position.outcome is None:
            position = position.play("1")


def test_a_search_that_failed_can_be_repeated() -> None:
    own = Failing("failing-once", "play", OSError("not now"))
    player = agent("mcts(reuse=true)")
    start = register(own).start()
    with pytest.raises(OSError, match="not now"):
        player.analyse(start, Limit(simulations=1000), seed=1)
    own.calls = -(10**9)
    again = player.analyse(start, Limit(simulations=1000), seed=1)
    fresh = agent("mcts").analyse(register(Count("count-fresh")).start(), Limit(simulations=1000), seed=1)
    assert again.moves == fresh.moves


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("turn", 2, "turn(state) gave 2; accepted are 0 and 1"),
        ("moves", [1, 2], "moves(state) gave 1; accepted are texts"),
        ("moves", 5, "'int' object is not iterable"),
        ("outcome", None, "outcome(state) gave None for a state without moves"),
        ("play", [1], "unhashable type"),
    ],
)
def test_wrong_answers_are_errors_that_say_what_is_accepted(method: str, answer: object, message: str) -> None:
    own = Count("count-wrong", goal=3)
    setattr(own, method, lambda *_: answer)
    with pytest.raises((TypeError, ValueError)) as caught:
        agent("mcts").analyse(register(own).start(), Limit(simulations=100), seed=1)
    assert message in str(caught.value)


def test_compiled_rules_that_go_out_of_bounds_are_an_error() -> None:
    from plyground.examples.tictactoe_compiled import CompiledTicTacToe

    class Beyond(CompiledTicTacToe):
        id = "beyond"

        @staticmethod
        def play(state: Any, move: int) -> None:
            state[state[2] + 3 * (move == 5)] |= 1 << move
            state[2] = 1 - state[2]

    start = register(plyground.compiled(Beyond())).start()
    assert start.play("a1").turn == "o"
    for options in ["", "threads=2"]:
        with pytest.raises(ParseError, match="the compiled play"):
            agent(f"mcts({options})").analyse(start, Limit(simulations=10**9), seed=1)
    with pytest.raises(IndexError):
        register(plyground.compiled(Beyond()).plain()).start().playouts(100, 1)
