"""Levels: named agents with a limit, for people who do not want to know about simulations.

>>> [level.name for level in levels("checkers")]
['Easy', 'Medium', 'Hard', 'Expert', 'Master']
>>> level("checkers", "medium").limit
Limit(simulations=50, seconds=None, depth=None, mebibytes=None)
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from plyground import _engine
from plyground._engine import Position
from plyground.agents import Agent, Analysis, Limit, agent, pick
from plyground.agents.agent import Report
from plyground.errors import ParseError, UnknownNameError
from plyground.spec import parse_spec

OWN_FILE = "PLYGROUND_LEVELS"
"""The environment variable that names a file of the user's own."""
WITH_SYZYGY = " with Syzygy"
"""What stands after the name of a level that plays chess endings by files."""
_NUMBERS = ("simulations", "seconds", "depth", "mebibytes", "temperature", "rating", "low", "high")
_KEYS = {"name", "agent", "games", *_NUMBERS}
_LARGEST = 1_000_000


@dataclass(frozen=True)
class Level:
    """A named way to play: an agent, when it stops, and how freely it picks among its moves."""

    name: str
    spec: str
    limit: Limit
    temperature: float = 0.0
    games: tuple[str, ...] | None = None
    """The ids of the games it is for; None: every game."""
    rating: float | None = None
    """Measured, in Elo points of its game; None where it was not."""
    low: float | None = None
    """The lower end of the rating's 95 % interval."""
    high: float | None = None


class LevelAgent:
    """A level as a player: its agent under its limit, picking by its temperature."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.spec = level.name
        self._agent = agent(level.spec)

    def analyse(self, position: Position, limit: Limit, *, seed: int, report: Report = None) -> Analysis:
        """What its agent thinks, under the level's limit where the caller sets none."""
        analysis = self._agent.analyse(position, limit.over(self.level.limit), seed=seed, report=report)
        chosen = pick(analysis, self.level.temperature, seed)
        return replace(analysis, choice=[move.move for move in analysis.moves].index(chosen))


def player(game: str, text: str, *, syzygy: Path | None = None) -> Agent:
    """Who a text names: a level of the game, or an agent by its spec; with chess endings by a folder of Syzygy files.

    A level that has such files is called so: ``Hard with Syzygy``. Without them nobody of that name can play.

    >>> player("chess", "Hard").spec, player("chess", "random").spec
    ('Hard', 'random')
    """
    text, with_files, _ = text.strip().partition(WITH_SYZYGY)
    known = {one.name.lower(): one for one in levels(game)}
    found = known.get(text.lower())
    if with_files and syzygy is None:
        raise ParseError(f"{text}{WITH_SYZYGY} needs the files: accepted is --syzygy FOLDER")
    if syzygy is not None:
        text = _with_syzygy(game, text if found is None else found.spec, syzygy)
    if found is not None:
        return LevelAgent(found if syzygy is None else replace(found, name=found.name + WITH_SYZYGY, spec=text))
    try:
        return agent(text)
    except UnknownNameError as error:
        if "(" in text:
            raise
        names = ", ".join(one.name for one in known.values())
        raise UnknownNameError(f"{error}; and levels: {names}") from error


def levels(game: str) -> list[Level]:
    """The levels of a game (a spec), weakest first; those of the user's own file replace ours of the same name."""
    spec = parse_spec(game)
    name = spec.name
    found: dict[str, Level] = {}
    shipped = resources.files("plyground").joinpath("levels.toml").read_text()
    measured = {} if spec.options else tomllib.loads(shipped).get("ratings", {}).get(name, {})
    for one in _read(shipped, "levels.toml"):
        if one.games is None or name in one.games:
            rating, low, high = measured.get(one.name, (None, None, None))
            found[one.name.lower()] = replace(one, rating=rating, low=low, high=high)
    for one in _own():
        if one.games is None or name in one.games:
            found[one.name.lower()] = one
    return list(found.values())


def level(game: str, name: str) -> Level:
    """One level of a game by its name, in any case of letters."""
    known = {one.name.lower(): one for one in levels(game)}
    if name.lower() not in known:
        raise UnknownNameError(f"{game} has no level {name!r}; it has: {', '.join(one.name for one in known.values())}")
    return known[name.lower()]


def _with_syzygy(game: str, spec: str, folder: Path) -> str:
    """The spec of an agent that plays endings by the files in a folder, which must be there, else as another one."""
    if parse_spec(game).name != "chess":
        raise ParseError(f"Syzygy files are for chess; {game} has none")
    from plyground.exact.syzygy import open_syzygy

    open_syzygy(folder)
    parsed = parse_spec(spec)
    if parsed.name == "syzygy":
        return str(replace(parsed, options={**parsed.options, "folder": str(folder)}))
    return f"syzygy(folder={folder}, otherwise={parsed})"


def _own() -> list[Level]:
    path = os.environ.get(OWN_FILE)
    if not path:
        return []
    file = Path(path)
    try:
        if file.stat().st_size > _LARGEST:
            raise ParseError(f"{path}: it is larger than {_LARGEST:,} bytes")
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ParseError(f"{path}: the file of levels that {OWN_FILE} names cannot be read: {error}") from error
    return _read(text, path)


def _read(text: str, source: str) -> list[Level]:
    try:
        entries = tomllib.loads(text).get("level", [])
    except tomllib.TOMLDecodeError as error:
        raise ParseError(f"{source}: {error}") from error
    if not isinstance(entries, list):
        raise ParseError(f"{source}: accepted is a list of [[level]] tables")
    return [_level(entry, f"{source}, level {number}") for number, entry in enumerate(entries, 1)]


def _level(entry: Mapping[str, Any], where: str) -> Level:
    def wrong(why: str) -> ParseError:
        return ParseError(f"{where}: {why}")

    if unknown := sorted(set(entry) - _KEYS):
        raise wrong(f"unknown key {unknown[0]!r}; accepted are {', '.join(sorted(_KEYS))}")
    for key in ("name", "agent"):
        if not isinstance(entry.get(key), str) or not entry[key]:
            raise wrong(f"{key} is missing; accepted is a text")
    for key in _NUMBERS:
        if isinstance(entry.get(key, 0), bool) or not isinstance(entry.get(key, 0), int | float):
            raise wrong(f"{key}={entry[key]!r}: accepted is a number")
    games = entry.get("games")
    if games is not None and (not isinstance(games, list) or not set(games) <= set(_engine.game_ids())):
        raise wrong(f"games={games!r}: accepted is a list of {', '.join(_engine.game_ids())}")
    try:
        agent(entry["agent"])
        limit = Limit(entry.get("simulations"), entry.get("seconds"), entry.get("depth"), entry.get("mebibytes"))
    except (ParseError, UnknownNameError) as error:
        raise wrong(str(error)) from error
    temperature = float(entry.get("temperature", 0.0))
    measured = (entry.get("rating"), entry.get("low"), entry.get("high"))
    return Level(entry["name"], entry["agent"], limit, temperature, None if games is None else tuple(games), *measured)
