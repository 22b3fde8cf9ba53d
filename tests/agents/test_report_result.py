"""Every agent accepts the result of a game; agents that wrap another agent pass it on."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.agents import Agent, agent
from plyground.agents.mcts import MctsAgent
from plyground.agents.registry import AGENTS
from plyground.agents.tablebase import TablebaseAgent
from plyground.levels import LevelAgent, player

ADAPTIVE = "mcts(reuse=adaptive)"


def inner_agent(outer: Agent) -> MctsAgent:
    if isinstance(outer, LevelAgent):
        inner = outer.of("checkers")[1]
    else:
        assert isinstance(outer, TablebaseAgent)
        inner = outer.fallback
    assert isinstance(inner, MctsAgent)
    return inner


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_accepts_results(name: str) -> None:
    made = agent(name)
    made.report_result("win")
    made.report_result("draw")
    made.report_result("loss")


@pytest.mark.parametrize("name", ["tables", "syzygy"])
def test_a_tablebase_agent_passes_results_on_to_its_fallback(name: str) -> None:
    outer = agent(f"{name}(fallback={ADAPTIVE})")
    outer.report_result("loss")
    assert not inner_agent(outer).keeps_tree


def test_a_level_passes_results_on_to_its_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "levels.toml"
    file.write_text(f'[[level]]\nname = "Adaptive"\nagent = "{ADAPTIVE}"\nsimulations = 20\n')
    monkeypatch.setenv("PLYGROUND_LEVELS", str(file))
    outer = player("checkers", "Adaptive")
    outer.report_result("loss")
    assert not inner_agent(outer).keeps_tree
    outer.report_result("win")
    assert inner_agent(outer).keeps_tree
