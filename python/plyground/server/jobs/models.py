"""API models common to all jobs."""

from __future__ import annotations

from typing import Literal

from plyground.server.models import View

JobKind = Literal["tournament", "training", "review"]
JobState = Literal["idle", "queued", "running", "stopped", "done", "failed"]
"""`idle`: unfinished and never started on this server."""


class JobView(View):
    """Progress of a job."""

    kind: JobKind
    key: str
    """Name of the tournament, or ID of the training run or review."""
    state: JobState
    done: int
    total: int
    per_minute: float | None = None
    seconds_remaining: float | None = None
    error: str | None = None
    is_owner: bool
