"""Levels: named agents with a limit, a temperature and a measured rating.

>>> [level.name for level in levels("checkers")]
['Easy', 'Medium', 'Hard', 'Expert', 'Master']
>>> level("checkers", "medium").limit
Limit(simulations=50, seconds=None, depth=None, mebibytes=None, nodes=None)
"""

from __future__ import annotations

import functools
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from plyground._engine import Position, Search
from plyground.agents import Agent, Analysis, Budget, Limit, pick
from plyground.agents import agent as agent_by_spec
from plyground.agents.analysis import GameResult
from plyground.agents.presets import presets
from plyground.agents.registry import AGENTS, unknown_agent
from plyground.errors import ParseError, unknown_name
from plyground.spec import parse_spec

LEVELS_VARIABLE = "PLYGROUND_LEVELS"
"""Environment variable with the path of a user's level file."""
SYZYGY_SUFFIX = " with Syzygy"
"""Suffix of the name of a level that plays chess endgames from Syzygy tablebases."""
MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True)
class Level:
    """A named player: an agent, its limit, and the temperature of its move choice."""

    name: str
    spec: str
    limit: Limit
    temperature: float = 0.0
    games: tuple[str, ...] | None = None
    """Ids of the games that have this level; None means every game."""
    rating: float | None = None
    """Measured Elo rating on the scale of its game; None if it was not measured."""
    low: float | None = None
    """Lower bound of the 95% confidence interval of the rating."""
    high: float | None = None
    """Upper bound of the 95% confidence interval of the rating."""


class LevelAgent(Agent):
    """A level as an agent: its best move is picked with the level's temperature.

    A level can use a different agent in each game: an agent named Master plays at the Master level of every game.
    """

    name = "level"
    description = "a level"
    can_restrict_moves = True

    def __init__(self, name: str, of_game: Callable[[str], Level]) -> None:
        """`of_game` returns the level for a game spec."""
        super().__init__()
        self.spec = name
        self._of_game = of_game
        self._agents: dict[str, Agent] = {}
        """The agents used so far, by spec."""
        self._last: Agent | None = None

    def of(self, game: str) -> tuple[Level, Agent]:
        """Return the level of a game and its agent."""
        level = self._of_game(game)
        if level.spec not in self._agents:
            self._agents[level.spec] = agent_by_spec(level.spec)
        return level, self._agents[level.spec]

    @property
    def tree(self) -> Search | None:
        """The tree of the agent that was used last."""
        return None if self._last is None else self._last.tree

    def clear(self) -> None:
        """Free the memory of the level's agents."""
        for inner in self._agents.values():
            inner.clear()

    def report_result(self, result: GameResult) -> None:
        """Pass the result on to the level's agents."""
        for inner in self._agents.values():
            inner.report_result(result)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        level, inner = self.of(position.game.spec)
        self._last, self.runs_python = inner, inner.runs_python
        limit = budget.limit.or_default(level.limit)
        inner_budget = Budget(limit, report=budget.report, moves=budget.moves)
        return with_temperature(inner.analyse(position, inner_budget, seed=seed), level.temperature, seed)


def with_temperature(analysis: Analysis, temperature: float, seed: int) -> Analysis:
    """Return the analysis with its best move picked at a temperature."""
    if temperature == 0:
        return analysis
    chosen = pick(analysis, temperature, seed)
    return analysis.with_best([move.move for move in analysis.moves].index(chosen))


def agent(spec: str, **options: Any) -> Agent:
    """Create a player: a level, a preset or an agent, by name or as a spec; keyword arguments set options.

    >>> agent("Hard").spec, agent("flat", playouts=20).spec
    ('Hard', 'flat(playouts=20)')
    """
    names = {name.lower(): name for name in level_names()}
    found = names.get(spec.strip().lower())
    if found is not None:
        if options:
            raise ParseError(f"the level {found} has no options; use its agent, such as {level_spec(found)}")
        return LevelAgent(found, lambda game: level(game, found))
    if "(" not in spec and _is_misspelt(spec):
        raise unknown_agent(spec.strip(), tuple(names.values()))
    return agent_by_spec(spec, **options)


