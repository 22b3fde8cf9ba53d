"""Where records, tournaments, ratings and training runs are kept: a file of SQLite, or PostgreSQL."""

from plyground.store.entries import (
    Added,
    Checkpoint,
    Filter,
    Job,
    Kept,
    Metric,
    Play,
    Played,
    Rating,
    Review,
    Run,
    Tournament,
    Work,
)
from plyground.store.store import Store

__all__ = [
    "Added",
    "Checkpoint",
    "Filter",
    "Job",
    "Kept",
    "Metric",
    "Play",
    "Played",
    "Rating",
    "Review",
    "Run",
    "Store",
    "Tournament",
    "Work",
]
