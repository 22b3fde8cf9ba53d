"""Training metadata in the headers of weights and network files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from plyground.errors import WeightsError


class Trained(Protocol):
    """What records how it was trained."""

    @property
    def method(self) -> str:
        """The learning method."""

    @property
    def games(self) -> int:
        """Number of training games."""

    @property
    def seed(self) -> int:
        """The seed of the training."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of the method."""

    @property
    def description(self) -> str:
        """One line for lists."""

    @property
    def date(self) -> str:
        """ISO 8601 date."""

    @property
    def rating(self) -> Mapping[str, float]:
        """Result of a match."""


def format_metadata(trained: Trained) -> str:
    """Return the metadata as the header field ``made``."""
    return json.dumps(
        {
            "method": trained.method,
            "games": trained.games,
            "seed": trained.seed,
            "settings": dict(trained.settings),
            "description": trained.description,
            "date": trained.date,
            "rating": dict(trained.rating),
        }
    )


def read_metadata(header: Mapping[str, str]) -> dict[str, Any]:
    """Parse and check the header field ``made``; return the fields by name.

    >>> read_metadata({"made": '{"method": "td", "games": 300}'})["games"]
    300
    """
    try:
        made = json.loads(header.get("made", "{}"))
        return {
            "method": str(made.get("method", "hand")),
            "games": int(made.get("games", 0)),
            "seed": int(made.get("seed", 0)),
            "settings": dict(made.get("settings", {})),
            "description": str(made.get("description", "")),
            "date": str(made.get("date", "")),
            "rating": {str(name): float(number) for name, number in made.get("rating", {}).items()},
        }
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        raise WeightsError(
            "the header field 'made' is invalid: expected method, games, seed, settings, date, rating"
        ) from None
