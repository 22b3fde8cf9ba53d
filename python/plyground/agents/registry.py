"""The list of agents. To add an agent, write a module and add its class here.

>>> agent("mcts", simulations=800, c=1.4).spec
'mcts(simulations=800, c=1.4)'
>>> agent("flat(playouts=20)").spec
'flat(playouts=20)'
"""

from __future__ import annotations

from typing import Any

from plyground._engine import Game
from plyground.agents.agent import Agent
from plyground.agents.alphabeta import AlphaBetaAgent, MinimaxAgent
from plyground.agents.committee import CommitteeAgent
from plyground.agents.flat import FlatAgent
from plyground.agents.mcts import MctsAgent
from plyground.agents.network import DqnAgent, NetworkAgent
from plyground.agents.options import Option, format_value
from plyground.agents.plain import PlainFlatAgent, PlainMctsAgent, PlainMinimaxAgent
from plyground.agents.presets import presets
from plyground.agents.qlearning import QLearningAgent
from plyground.agents.random import RandomAgent
from plyground.agents.solver import SolverAgent
from plyground.agents.syzygy import SyzygyAgent
from plyground.agents.tables import TablesAgent
from plyground.agents.uci import UciAgent
from plyground.errors import UnknownNameError, did_you_mean
from plyground.spec import Spec, parse_spec

AGENTS: dict[str, type[Agent]] = {
    kind.name: kind
    for kind in (
        MctsAgent,
        AlphaBetaAgent,
        FlatAgent,
        RandomAgent,
        MinimaxAgent,
        NetworkAgent,
        DqnAgent,
        QLearningAgent,
        SolverAgent,
        TablesAgent,
        SyzygyAgent,
        CommitteeAgent,
        UciAgent,
        PlainMctsAgent,
        PlainFlatAgent,
        PlainMinimaxAgent,
    )
}
"""The class of each agent by name."""


def agent(spec: str, **options: Any) -> Agent:
    """Create the agent or preset that a spec names; keyword arguments override options of the spec.

    Unknown names and options raise `UnknownNameError`.
    """
    name = spec.partition("(")[0].strip()
    if any(map(str.isalnum, name)) and name not in AGENTS and name not in presets():
        raise unknown_agent(name)
    parsed = parse_spec(spec)
    kind, given = resolve(parsed)
    made = kind(**{**given, **options})
    if parsed.name != kind.name:  # a preset keeps its own name
        made.spec = str(Spec(parsed.name, {**parsed.options, **{key: format_value(options[key]) for key in options}}))
    return made


def resolve(spec: Spec) -> tuple[type[Agent], dict[str, str]]:
    """Return the class and the options of a spec, including those of the preset that it names."""
    if spec.name in AGENTS:
        return AGENTS[spec.name], spec.options
    preset = presets().get(spec.name)
    if preset is None:
        raise unknown_agent(spec.name)
    kind, options = resolve(parse_spec(preset.agent))
    return kind, {**options, **spec.options}


def unknown_agent(name: str, levels: tuple[str, ...] = ()) -> UnknownNameError:
    """Return the error for a name that is not an agent, preset or level."""
    suggestion = did_you_mean(name, [*AGENTS, *presets(), *levels])
    kinds = {"available": AGENTS, "presets": presets(), "levels": levels}
    lists = (f"{kind}: {', '.join(names)}" for kind, names in kinds.items() if names)
    return UnknownNameError(f"unknown agent {name[:80]!r}{suggestion}; {'; '.join(lists)}")


def agents() -> dict[str, str]:
    """Return the descriptions of all agents, by name."""
    return {name: kind.description for name, kind in AGENTS.items()}


def learners(game: Game) -> list[str]:
    """Return the names of the learned agents that have a file for a game."""
    return [name for name, kind in AGENTS.items() if kind.is_learned and kind().can_play(game)]


def agent_options(name: str) -> tuple[Option, ...]:
    """Return the options of an agent."""
    return resolve(Spec(name))[0].options
