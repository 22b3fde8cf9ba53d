"""Options are given as text or as Python values; both are checked against the same declaration."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground import ParseError, Position, UnknownNameError
from plyground.agents import Agent, Analysis, Budget, MoveAnalysis, agent, agents
from plyground.agents.options import Option
from plyground.agents.registry import AGENTS, agent_options
from plyground.server.catalog.catalog import make_catalog
from plyground.server.search.players import check_spec
from plyground.server.settings import Settings
from plyground.spec import parse_spec


def test_text_and_python_values_create_the_same_agent() -> None:
    assert (
        agent("mcts(simulations=800, c=1.4, solver=false)").values
        == agent("mcts", simulations=800, c=1.4, solver=False).values
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "option simulations must be a positive integer, got 0"),
        ({"simulations": 2.5}, "option simulations must be a positive integer, got 2.5"),
        ({"simulations": True}, "option simulations must be a positive integer, got True"),
        ({"c": float("nan")}, "option c must be between 0 and 100, got nan"),
        ({"c": "much"}, "option c must be between 0 and 100, got 'much'"),
        ({"solver": "yes"}, "option solver must be true or false, got 'yes'"),
        ({"selection": "best"}, "option selection must be one of uct, ucb1-tuned, puct, got 'best'"),
        ({"weights": ""}, "option weights must be the name of a weight set or a .safetensors file, got ''"),
    ],
)
def test_an_invalid_value_error_lists_the_allowed_values(options: dict[str, object], message: str) -> None:
    with pytest.raises(ParseError, match=message):
        agent("mcts", **options)


def test_an_unknown_option_error_lists_the_available_options() -> None:
    with pytest.raises(
        UnknownNameError,
        match=r"unknown option 'depht' for agent alphabeta \(did you mean depth\?\); available: depth, seconds",
    ):
        agent("alphabeta", depht=3)


def test_an_agent_created_from_keywords_has_a_short_spec_that_recreates_it() -> None:
    made = agent("mcts", c=2.0, reuse="true", workers=2)
    assert made.spec == "mcts(c=2, reuse=true, workers=2)"
    assert agent(made.spec).values == made.values


class Cautious(Agent):
    """A custom agent that plays the last legal move."""

    name = "cautious"
    description = "plays the last legal move"
    options = (
        Option("patience", "integer", "moves to wait before attacking", "3", 1, 1000, visitor_setting="tree_nodes"),
        Option("notes", "folder", "folder for notes"),
    )

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        moves = position.moves
        return Analysis(position, tuple(MoveAnalysis(move, float(move == moves[-1])) for move in moves))


def test_a_registered_agent_appears_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(AGENTS, Cautious.name, Cautious)
    assert agents()["cautious"] == "plays the last legal move"
    assert agent("cautious(patience=5)").values == {"patience": 5}
    assert [option.name for option in agent_options("cautious")] == ["patience", "notes"]
    settings = Settings(store=str(tmp_path / "store.sqlite"), tree_nodes=100)
    (facts,) = (one for one in make_catalog(settings).agents if one.name == "cautious")
    (patience,) = facts.options  # visitors cannot set options that are folders
    assert (patience.kind, patience.default, patience.minimum, patience.maximum) == ("integer", "3", 1, 100)
    assert patience.allowed == "an integer between 1 and 100"
    check_spec(parse_spec("cautious(patience=100)"), settings)
    with pytest.raises(ParseError, match="patience must be an integer between 1 and 100, got 101"):
        check_spec(parse_spec("cautious(patience=101)"), settings)
    with pytest.raises(ParseError, match="notes must be a name, not a file"):
        check_spec(parse_spec("cautious(notes=here)"), settings)
