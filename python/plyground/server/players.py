"""Who plays: texts of visitors made into agents, within bounds.

A text is a level of the game, the spec of an agent, or `checkpoint RUN/STEP` of a training run. Visitors are strangers:
a spec must name no file, and what it may spend is bounded.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from plyground._engine import Position
from plyground.agents import Agent, Analysis, Limit, agent, pick
from plyground.agents.agent import Report
from plyground.errors import ParseError, UnknownNameError
from plyground.learn.checkpoints import weights_name
from plyground.levels import Level, levels
from plyground.server.settings import Settings
from plyground.spec import Spec, parse_spec
from plyground.weights import load

CHECKPOINT = re.compile(r"checkpoint (\d{1,15})(?:/(\d{1,15}))?")
CHECKPOINT_DEPTH = 5
"""Plies that an opponent with learned weights looks ahead."""


@lru_cache(maxsize=256)
def levels_of(game: str) -> tuple[Level, ...]:
    """The levels of a game; their file is read once."""
    return tuple(levels(game))


def level_of(game: str, text: str) -> Level | None:
    """The level that a text names."""
    wanted = text.strip().lower()
    return next((one for one in levels_of(game) if one.name.lower() == wanted), None)


@dataclass
class Player:
    """An agent with its limit and temperature, ready to be asked."""

    text: str
    agent: Agent
    limit: Limit
    temperature: float = 0.0
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def think(self, position: Position, limit: Limit, seed: int, report: Report = None) -> Analysis:
        """What it thinks under its own limit, or a given one; the choice follows its temperature.

        A second thread waits until the first, which should have been stopped, has ended: there is one tree.
        """
        with self._turn:
            analysis = self.agent.analyse(position, limit.over(self.limit), seed=seed, report=report)
        if self.temperature == 0:
            return analysis
        chosen = pick(analysis, self.temperature, seed)
        return replace(analysis, choice=[move.move for move in analysis.moves].index(chosen))

    def stop(self) -> None:
        """Make a search in another thread end with what it has."""
        stop = getattr(self.agent, "stop", None)
        if stop is not None:
            stop()


class Players:
    """Makes players from texts."""

    def __init__(self, settings: Settings, latest: Callable[[int], int]) -> None:
        """`latest` gives the step of the last checkpoint of a training run."""
        self._settings = settings
        self._latest = latest

    def player(self, game: str, text: str, *, reuse: bool = False) -> Player:
        """The player of a text; with `reuse` a tree search keeps its tree from one position to the next."""
        level = level_of(game, text)
        if level is not None:
            return Player(level.name, agent(level.spec), level.limit, level.temperature)
        if (found := self.checkpoint(game, text)) is not None:
            return Player(text.strip(), agent(str(found[1])), Limit())
        try:
            spec = self.checked(text)
            kept = spec.options.get("reuse", "true") if reuse and spec.name == "mcts" else None
            made = agent(str(Spec(spec.name, {**spec.options, "reuse": kept}) if kept else spec))
        except UnknownNameError as error:
            names = ", ".join(one.name for one in levels_of(game))
            raise UnknownNameError(f"{error}; and levels: {names}") from error
        return Player(str(spec), made, Limit())

    def checkpoint(self, game: str, text: str) -> tuple[str, Spec] | None:
        """Of `checkpoint RUN/STEP`, the whole text and the agent that plays with what was learned; None of others."""
        named = CHECKPOINT.fullmatch(text.strip())
        if named is None:
            return None
        run = int(named[1])
        step = self._latest(run) if named[2] is None else int(named[2])
        weights = weights_name(run, step)
        load(weights, game)  # an error where there are none, or of another game
        spec = Spec("alphabeta", {"weights": weights, "depth": str(CHECKPOINT_DEPTH)})
        return f"checkpoint {run}/{step}", spec

    def checked(self, text: str) -> Spec:
        """The spec of a text, if a stranger may have it."""
        spec = parse_spec(text)
        bounds = {
            "threads": os.cpu_count() or 1,
            "workers": os.cpu_count() or 1,
            "mebibytes": self._settings.search_mebibytes,
            "batch": 4096,
        }
        for key, value in spec.options.items():
            if key == "folder" or "/" in value or value.endswith(".safetensors"):
                raise ParseError(f"option {key}={value[:80]!r}: here accepted are names, not files")
            if key in bounds and (not value.isdecimal() or not 1 <= int(value[:20]) <= bounds[key]):
                raise ParseError(
                    f"option {key}={value[:80]!r}: here accepted is a whole number from 1 to {bounds[key]}"
                )
            if value.endswith(")") or key in ("evaluator", "otherwise"):
                self.checked(value)
        return spec
