"""Perfect play of chess endings where a folder of Syzygy files knows them; another agent everywhere else.

Perfect means: no won ending is drawn or lost and no drawn one lost, the 50-move rule counted. The way to a win is the
one with the next capture, pawn move or mate soonest, which is seldom the shortest to the mate itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plyground._engine import Position
from plyground.agents.agent import Agent, known_by
from plyground.agents.endings import LIMITS, Certain, EndingsAgent

if TYPE_CHECKING:
    from plyground.exact.syzygy import Syzygy

OWN = {
    "otherwise": "the agent that plays where the files do not know (alphabeta)",
    "folder": "where the files are (the folder that PLYGROUND_SYZYGY names)",
    **LIMITS,
}
"""Options of the agent."""

_FAR = 1000
"""More plies than any file counts."""


class SyzygyAgent(EndingsAgent):
    """The next step of the quickest win, the longest resistance; of draws one in which the other side can err most."""

    def __init__(self, make: Callable[[str], Agent], **options: str) -> None:
        """`make` makes the other agent from its spec."""
        super().__init__("syzygy", "alphabeta", make, options)
        self._folder = Path(options["folder"]) if "folder" in options else None

    def judge(self, position: Position) -> list[Certain] | None:
        """What the files know of every move; under other draw rules than theirs, nothing."""
        if position.game.spec != "chess":
            return None
        from plyground.exact.syzygy import NotInFilesError, open_syzygy

        files = open_syzygy(self._folder)
        try:
            files.probe(position.text)
            return [_certain(files, position, move) for move in position.moves]
        except NotInFilesError:
            return None


def _certain(files: Syzygy, position: Position, move: str) -> Certain:
    after = position.play(move)
    if (outcome := after.outcome) is not None:
        known, _ = known_by({"winner": outcome.winner, "distance": 0}, position.turn)
        return Certain(known or "draw", 1, 0)
    ending = files.probe(after.text)
    # A capture or pawn move begins the count anew, so all such moves are as near; those nearer to the next one lead.
    anew = after.text.split()[4] == "0"
    plies = _FAR + ending.plies if anew else _FAR * (ending.plies + 1)
    if ending.value != "draw":
        return Certain("win", rank=-plies) if ending.value == "loss" else Certain("loss", rank=plies)
    # A win or loss that only the 50-move rule makes a draw: the side that would win tries on, the other one holds out.
    far = _FAR * _FAR
    return Certain("draw", rank=far - plies if ending.wdl < 0 else plies - far if ending.wdl > 0 else 0)
