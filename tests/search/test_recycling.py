"""Trees whose memory is spent: what they take away and reuse leaves a tree of legal moves with sound numbers."""

from __future__ import annotations

import threading
import time

import pytest

import plyground
from plyground._engine import Search
from plyground.agents import Limit, agent

GAMES = [game.id for game in plyground.games()]
OPTIONS = [[], [("rave", "0.001")], [("transpositions", "true")], [("leaf", "estimate")]]


def shown(search: Search) -> list[tuple[int, str, float]]:
    """All nodes, whatever slots they are in."""
    return sorted((node["visits"], node["move"], node["total"]) for node in search.top(10**6))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_tree_that_was_recycled_is_sound(name: str, options: list[tuple[str, str]], threads: int) -> None:
    """Moves between, so that much is forgotten. Reading what was written checks every node against the rules."""
    position = plyground.game(name).start()
    is_graph = ("transpositions", "true") in options
    options = [*options, ("solver", "false")]
    search = Search(position, options, mebibytes=1, threads=threads)
    for _ in range(4):
        thought = search.run(simulations=6_000 if name == "chess" else 60_000, seed=1)
        assert thought["bytes"] <= 2**20
        whole = Search(position, options, mebibytes=4)
        whole.restore(search.dump())
        assert is_graph or shown(whole) == shown(search)  # the ways through a graph are without number
        assert whole.thought()["moves"] == search.thought()["moves"]
        assert whole.thought()["nodes"] == search.thought()["nodes"]
        position = position.play(thought["moves"][thought["best"]]["move"])
        search.move_to(position)


@pytest.mark.parametrize("options", ["", ", workers=2", ", transpositions=true"])
def test_a_full_tree_is_the_same_for_the_same_seed(options: str) -> None:
    start = plyground.game("checkers").start()
    one, other, third = (
        agent(f"mcts(mebibytes=1{options})").analyse(start, Limit(simulations=100_000), seed=seed) for seed in (1, 1, 2)
    )
    assert one.moves == other.moves
    assert one.nodes == other.nodes
    assert one.moves != third.moves


def test_a_full_tree_still_looks_deeper_the_longer_it_goes_on() -> None:
    position = plyground.game("connect4").position("444444")
    few, many = (
        agent("mcts(mebibytes=1)").analyse(position, Limit(simulations=simulations), seed=1)
        for simulations in (20_000, 400_000)
    )
    assert many.nodes <= 2**20 / 32
    assert many.deepest > few.deepest


@pytest.mark.parametrize("options", ["", ", threads=2", ", transpositions=true"])
def test_a_full_tree_is_stopped_as_promptly_as_any(options: str) -> None:
    """The tree of 64 MiB takes longer than the promised time to look through."""
    start = plyground.game("checkers").start()
    player = agent(f"mcts(mebibytes=64, reuse=true, leaf=estimate{options})")
    held = [player.analyse(start, Limit(seconds=0.5), seed=1).mebibytes]
    while held[-1] < 63.9:
        held.append(player.analyse(start, Limit(seconds=0.5), seed=1).mebibytes)
        assert held[-1] > held[-2]
    late, over = [], []
    for seed in range(12):
        calls: list[float] = []
        done = threading.Event()

        def stop(calls: list[float] = calls, done: threading.Event = done) -> None:
            while not done.wait(0.02):
                calls.append(time.perf_counter())
                player.stop()  # type: ignore[attr-defined]

        thread = threading.Thread(target=stop)
        thread.start()
        player.analyse(start, Limit(seconds=20), seed=seed)
        late.append(time.perf_counter() - calls[0])
        done.set()
        thread.join()
        began = time.perf_counter()
        player.analyse(start, Limit(seconds=0.05), seed=seed)
        over.append(time.perf_counter() - began - 0.05)
    # The best third: a busy machine may keep the thread from running at all for a while.
    assert sorted(late)[3] < 0.02
    assert sorted(over)[3] < 0.02


def test_moving_on_from_a_large_tree_takes_no_time() -> None:
    start = plyground.game("connect4").start()
    search = Search(start, mebibytes=256)
    search.run(simulations=1_000_000, seed=1)
    began = time.perf_counter()
    search.move_to(start.play("4"))
    assert time.perf_counter() - began < 0.02
