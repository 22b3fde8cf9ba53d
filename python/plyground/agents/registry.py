"""THE list of agents. A new agent is a file and a line here.

>>> agent("random").spec
'random'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground.agents import alphabeta, mcts, solver, syzygy, tables
from plyground.agents.agent import Agent
from plyground.agents.alphabeta import AlphaBetaAgent, MinimaxAgent
from plyground.agents.flat import FlatAgent
from plyground.agents.mcts import MctsAgent
from plyground.agents.plain import PlainFlatAgent, PlainMctsAgent, PlainMinimaxAgent
from plyground.agents.random import RandomAgent
from plyground.agents.solver import SolverAgent
from plyground.agents.syzygy import SyzygyAgent
from plyground.agents.tables import TablesAgent
from plyground.errors import UnknownNameError
from plyground.spec import parse_spec


@dataclass(frozen=True)
class Entry:
    """An agent before its options are chosen."""

    make: Callable[..., Agent]
    about: str
    options: tuple[str, ...] = ()


AGENTS: dict[str, Entry] = {
    "random": Entry(RandomAgent, "plays any legal move"),
    "mcts": Entry(MctsAgent, "Monte Carlo Tree Search", (*mcts.OWN, *mcts.TUNABLES)),
    "flat": Entry(FlatAgent, "tries every move by random games and keeps no tree", ("playouts",)),
    "plain-mcts": Entry(PlainMctsAgent, "mcts in plain Python", ("simulations", "c", "playout_plies")),
    "plain-flat": Entry(PlainFlatAgent, "flat in plain Python", ("playouts",)),
    "plain-minimax": Entry(PlainMinimaxAgent, "minimax and alpha-beta in plain Python", ("depth", "pruning")),
    "alphabeta": Entry(AlphaBetaAgent, "alpha-beta search", (*alphabeta.OWN, *alphabeta.SWITCHES)),
    "tables": Entry(
        lambda **options: TablesAgent(agent, **options),
        "perfect in endings of checkers that the tables know",
        tuple(tables.OWN),
    ),
    "syzygy": Entry(
        lambda **options: SyzygyAgent(agent, **options),
        "perfect in endings of chess that a folder of Syzygy files knows",
        tuple(syzygy.OWN),
    ),
    "minimax": Entry(MinimaxAgent, "minimax of a fixed depth, to learn from", alphabeta.TEACHING),
    "solver": Entry(SolverAgent, "perfect play of Connect Four and small tic-tac-toe", solver.OPTIONS),
}


def agent(spec: str) -> Agent:
    """The agent that a spec names; unknown names and options are errors that list the known ones."""
    parsed = parse_spec(spec)
    entry = AGENTS.get(parsed.name)
    if entry is None:
        raise UnknownNameError(f"no agent is called {parsed.name!r}; there are: {', '.join(AGENTS)}")
    for key in parsed.options:
        if key not in entry.options:
            known = ", ".join(entry.options) or "none"
            raise UnknownNameError(f"agent {parsed.name} has no option {key!r}; it has: {known}")
    return entry.make(**parsed.options)


def agents() -> dict[str, str]:
    """The name of every agent and one line about it."""
    return {name: entry.about for name, entry in AGENTS.items()}
