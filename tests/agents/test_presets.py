"""Presets: every preset can play its games, and its settings match its description."""

from __future__ import annotations

import pytest

from plyground import UnknownNameError, game, games
from plyground.agents import Limit, agent, presets
from plyground.agents.registry import AGENTS, agent_options

SYSTEMS: dict[str, dict[str, object]] = {
    "uct-easy": {"simulations": 20, "c": 2**0.5, "playout_plies": 20, "cutoff": "draw"},
    "uct-medium": {"simulations": 50, "c": 5**0.5, "playout_plies": 20, "cutoff": "draw"},
    "uct-hard": {"simulations": 150, "c": 3.0, "playout_plies": 20, "cutoff": "draw"},
    "uct-expert": {"simulations": 500, "c": 4.0, "playout_plies": 20, "cutoff": "draw"},
    "ucb1-material": {"simulations": 1000, "c": 2**0.5, "playout_plies": 50, "cutoff": "material"},
    "samuel": {"depth": 5, "weights": "default"},
    "flat-100": {"playouts": 100},
}
"""Option values that follow from the descriptions of these presets."""


@pytest.mark.parametrize("name", presets())
def test_a_preset_plays_the_games_that_it_is_meant_for(name: str) -> None:
    preset = presets()[name]
    assert preset.description
    for one in games() if preset.games is None else map(game, preset.games):
        start = one.start()
        assert agent(name).analyse(start, Limit(simulations=10, seconds=1), seed=1).best.move in start.moves


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_settings_of_a_preset_match_its_description(name: str) -> None:
    made = agent(name)
    for option, value in SYSTEMS[name].items():
        assert made.values[option] == value


def test_a_preset_keeps_its_name_and_accepts_options() -> None:
    assert agent("uct").spec == "uct"
    assert agent("uct(simulations=50)").spec == "uct(simulations=50)"
    assert agent("uct", simulations=50).spec == "uct(simulations=50)"
    assert agent("uct(simulations=50)").values["simulations"] == 50
    assert agent("uct(simulations=50)").values["solver"] is False


def test_presets_and_agents_have_different_names() -> None:
    assert not set(presets()) & set(AGENTS)


def test_a_preset_has_the_options_of_its_agent() -> None:
    assert agent_options("uct") == agent_options("mcts")


def test_an_unknown_name_error_suggests_similar_names() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown agent 'uct-expart' \(did you mean uct-expert\?\)"):
        agent("uct-expart")
