"""Time limits, stop requests and memory limits in searches of user games."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from plyground import ParseError, register
from plyground.agents import Agent, Analysis, Limit, agent, register_evaluator
from timeouts import SUBPROCESS_S
from user_games.sample_games import Bargain, Count, example, five_in_a_row

SECONDS = 0.2
AGENTS = [
    "mcts",
    "mcts(threads=2)",
    "mcts(workers=2)",
    "mcts(leaf=heuristic)",
    "mcts(minimax=0.5)",
    "mcts(minimax=0.5, root=gumbel)",
    "mcts(rave=0.1, transpositions=true)",
    "mcts(evaluator=material-free)",
    "mcts(evaluator=plain-flat, batch=4)",
    "mcts(guide=0.5)",
    "alphabeta(seconds=1000)",
    "minimax(seconds=1000)",
    "flat",
    "plain-mcts",
    "plain-flat",
    "plain-minimax(depth=9)",
    "committee(members=flat+mcts, judge=flat)",
]
"""Agents that call a user game's methods until they reach a limit."""


def count_moves(positions: list[Any]) -> tuple[list[float], None]:
    return [0.5 + 0.1 * (len(position.moves) % 2) for position in positions], None


register_evaluator("material-free", count_moves)


class Interrupting:
    """Five in a row that calls a function during the `armed`-th method call and records all later method calls."""

    id = "interrupting"

    def __init__(self, function: Callable[[], object]) -> None:
        self.rules = five_in_a_row()
        self.function = function
        self.armed: int | None = None
        self.is_over = False
        self.later: list[str] = []

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.rules, name)
        if name not in ("turn", "moves", "play", "outcome"):
            return value

        def method(*arguments: Any) -> Any:
            self.record(name)
            return value(*arguments)

        return method

    def record(self, name: str) -> None:
        if self.is_over:
            self.later.append(name)
        if self.armed is not None:
            self.armed -= 1
            if self.armed == 0:
                self.function()
                self.is_over = True

    def heuristic(self, state: str) -> float:
        self.record("heuristic")
        return len(state) % 7


@pytest.mark.parametrize("calls", [3, 40, 700])
@pytest.mark.parametrize("spec", AGENTS)
def test_no_method_is_called_after_the_deadline(spec: str, calls: int) -> None:
    # The call lasts longer than the limit, so the deadline has passed when it returns, however busy the machine is.
    rules = Interrupting(lambda: time.sleep(2 * SECONDS))
    start = register(rules).start()
    assert start.moves
    rules.armed = calls
    analysis = agent(spec).analyse(start, Limit(seconds=SECONDS, depth=None), seed=1)
    assert rules.later == []
    assert len(analysis.moves) == 225
    assert analysis.proven is None


@pytest.mark.parametrize("calls", [3, 40, 700])
@pytest.mark.parametrize("spec", AGENTS)
def test_no_method_is_called_after_a_stop_request(spec: str, calls: int) -> None:
    player: list[Agent] = [agent(spec)]
    rules = Interrupting(lambda: player[0].stop())
    start = register(rules).start()
    assert start.moves
    rules.armed = calls
    limit = Limit(depth=9) if "m" in spec and "minimax(" in spec else Limit(simulations=10**9, seconds=1000)
    analysis = player[0].analyse(start, limit, seed=1)
    assert rules.is_over
    assert rules.later == []
    assert len(analysis.moves) == 225
    assert analysis.proven is None


@pytest.mark.parametrize("options", ["", "workers=2", "leaf=heuristic", "solver=false", "evaluator=material-free"])
def test_an_interrupted_simulation_leaves_no_trace(options: str) -> None:
    player = agent(f"mcts({options})")
    rules = Interrupting(lambda: player.stop())
    start = register(rules).start()
    assert start.moves
    rules.armed = 2000
    stopped = player.analyse(start, Limit(simulations=10**6), seed=1)
    assert rules.is_over and stopped.simulations > 0
    if options != "workers=2":  # workers stop after different numbers of simulations
        again = agent(f"mcts({options})").analyse(start, Limit(simulations=stopped.simulations), seed=1)
        assert [(move.visits, move.value) for move in again.moves] == [
            (move.visits, move.value) for move in stopped.moves
        ]
    assert sum(move.visits for move in stopped.moves) <= stopped.simulations
    assert sum(stopped.playout_results) == (0 if options.startswith(("leaf", "eval")) else stopped.simulations)


@pytest.mark.parametrize("options", ["", ", threads=2", ", minimax=0.5", ", transpositions=true"])
def test_a_stopped_search_continues_with_the_same_result(options: str) -> None:
    class Stopping(Bargain):
        calls = 0

        def play(self, state: str, move: str) -> str:
            self.calls += 1
            if self.calls % 100 == 50:
                player.stop()
            return super().play(state, move)

    player = agent(f"mcts(reuse=true{options})")
    start = register(Stopping("stopping", 0.3)).start()
    for seed in range(50):
        analysis = player.analyse(start, Limit(simulations=200), seed=seed)
    assert analysis.best.move == "a"
    assert {move.move: move.proven for move in analysis.moves} == {"a": "draw", "g": None}


def test_expanding_the_root_costs_one_call_per_move() -> None:
    for spec in ("mcts(simulations=1)", "mcts(simulations=1, leaf=heuristic)"):
        rules = five_in_a_row("counting")
        plays: list[str] = []
        play = rules.play
        rules.play = lambda state, move, play=play, plays=plays: (plays.append(move), play(state, move))[1]
        agent(spec).analyse(register(rules).start(), Limit(), seed=1)
        assert len(plays) <= 2 * 225


