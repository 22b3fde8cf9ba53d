"""With each enhancement, alone and in combination, the engine's search grows the same tree as the plain reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plain.stones import stones
from plain.trees import HEURISTIC, OFF, assert_same
from plyground import Game, Position, Rng, game
from plyground._engine import search_options
from plyground.agents import Limit, agent
from plyground.agents.mcts import PLAYOUT_OPTIONS
from plyground.agents.presets import presets
from plyground.levels import levels
from plyground.spec import parse_spec
from plyground.weights import BEST, engine_weights, has_best

SEARCH_OPTIONS = {option[0] for option in search_options()}
ON = {"solver": "true", "decisive": "true"}
SHORT = {"playout_plies": "4", **HEURISTIC}

ENHANCEMENTS: dict[str, dict[str, str]] = {
    "solver": {"solver": "true"},
    "decisive moves": {"decisive": "true"},
    "two-ply check": ON,
    "UCB1-Tuned": {"selection": "ucb1-tuned"},
    "UCB1-Tuned with solver": {"selection": "ucb1-tuned", "solver": "true"},
    "UCB1-Tuned with evaluations": {"selection": "ucb1-tuned", **SHORT},
    "PUCT": {"selection": "puct"},
    "PUCT with move weights": {"selection": "puct", "capture_weight": "3", "edge_weight": "0.5"},
    "progressive bias": {"bias": "1.5", "capture_weight": "4", "edge_weight": "2"},
    "progressive widening": {"widening": "1.3"},
    "progressive widening with solver": {"widening": "0.6", "solver": "true"},
    "first-play urgency": {"first_play": "0.6"},
    "first-play urgency with solver": {"first_play": "0.6", "solver": "true"},
    "RAVE": {"rave": "0.001"},
    "RAVE with solver": {"rave": "0.01", "solver": "true"},
    "GRAVE": {"rave": "0.001", "grave": "20"},
    "implicit minimax": {"minimax": "0.7"},
    "implicit minimax with solver": {"minimax": "0.85", **ON, **SHORT},
    "decisive playouts": {"playout_decisive": "true"},
    "weighted playouts": {"capture_weight": "3", "edge_weight": "0.5"},
    "decisive weighted playouts": {"playout_decisive": "true", "capture_weight": "3", "edge_weight": "2"},
    "evaluated cut-off playouts": SHORT,
    "evaluated leaves": {"leaf": "heuristic"},
    "transpositions": {"transpositions": "true"},
    "transpositions with solver": {"transpositions": "true", "solver": "true"},
    "transpositions with RAVE": {"transpositions": "true", "rave": "0.001"},
    "choice by value": {"choice": "value", "solver": "true"},
    "choice by lower bound": {"choice": "lower-bound", "solver": "true"},
    "deepening": {"deepening": "2", "playout_plies": "2"},
}

POSITIONS: dict[str, list[tuple[str | None, int]]] = {
    "tictactoe": [(None, 1000), ("x.o/.../x..", 300)],
    "connect4": [(None, 500), ("44444326555", 1000)],
    "checkers": [(None, 300), ("W:WK3,20,K7:BK30,22,5", 600)],
    "chess": [(None, 100), ("7k/8/5K2/8/8/8/P7/6R1 w - - 90 80", 300)],
    "stones": [(None, 500)],
}
"""Positions of each game, with the number of simulations to compare."""


@pytest.fixture(autouse=True, scope="module")
def user_game() -> Game:
    return stones()


@pytest.mark.parametrize("spec", POSITIONS)
@pytest.mark.parametrize("name", ENHANCEMENTS)
def test_each_enhancement_grows_the_tree_of_its_plain_reference(name: str, spec: str) -> None:
    options = {**OFF, "c": "0.7", "playout_plies": "30", **ENHANCEMENTS[name]}
    for text, simulations in POSITIONS[spec]:
        assert_same([game(spec).position(text)], options, simulations)


def shipped() -> list[Any]:
    """Return the game and options of each game's default search, and of each level and preset that uses tree search."""
    found = [pytest.param(spec, {}, id=f"{spec}-default") for spec in POSITIONS]
    for spec in POSITIONS:
        specs = {level.name: level.spec for level in levels(spec)}
        specs |= {preset.name: preset.agent for preset in presets().values() if spec in (preset.games or POSITIONS)}
        for name, text in specs.items():
            agent = parse_spec(text)
            # Guides are other agents, which the plain search does not have.
            if agent.name == "mcts" and agent.options and "guides" not in agent.options:
                found.append(pytest.param(spec, dict(agent.options), id=f"{spec}-{name}"))
    return found


@pytest.mark.parametrize(("spec", "options"), shipped())
def test_each_shipped_search_grows_the_tree_of_its_plain_reference(spec: str, options: dict[str, str]) -> None:
    search_options = {name: value for name, value in options.items() if name in SEARCH_OPTIONS}
    if any(name in options for name in PLAYOUT_OPTIONS):
        search_options.setdefault("leaf", "playout")
    for text, simulations in POSITIONS[spec]:
        position = game(spec).position(text)
        has_weights = has_best(spec) and options.get("weights") != "none"
        weights = engine_weights(BEST, position) if has_weights else None
        assert_same([position], search_options, simulations, weights=weights)


