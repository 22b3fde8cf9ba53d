"""Progress of jobs of every kind."""

from __future__ import annotations

from collections.abc import Callable

from plyground.server.jobs.models import JobKind, JobView
from plyground.server.jobs.reviews import Reviews
from plyground.server.jobs.tournaments import TournamentQueue
from plyground.server.jobs.training import TrainingQueue


class Jobs:
    """Progress of tournaments, training runs and reviews."""

    def __init__(self, tournaments: TournamentQueue, training: TrainingQueue, reviews: Reviews) -> None:
        self._queues: dict[JobKind, TournamentQueue | TrainingQueue] = {"tournament": tournaments, "training": training}
        self._reviews = reviews

    def subscribe(self, visitor: str, kind: JobKind, key: str, subscriber: Callable[[], None]) -> Callable[[], None]:
        """Notify a subscriber of every step of a job; returns a function that ends the subscription."""
        if kind == "review":
            return self._reviews.subscribe(visitor, key, subscriber)
        return self._queues[kind].subscribe(key, subscriber)

    def view(self, visitor: str, kind: JobKind, key: str) -> JobView:
        """Return the progress of a job."""
        if kind == "review":
            return self._reviews.job_view(visitor, key)
        return self._queues[kind].job_view(visitor, key)
