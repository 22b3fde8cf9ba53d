"""Players of matches and tournaments: names, specs and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plyground._engine import Game
from plyground.agents import Agent
from plyground.agents.registry import resolve
from plyground.arena.executors import Executor, SerialExecutor
from plyground.arena.roster import Entrant, check_entrants, entrants
from plyground.arena.workers import LocalExecutor
from plyground.errors import ParseError, PlygroundError
from plyground.levels import LevelAgent, level_names
from plyground.spec import parse_spec
from plyground.user_games import registered

Player = str | Agent
"""A level, a preset, an agent spec, ``NAME=`` followed by one of these, or an agent."""

MAX_PROCESSES = 1024


def parse_players(game: Game, given: Sequence[Player] | Mapping[str, Player]) -> tuple[list[Entrant], dict[int, Agent]]:
    """Return the entrants, and the players that were given as agents, keyed by entrant index.

    The name of an agent is its spec, unless the caller names it in a mapping. Names must be unique.
    """
    found: list[Entrant] = []
    agents: dict[int, Agent] = {}
    for name, one in given.items() if isinstance(given, Mapping) else ((None, player) for player in given):
        if isinstance(one, Agent):
            agents[len(found)] = one
            found.append(Entrant(one.spec if name is None else name, one.spec))
        else:
            (entrant,) = entrants(game.spec, [one])
            found.append(entrant if name is None else Entrant(name, entrant.spec))
    check_entrants(found, unique_specs=not agents)
    return found, agents


def make_executor(game: Game, agents: Mapping[int, Agent], processes: int) -> Executor:
    """Return an executor; several processes require agents and a game that other processes can create."""
    if not 1 <= processes <= MAX_PROCESSES:
        raise ParseError(f"processes must be between 1 and {MAX_PROCESSES}, got {processes}")
    if processes == 1:
        return SerialExecutor(agents)
    if game.id in registered():
        raise ParseError(f"the game {game.id} is registered in this process only; use processes=1")
    for agent in agents.values():
        if not is_portable(agent):
            raise ParseError(f"the agent {agent.spec} exists in this process only; use processes=1")
    return LocalExecutor(processes)


def is_portable(agent: Agent) -> bool:
    """Whether the spec of an agent creates an equal agent in another process.

    >>> import plyground as pg
    >>> is_portable(pg.agent("mcts")), is_portable(pg.agent("mcts", evaluator=lambda positions: ([], None)))
    (True, False)
    """
    if isinstance(agent, LevelAgent):
        return agent.spec in level_names()
    try:
        kind, _ = resolve(parse_spec(agent.spec))
    except PlygroundError:
        return False
    return kind is type(agent) and all(isinstance(value, str | int | float) for value in agent.values.values())