REPETITIONS = {
    "chess": ("8/8/8/8/8/6k1/1r6/7K b - - 0 1", "b2c2 h1g1 c2b2 g1h1 b2c2 h1g1 c2b2", "g1h1"),
    "checkers": ("W:WK32:BK1", "32-28 1-5 28-32 5-1 32-28 1-5 28-32", "5-1"),
}
"""A position, moves, and a reply that completes a threefold repetition. In chess, every other reply loses."""


@pytest.mark.parametrize("name", ["default", "two-ply check", "transpositions with solver"])
@pytest.mark.parametrize("spec", REPETITIONS)
def test_a_root_move_that_repeats_the_position_is_a_draw(spec: str, name: str) -> None:
    text, moves, reply = REPETITIONS[spec]
    position = game(spec).position(text, moves.split())
    options = {**OFF, **ON, "playout_plies": "30", **ENHANCEMENTS[name]} if name in ENHANCEMENTS else {}
    assert_same([position], options, 300)
    analysis = agent("mcts").analyse(position, Limit(simulations=300), seed=1)
    assert analysis.proven in (None, "draw")
    if spec == "chess":
        assert analysis.best.move == reply


def test_a_tree_is_not_reused_after_a_change_of_the_clock() -> None:
    young, old = (game("chess").position(f"7k/8/5K2/8/8/8/8/6R1 w - - {clock} 80") for clock in (0, 99))
    assert_same([young, old], {}, 200)


@pytest.mark.parametrize("spec", POSITIONS)
@pytest.mark.parametrize("name", ["default", "RAVE with solver", "implicit minimax with solver", "transpositions"])
def test_a_reused_tree_equals_that_of_the_plain_reference(name: str, spec: str) -> None:
    position, rng = game(spec).start(), Rng(3)
    line = [position]
    while len(line) < 4:
        position = position.play_random(rng)
        if len(position.moves) > 1:
            line.append(position)
    assert_same(line, {**OFF, "playout_plies": "30", **ENHANCEMENTS[name]} if name in ENHANCEMENTS else {}, 200)


def test_the_root_of_a_reused_tree_is_checked_for_immediate_wins() -> None:
    """Red has three in the bottom row; the two-ply check proves replies that do not block, so they have no children."""
    start = game("connect4").position("11223")
    for reply in start.moves:
        if start.play(reply).outcome is None:
            assert_same([start, start.play(reply)], {}, 300)


def choices(*values: str) -> st.SearchStrategy[str]:
    return st.sampled_from(values)


COMBINATIONS = st.fixed_dictionaries(
    {
        "c": choices("0.1", "0.5", "1.2"),
        "selection": choices("uct", "puct", "ucb1-tuned"),
        "solver": choices("true", "false"),
        "decisive": choices("true", "false"),
        "playout_decisive": choices("true", "false"),
        "transpositions": choices("false", "false", "true"),
        "minimax": choices("0", "0.3", "0.9"),
        "choice": choices("visits", "value", "lower-bound"),
    },
    optional={
        "playout_plies": choices("1", "3", "12"),
        "first_play": choices("0", "0.5", "1.1"),
        "rave": choices("0.0001", "0.01", "1"),
        "grave": choices("5", "50"),
        "bias": choices("0.2", "3"),
        "widening": choices("0.4", "1", "2.5"),
        "leaf": choices("playout", "heuristic"),
        "capture_weight": choices("0", "3"),
        "edge_weight": choices("0.1", "2"),
        "deepening": choices("1", "2.5"),
        "cutoff": choices("draw", "pieces", "material", "heuristic"),
    },
)


def random_lines(spec: str) -> Callable[[int, int, int], list[Position]]:
    """Return a function that plays a random game and returns up to `count` positions with a choice of moves."""

    def line(plies: int, count: int, seed: int) -> list[Position]:
        rng, found = Rng(seed), list[Position]()
        position = game(spec).start()
        while position.outcome is None and len(found) < count:
            if position.ply >= plies and len(position.moves) > 1:
                found.append(position)
            position = position.play_random(rng)
        return found

    return line


@pytest.mark.parametrize(
    ("spec", "simulations"), [(spec, positions[-1][1] // 4) for spec, positions in POSITIONS.items()]
)
@settings(max_examples=100)
@given(
    options=COMBINATIONS,
    plies=st.integers(0, 40),
    count=st.integers(1, 2),
    seed=st.integers(0, 1000),
)
def test_random_combinations_grow_the_tree_of_their_plain_reference(
    spec: str, simulations: int, options: dict[str, str], plies: int, count: int, seed: int
) -> None:
    if positions := random_lines(spec)(plies, count, seed):
        assert_same(positions, options, simulations, seed)