def player(game: str, text: str, *, syzygy: Path | None = None) -> Agent:
    """Return the player that a string names: a level of the game, a preset or an agent.

    With `syzygy`, a folder of tablebases, the player uses them for chess endgames, and a level gets the spec
    ``Hard with Syzygy``. That spec can only be used with a folder.

    >>> player("chess", "Hard").spec, player("chess", "random").spec
    ('Hard', 'random')
    """
    text, suffix, _ = text.strip().partition(SYZYGY_SUFFIX)
    by_name = {level.name.lower(): level for level in levels(game)}
    found = by_name.get(text.lower())
    if suffix and syzygy is None:
        raise ParseError(f"{text}{SYZYGY_SUFFIX} requires the tablebases: use --syzygy FOLDER")
    if syzygy is not None:
        text = _with_syzygy(game, text if found is None else found.spec, syzygy)
    if found is not None:
        chosen = found if syzygy is None else replace(found, name=found.name + SYZYGY_SUFFIX, spec=text)
        level_agent = LevelAgent(chosen.name, lambda _: chosen)
        _, inner = level_agent.of(game)  # so that it receives results reported before its first move
        level_agent.default_limit, level_agent.runs_python = chosen.limit, inner.runs_python
        level_agent.uses_registered_evaluator = inner.uses_registered_evaluator
        return level_agent
    if "(" not in text and _is_misspelt(text):
        raise unknown_agent(text, tuple(level.name for level in by_name.values()))
    return agent_by_spec(text)


def _is_misspelt(name: str) -> bool:
    return name.strip() not in AGENTS and name.strip() not in presets()


def level_names() -> list[str]:
    """Return the names of the levels of all games."""
    return list(dict.fromkeys(level.name for level in [*_shipped()[0], *_user_levels()]))


def level_spec(name: str) -> str:
    """Return the agent spec of the first level with this name."""
    return next(level.spec for level in [*_shipped()[0], *_user_levels()] if level.name == name)


def levels(game: str) -> list[Level]:
    """Return the levels of a game (a spec), weakest first; a user's levels replace built-in ones with the same name."""
    spec = parse_spec(game)
    found: dict[str, Level] = {}
    shipped, ratings = _shipped()
    # Ratings were measured with the default options of each game.
    measured = {} if spec.options else ratings.get(spec.name, {})
    for level in shipped:
        if level.games is None or spec.name in level.games:
            rating, low, high = measured.get(level.name, (None, None, None))
            found[level.name.lower()] = replace(level, rating=rating, low=low, high=high)
    for level in _user_levels():
        if level.games is None or spec.name in level.games:
            found[level.name.lower()] = level
    return list(found.values())


def level(game: str, name: str) -> Level:
    """Return the level of a game with this name, ignoring case."""
    by_name = {level.name.lower(): level for level in levels(game)}
    if name.lower() not in by_name:
        raise unknown_name("level", name, [level.name for level in by_name.values()], scope=f"for {game}")
    return by_name[name.lower()]


def _with_syzygy(game: str, spec: str, folder: Path) -> str:
    """Return the spec of an agent that plays endgames from a folder of tablebases, which must exist."""
    if parse_spec(game).name != "chess":
        raise ParseError(f"Syzygy tablebases are for chess, not {game}")
    from plyground.exact.syzygy import open_syzygy

    open_syzygy(folder)
    parsed = parse_spec(spec)
    if parsed.name == "syzygy":
        return str(replace(parsed, options={**parsed.options, "folder": str(folder)}))
    return f"syzygy(folder={folder}, fallback={parsed})"


@functools.cache
def _shipped() -> tuple[list[Level], dict[str, Any]]:
    """Return the built-in levels, and their ratings by game and name."""
    data = tomllib.loads(resources.files("plyground").joinpath("levels.toml").read_text(encoding="utf-8"))
    return [_make_level(entry) for entry in data["level"]], data["ratings"]


def _user_levels() -> list[Level]:
    path = os.environ.get(LEVELS_VARIABLE)
    if not path:
        return []
    file = Path(path)
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise ParseError(f"{path}: must be at most {MAX_FILE_BYTES:,} bytes")
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ParseError(f"{path}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ParseError(f"{path}: cannot read the level file set in {LEVELS_VARIABLE}: {error}") from error
    from plyground.levels_file import check_levels

    check_levels(data, path)
    return [_make_level(entry) for entry in data.get("level", [])]


def _make_level(entry: Mapping[str, Any]) -> Level:
    games = entry.get("games")
    return Level(
        entry["name"],
        entry["agent"],
        Limit(entry.get("simulations"), entry.get("seconds"), entry.get("depth"), entry.get("mebibytes")),
        float(entry.get("temperature", 0.0)),
        None if games is None else tuple(games),
        entry.get("rating"),
        entry.get("low"),
        entry.get("high"),
    )
