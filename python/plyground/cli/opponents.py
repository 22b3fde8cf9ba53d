"""The agents that played one side of a game, if the opponent was changed during the game."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from plyground.records import HUMAN, Record

HEADER = "Opponents"
"""Name of the record header that lists the opponents, if there was more than one."""
_ENTRY = re.compile(r"(.+?) from ply ([0-9]{1,6})(?:; |$)")


@dataclass
class Opponents:
    """The opponents in a game and the ply, counted from 0, from which each of them played.

    >>> opponents = Opponents()
    >>> for ply, agent in ((1, "Medium"), (3, "Medium"), (5, "Hard")):
    ...     opponents.add(ply, agent)
    >>> opponents.headers()
    {'Opponents': 'Medium from ply 1; Hard from ply 5'}
    """

    since: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record, side: str) -> Opponents:
        """Return the opponents that played a side of a recorded game."""
        found = cls({int(ply): agent for agent, ply in _ENTRY.findall(record.headers.get(HEADER, ""))})
        if not found.since and record.players.get(side) not in (None, HUMAN):
            last = record.to_position()
            first = next((ply for ply in range(last.ply) if last.replay(ply).turn == side), None)
            if first is not None:
                found.add(first, record.players[side])
        return found

    def add(self, ply: int, agent: str) -> None:
        """Record that an agent played the move at a ply."""
        if agent != self.last:
            self.since[ply] = agent

    def undo(self, ply: int) -> None:
        """Forget the moves at a ply and later."""
        self.since = {start: agent for start, agent in self.since.items() if start < ply}

    @property
    def last(self) -> str | None:
        """The agent that played last; None if no agent has moved."""
        return self.since[max(self.since)] if self.since else None

    def headers(self) -> dict[str, str]:
        """Return the header for the record; empty unless the opponent was changed."""
        if len(self.since) < 2:
            return {}
        return {HEADER: "; ".join(f"{agent} from ply {ply}" for ply, agent in sorted(self.since.items()))}