@pytest.mark.parametrize("is_cheap", [False, True])
def test_replies_are_examined_only_if_lookahead_is_cheap(is_cheap: bool) -> None:
    rules = five_in_a_row("declared")
    rules.cheap_lookahead = is_cheap
    moves = ["a1", "a15", "c1", "b15", "e1", "c15", "g1", "d15"]
    position = register(rules).position(moves=moves)
    analysis = agent("mcts(simulations=1)").analyse(position, Limit(), seed=1)
    assert sum(move.proven == "loss" for move in analysis.moves) == (216 if is_cheap else 0)


@pytest.mark.parametrize("spec", ["mcts(mebibytes=2)", "mcts(mebibytes=2, threads=2)", "alphabeta(mebibytes=2)"])
def test_trees_and_states_stay_within_the_memory_limit(spec: str) -> None:
    sizes: list[float] = []
    record: Callable[[Analysis], None] = lambda analysis: sizes.append(analysis.mebibytes)  # noqa: E731
    start = register(five_in_a_row("small-cache"), cache_mebibytes=0.5).start()
    sizes.append(agent(spec).analyse(start, Limit(simulations=30, depth=2), seed=1, report=record).mebibytes)
    assert max(sizes) <= 2
    assert sizes[-1] > 0.9  # the states alone fill their share


def test_states_are_released_when_a_search_ends() -> None:
    class Heavy(Count):
        """A game with states of 1 MB, none of which repeats."""

        def start(self) -> Any:
            return (0, 0, "")

        def play(self, state: Any, move: str) -> Any:
            return (state[0] + int(move), 1 - state[1], f"{move}{state[2][: state[0]]}{'x' * 1_000_000}")

    analysis = agent("mcts(mebibytes=64, simulations=20)").analyse(
        register(Heavy("count-released"), cache_mebibytes=2).start(), Limit(), seed=1
    )
    assert 16 < analysis.mebibytes <= 64
    again = agent("mcts(mebibytes=1, simulations=1)").analyse(analysis.position, Limit(), seed=1)
    assert again.mebibytes <= 1


@pytest.mark.parametrize("game", ["tuples", "objects", "long-moves"])
def test_the_memory_of_every_kind_of_state_is_counted(game: str) -> None:
    class Board:
        """A state with a list of rows."""

        def __init__(self, count: int, turn: int) -> None:
            self.count, self.turn = count, turn
            self.rows = [[float(n)] * 1000 for n in range(20)]

        def __hash__(self) -> int:
            return hash(id(self))

    class Large(Count):
        def start(self) -> Any:
            return (0, 0)

        def moves(self, state: Any) -> list[str]:
            count = state.count if isinstance(state, Board) else state[0]
            tail = f"{id(state)}".zfill(150_000) if game == "long-moves" else ""
            return ["1" + tail, "2" + tail][: self.goal - count]

        def turn(self, state: Any) -> int:
            return int(state.turn) if isinstance(state, Board) else state[1]

        def play(self, state: Any, move: str) -> Any:
            count = (state.count if isinstance(state, Board) else state[0]) + int(move[0])
            turn = 1 - self.turn(state)
            if game == "objects":
                return Board(count, turn)
            return (count, turn, tuple((float(count), move) for _ in range(3000)) if game == "tuples" else move)

        def outcome(self, state: Any) -> int:
            return 1 - self.turn(state)

    register(Large(f"count-{game}", goal=300), cache_mebibytes=1).start()
    start = register(Large(f"count-{game}", goal=300), cache_mebibytes=1).start()
    analysis = agent("mcts(mebibytes=1024, simulations=2, decisive=false)").analyse(start, Limit(), seed=1)
    # At least a hundred states of 150 kB.
    assert analysis.mebibytes > 15


GROWTH = """
from pathlib import Path
from plyground import game
from plyground.agents import Limit, agent
import plyground.examples.five_in_a_row

def resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

start = game("five-in-a-row").start()
agent("mcts(simulations=1)").analyse(game("tictactoe").start(), Limit(), seed=1)
before, sizes = resident(), []
agent("mcts(mebibytes=64)").analyse(start, Limit(simulations=100), seed=1, report=lambda _: sizes.append(resident()))
print(max([*sizes, resident()]) - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_process_grows_by_at_most_the_memory_limit_and_a_margin() -> None:
    result = subprocess.run(
        [sys.executable, "-c", GROWTH], capture_output=True, text=True, timeout=SUBPROCESS_S, check=True
    )
    assert float(result.stdout) <= 64 + 32


@pytest.mark.parametrize("value", [-1, float("nan"), 1e9])
def test_an_invalid_cache_size_is_rejected(value: float) -> None:
    with pytest.raises(ParseError, match="cache_mebibytes must be between 0 and 1048576"):
        register(Count("count-cache"), cache_mebibytes=value)


def test_the_example_detects_five_in_every_direction() -> None:
    rules = five_in_a_row()
    for squares in (["c3", "d3", "e3", "f3", "g3"], ["c3", "c4", "c5", "c6", "c7"], ["c3", "d4", "e5", "f6", "g7"],
                    ["c7", "d6", "e5", "f4", "g3"]):  # fmt: skip
        position = example("five-in-a-row").start()
        for square, reply in zip(squares, ["o1", "o3", "o5", "o7", ""], strict=True):
            assert position.outcome is None
            position = position.play(square)
            position = position.play(reply) if reply else position
        assert str(position.outcome) == "black wins: rules"
    wrapped = "".join(["." * 12 + "xxx/", "xx" + "." * 13 + "/"])
    assert rules.moves(wrapped + ("." * 15 + "/") * 13)
