"""Agents that another agent uses, in order of preference."""

from __future__ import annotations

from collections.abc import Iterable

from plyground._engine import Game
from plyground.agents.agent import Agent


def make_agents(specs: Iterable[str]) -> list[Agent]:
    """Create agents by their specs."""
    from plyground.agents.registry import agent  # avoids a circular import

    return [agent(spec) for spec in specs]


def able(members: Iterable[Agent], game: Game) -> list[Agent]:
    """Return the agents that can play a game.

    >>> import plyground
    >>> [member.name for member in able(make_agents(["solver", "flat"]), plyground.game("chess"))]
    ['flat']
    """
    return [member for member in members if member.can_play(game)]


def first_able(members: Iterable[Agent], game: Game) -> Agent | None:
    """Return the first agent that can play a game; None if none can."""
    return next(iter(able(members, game)), None)
