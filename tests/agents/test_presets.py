"""Presets: every one plays, and those of well-known descriptions have the settings of the description."""

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
"""Options that descriptions of these players require."""


@pytest.mark.parametrize("name", presets())
def test_a_preset_plays_the_games_that_it_is_meant_for(name: str) -> None:
    preset = presets()[name]
    assert preset.description
    for one in games() if preset.games is None else map(game, preset.games):
        start = one.start()
        assert agent(name).analyse(start, Limit(simulations=10, seconds=1), seed=1).best.move in start.moves


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_preset_has_the_settings_of_the_player_that_it_describes(name: str) -> None:
    made = agent(name)
    for option, value in SYSTEMS[name].items():
        assert made.values[option] == value


def test_a_preset_keeps_its_name_and_takes_options() -> None:
    assert agent("uct").spec == "uct"
    assert agent("uct(simulations=50)").spec == "uct(simulations=50)"
    assert agent("uct", simulations=50).spec == "uct(simulations=50)"
    assert agent("uct(simulations=50)").values["simulations"] == 50
    assert agent("uct(simulations=50)").values["solver"] is False


def test_the_name_of_a_preset_is_not_that_of_an_agent() -> None:
    assert not set(presets()) & set(AGENTS)


def test_a_preset_has_the_options_of_its_agent() -> None:
    assert agent_options("uct") == agent_options("mcts")


def test_a_misspelt_name_is_answered_with_similar_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown agent 'uct-expart' \(did you mean uct-expert\?\)"):
        agent("uct-expart")
