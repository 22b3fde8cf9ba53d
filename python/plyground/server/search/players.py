"""Players by name: levels, agent specs, and checkpoints of training runs.

Specs come from untrusted visitors, so they may not name files, and their resources are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from math import inf

from plyground._engine import Game
from plyground.agents import Agent, agent
from plyground.agents.mcts import MctsAgent
from plyground.agents.options import Option, parse_options
from plyground.agents.registry import AGENTS, resolve
from plyground.errors import ParseError, UnknownNameError
from plyground.levels import Level, levels
from plyground.review import reviewer_spec
from plyground.server.settings import Settings
from plyground.server.workers.agents import Recipe, WorkerAgent
from plyground.server.workers.pool import WorkerPool
from plyground.spec import Spec, parse_spec
from plyground.user_games import registered

DEFAULT_LEVEL = "Medium"
"""Opponent of a visitor who does not choose one."""
CHECKPOINT = re.compile(r"checkpoint (\d{1,15})(?:/(\d{1,15}))?")


@lru_cache(maxsize=256)
def game_levels(game: str) -> tuple[Level, ...]:
    """Return the levels of a game; cached, because each call to `levels` reads a file."""
    return tuple(levels(game))


def find_level(game: str, name: str) -> Level | None:
    """Return the level with this name, ignoring case."""
    key = name.strip().lower()
    return next((level for level in game_levels(game) if level.name.lower() == key), None)


def names_file(value: str) -> bool:
    """Whether an option value looks like a file path."""
    return "/" in value or "\\" in value or value.endswith(".safetensors")


class PlayerFactory:
    """Creates players from their names."""

    def __init__(
        self, settings: Settings, workers: WorkerPool, checkpoint: Callable[[str, int, int | None], tuple[int, Spec]]
    ) -> None:
        """`checkpoint` returns the step and the agent of a checkpoint, given a game, a training run and a step."""
        self._settings = settings
        self._workers = workers
        self._checkpoint = checkpoint

    def make(self, game: str, text: str, *, reuse_tree: bool = False) -> Agent:
        """Return the agent a string describes; with `reuse_tree`, MCTS keeps its tree between positions.

        Agents that execute Python code, and all agents in user games, run in worker processes.
        """
        level = find_level(game, text)
        if level is not None:
            return self._place(Recipe(game, level.name), level.name)
        if (checkpoint := self.checkpoint(game, text)) is not None:
            return self._place(Recipe(game, str(checkpoint[1])), checkpoint[0])
        try:
            spec = parse_spec(text)
            kind = check_spec(spec, self._settings)
        except UnknownNameError as error:
            names = ", ".join(level.name for level in game_levels(game))
            raise UnknownNameError(f"{error}; available levels: {names}") from error
        reuse = (("reuse", "true"),) if reuse_tree and kind is MctsAgent and "reuse" not in spec.options else ()
        return self._place(Recipe(game, text, reuse), agent(text).spec)

    def reviewer(self, game: Game, lines: int = 1) -> Agent:
        """Return the agent that evaluates positions of a game for hints, the coach and reviews.

        At least the best `lines` moves have values of their own rather than bounds.
        """
        return self._place(Recipe(game.spec, reviewer_spec(game, lines)))

    def _place(self, recipe: Recipe, shown: str | None = None) -> Agent:
        """Create an agent, in a worker process if it may block; `shown` is its name for visitors."""
        made = recipe.create()
        is_user_game = parse_spec(recipe.game).name in registered()
        if is_user_game or made.runs_python:
            needs_registration = is_user_game or made.uses_registered_evaluator
            if self._settings.prepare is not None or not needs_registration:
                made = WorkerAgent(self._workers, recipe)
        if shown is not None:
            made.spec = shown
        return made

    def checkpoint(self, game: str, text: str) -> tuple[str, Spec] | None:
        """Return the full name of `checkpoint RUN[/STEP]` and its agent spec; None for other strings."""
        match = CHECKPOINT.fullmatch(text.strip())
        if match is None:
            return None
        step, spec = self._checkpoint(game, int(match[1]), None if match[2] is None else int(match[2]))
        return f"checkpoint {int(match[1])}/{step}", spec


def check_spec(spec: Spec, settings: Settings) -> type[Agent]:
    """Return the class of a visitor's agent.

    Raise if visitors may not use the agent, or if an option names a file or exceeds its maximum for visitors.
    """
    kind, given = resolve(spec)
    if not kind.for_visitors:
        raise ParseError(f"agent {kind.name} is not available on a server, because it runs a program of the computer")
    for name, value in parse_options(kind.name, kind.options, given).items():
        option = next(option for option in kind.options if option.name == name)
        check_option(option, value, settings)
    return kind


def check_option(option: Option, value: object, settings: Settings) -> None:
    """Raise `ParseError` if a visitor may not use this value of an option."""
    if option.kind == "folder" or (option.kind in ("weights", "network") and names_file(str(value))):
        raise ParseError(f"{option.name} must be a name, not a file, got {str(value)[:80]!r}")
    maximum = visitor_maximum(option, settings)
    if isinstance(value, int | float) and value > maximum:
        noun = "an integer " if option.kind == "integer" else ""
        raise ParseError(f"{option.name} must be {noun}between {option.minimum:g} and {maximum:g}, got {value}")
    for member in value if isinstance(value, tuple) else ():
        check_spec(parse_spec(member), settings)
    if option.kind in ("agent", "evaluator") and isinstance(value, str):
        spec = parse_spec(value)
        if option.kind == "agent" or spec.options or spec.name in AGENTS:
            check_spec(spec, settings)


def visitor_maximum(option: Option, settings: Settings) -> float:
    """Return the largest number that a visitor may request for an option."""
    setting = getattr(settings, option.visitor_setting) if option.visitor_setting else inf
    return min(option.maximum, float(setting))
