"""Plays chess endgames perfectly from Syzygy tablebases; a fallback agent plays all other positions.

Under the 50-move rule, the agent never turns a win into a draw or loss, nor a draw into a loss. When winning, it
minimises the distance to zeroing (DTZ), the plies to the next capture, pawn move or mate. This rarely gives the
shortest mate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground._engine import Position
from plyground.agents.analysis import proven_result
from plyground.agents.options import Option
from plyground.agents.tablebase import LIMIT_OPTIONS, ExactMove, TablebaseAgent

if TYPE_CHECKING:
    from plyground.exact.syzygy import Syzygy

_MAX_DTZ = 1000
"""Larger than any DTZ, in plies."""


class SyzygyAgent(TablebaseAgent):
    """Plays the win with the lowest DTZ, the loss with the highest, or the best draw (a cursed win, if possible)."""

    name = "syzygy"
    description = "plays chess endgames perfectly from Syzygy tablebases"
    games = ("chess",)
    default_fallback = "alphabeta"
    options = (
        Option("fallback", "agent", "agent for positions that the tablebases do not cover", default_fallback),
        Option("folder", "folder", "folder of the Syzygy files", "the environment variable PLYGROUND_SYZYGY"),
        *LIMIT_OPTIONS,
    )

    def exact_moves(self, position: Position) -> list[ExactMove] | None:
        """Probe every legal move; None if the tablebases do not cover a position or the game has other draw rules."""
        if position.game.spec != "chess":
            return None
        from plyground.exact.syzygy import NotInTablesError, open_syzygy

        syzygy = open_syzygy(self.folder)
        try:
            syzygy.probe(position.text)
            return [_exact_move(syzygy, position, move) for move in position.moves]
        except NotInTablesError:
            return None


def _exact_move(syzygy: Syzygy, position: Position, move: str) -> ExactMove:
    after = position.play(move)
    if (outcome := after.outcome) is not None:
        result, _ = proven_result({"winner": outcome.winner, "distance": 0}, position.turn)
        return ExactMove(result or "draw", 1, 0)
    found = syzygy.probe(after.text)
    # A zeroing move resets the 50-move counter, so zeroing moves come first, ordered by the DTZ that follows.
    is_zeroing = after.text.split()[4] == "0"
    plies = _MAX_DTZ + found.plies if is_zeroing else _MAX_DTZ * (found.plies + 1)
    if found.result != "draw":
        return ExactMove("win", rank=-plies) if found.result == "loss" else ExactMove("loss", rank=plies)
    # Cursed wins and blessed losses (draws only by the 50-move rule): play for the win, or hold out longest.
    beyond = _MAX_DTZ * _MAX_DTZ
    return ExactMove("draw", rank=beyond - plies if found.wdl < 0 else plies - beyond if found.wdl > 0 else 0)
