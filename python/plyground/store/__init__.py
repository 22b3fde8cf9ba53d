"""Persistent storage of records, tournaments, ratings and training runs, in SQLite or PostgreSQL."""

from plyground.store.entries import (
    AddResult,
    Checkpoint,
    Filter,
    FinishedGame,
    Job,
    Metric,
    Rating,
    Review,
    Run,
    ScheduledGame,
    StoredRecord,
    Tournament,
    VisitorGame,
)
from plyground.store.store import Store

__all__ = [
    "AddResult",
    "Checkpoint",
    "Filter",
    "FinishedGame",
    "Job",
    "Metric",
    "Rating",
    "Review",
    "Run",
    "ScheduledGame",
    "Store",
    "StoredRecord",
    "Tournament",
    "VisitorGame",
]
