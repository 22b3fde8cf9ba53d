"""The result of a measure."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from plyground.bench.timing import Speed
from plyground.errors import PlygroundError


def missing_peer(title: str, package: str) -> PlygroundError:
    """Return the error for a peer that is not installed, with the command that installs it for this interpreter."""
    command = shlex.join([sys.executable, "-m", "pip", "install", package])
    return PlygroundError(f"{title} is not installed; install it with: {command}")


@dataclass(frozen=True)
class Result:
    """The speed of one measure in one game, and of the peer if there is one."""

    measure: str
    game: str
    ours: Speed
    peer: str | None = None
    theirs: Speed | None = None
    details: Mapping[str, float | str] = field(default_factory=dict)
    """Additional figures by name."""

    @property
    def ratio(self) -> float | None:
        """Our units per CPU second divided by the peer's."""
        return self.ours.per_second / self.theirs.per_second if self.theirs else None

    def to_json(self) -> dict[str, float | str | None]:
        """Return the result as a flat JSON object."""
        theirs = self.theirs
        return {
            "measure": self.measure,
            "game": self.game,
            "peer": self.peer,
            "ours_per_second": self.ours.per_second,
            "peer_per_second": theirs.per_second if theirs else None,
            "ratio": self.ratio,
            "ours_wall_per_second": self.ours.wall_per_second,
            "peer_wall_per_second": theirs.wall_per_second if theirs else None,
            **self.details,
        }
