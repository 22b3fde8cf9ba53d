"""The review of a whole game as one object.

>>> import plyground as pg
>>> found = pg.review(pg.Record("tictactoe", ("b2", "b1", "c1")), simulations=5000, seed=1)
>>> [(move.move, move.mark, move.comment) for move in found.mistakes]
[('b1', '??', 'gave away a draw: a1 was better')]
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from plyground.agents import Agent, Limit
from plyground.agents.agent import limit_from
from plyground.games import game
from plyground.notebook import paragraph, percent, table
from plyground.progress import progress_bar
from plyground.records import Record
from plyground.review import ReviewedMove, accuracy
from plyground.review import review as review_moves


@dataclass(frozen=True)
class GameReview:
    """A game with the value that each move lost."""

    record: Record = field(repr=False)
    moves: tuple[ReviewedMove, ...]
    """The moves in the order in which they were played."""

    @property
    def mistakes(self) -> tuple[ReviewedMove, ...]:
        """The moves with a mark: inaccuracies, mistakes and blunders."""
        return tuple(move for move in self.moves if move.mark)

    @property
    def accuracy(self) -> dict[str, float]:
        """The accuracy of each side, from 0 to 100; 100 means that no move lost value."""
        return {
            side: accuracy([move.value_loss for move in self.moves if move.side == side])
            for side in game(self.record.game).sides
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the accuracy and the moves as JSON data."""
        return {
            "game": self.record.game,
            "accuracy": self.accuracy,
            "moves": [asdict(move) for move in self.moves],
        }

    def _repr_html_(self) -> str:
        """Return a table of the moves and the values after them for the first side."""
        first = game(self.record.game).sides[0]
        rows = [
            [move.ply + 1, move.side, f"{move.move} {move.mark}", percent(move.after.value_first), move.comment]
            for move in self.moves
        ]
        summary = ", ".join(f"{side} {value:.0f}%" for side, value in self.accuracy.items())
        return paragraph(f"Accuracy: {summary}") + table(["", "Side", "Move", f"Value for {first}", "Comment"], rows)


def review(
    record: Record,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    reviewer: Agent | None = None,
    progress: bool | None = None,
    **limits: Any,
) -> GameReview:
    """Analyse every position of a game and find the moves that lost value.

    The limit of each analysis is a `Limit` or its fields (``seconds=1``); the default is the reviewer's own limit. The
    default reviewer depends on the game. Positions whose value is known from endgame tables are not analysed.
    `progress` shows or hides the progress bar.
    """
    found = []
    with progress_bar("Moves", len(record.moves), progress) as show:
        for move in review_moves(record, limit_from(limit, limits), seed=seed, reviewer=reviewer):
            found.append(move)
            show(len(found))
    return GameReview(record, tuple(reversed(found)))
