"""Presets: named agents with options and a description, listed in ``presets.toml``.

>>> presets()["flat-100"].agent
'flat(playouts=100)'
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Preset:
    """A named agent with options."""

    name: str
    agent: str
    """The spec of the agent."""
    description: str
    games: tuple[str, ...] | None = None
    """Ids of the games that the preset is meant for; None means every game."""


@functools.cache
def presets() -> Mapping[str, Preset]:
    """Return the presets by name."""
    data = tomllib.loads(resources.files("plyground").joinpath("presets.toml").read_text(encoding="utf-8"))
    found = {}
    for entry in data["preset"]:
        games = entry.get("games")
        found[entry["name"]] = Preset(
            entry["name"], entry["agent"], entry["description"], None if games is None else tuple(games)
        )
    return found
