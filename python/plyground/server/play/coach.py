"""The coach: warns after a mistake without revealing a better move."""

from __future__ import annotations

from plyground._engine import Position
from plyground.errors import PlygroundError
from plyground.review import MAX_SEARCHES, MISTAKES
from plyground.server.errors import BusyError
from plyground.server.play.live import LiveGame
from plyground.server.search.pool import Priority, SearchTask
from plyground.server.search.reviewers import make_reviewer, max_seconds, review_limit
from plyground.server.search.services import SearchServices

MESSAGE = "That move was a mistake. Undo it?"


class Coach:
    """Checks the moves of humans with the same searches and thresholds as a review."""

    def __init__(self, search: SearchServices) -> None:
        self._search = search

    def check_move(self, live: LiveGame, before: Position, move: str) -> None:
        """Evaluate a move in the search pool, unless it is full, and set the coach message if it was a mistake."""

        def run(task: SearchTask) -> None:
            self._search.exact.wait_for_tables(before.game)
            with task.searching():
                is_mistake = self.is_mistake(before, move)
            if is_mistake:
                live.set_coach_message(before.ply, MESSAGE)

        try:
            self._search.pool.submit(SearchTask(run, Priority.REPLY, seconds=max_seconds(1 + MAX_SEARCHES)))
        except BusyError:
            return

    def is_mistake(self, before: Position, move: str) -> bool:
        """Whether a review would mark a move as a mistake or blunder."""
        if len(before.moves) == 1:
            return False
        try:
            reviewer = make_reviewer(self._search, before.game)
            return reviewer.review_move(before, move, review_limit(self._search)).mark in MISTAKES
        except PlygroundError:
            return False
