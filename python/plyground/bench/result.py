"""What a measure found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plyground.bench.clock import Speed


@dataclass(frozen=True)
class Result:
    """One measure of one game, beside a peer or alone."""

    measure: str
    game: str
    ours: Speed
    peer: str | None = None
    theirs: Speed | None = None
    details: Mapping[str, float | str] = field(default_factory=dict)
    """What else the measure tells, by name."""

    @property
    def ratio(self) -> float | None:
        """Our units in a CPU second over the peer's."""
        return self.ours.per_second / self.theirs.per_second if self.theirs else None

    def to_json(self) -> dict[str, float | str | None]:
        """One flat object."""
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
