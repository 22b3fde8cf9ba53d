"""Reviews: games analysed move by move in the search pool. Reviews of library games are stored."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cachetools import LRUCache
from pydantic import ValidationError

from plyground._engine import Game, Position
from plyground.errors import ParseError, UnknownNameError, describe
from plyground.games import game
from plyground.records import Record
from plyground.review import MAX_SEARCHES, SECONDS, ReviewedMove, accuracy, review
from plyground.server.jobs.models import JobView
from plyground.server.jobs.review_models import ReviewedPly, ReviewRequest, ReviewState, ReviewView, SideSummary
from plyground.server.library.library import Library
from plyground.server.library.models import RecordView
from plyground.server.library.views import record_view
from plyground.server.play.games import Games
from plyground.server.search.models import ExactView
from plyground.server.search.pool import Preempted, Priority, SearchTask
from plyground.server.search.reviewers import make_reviewer, max_seconds, review_limit
from plyground.server.search.services import SearchServices
from plyground.server.search.views import DIGITS, rounded
from plyground.store import Review as StoredReview
from plyground.store import Store, StoredRecord

MAX_CACHED = 500
"""Maximum number of reviews kept in memory."""
MAX_PLIES = 600
MAX_PV = 20


@dataclass
class ReviewJob:
    """A review and its progress."""

    id: str
    owner: str
    record: Record
    record_id: int | None
    """ID of the record in the library; None if it is not stored."""
    record_view: RecordView
    last: Position
    """The final position."""
    seconds: float
    """Time limit of each search."""
    plies: list[ReviewedPly] = field(default_factory=list)
    """Reviewed moves, last move first."""
    state: ReviewState = "queued"
    error: str | None = None
    task: SearchTask | None = None
    subscribers: set[Callable[[], None]] = field(default_factory=set)

    def notify(self) -> None:
        """Notify the subscribers."""
        for subscriber in list(self.subscribers):
            subscriber()


class Reviews:
    """Starts and shows reviews. Each belongs to the visitor who requested it."""

    def __init__(self, store: Store, library: Library, games: Games, search: SearchServices) -> None:
        self._store = store
        self._library = library
        self._games = games
        self._search = search
        self._cache: LRUCache[str, ReviewJob] = LRUCache(MAX_CACHED)
        self._lock = threading.Lock()

    def create(self, visitor: str, request: ReviewRequest) -> ReviewView:
        """Start a review, or return the visitor's finished review of the game with at least this time per search."""
        record, record_id, stored = self._record(visitor, request)
        seconds = request.seconds or SECONDS
        finished = self._finished(visitor, record, record_id)
        if finished is not None and finished.seconds >= seconds:
            return review_view(finished)
        last = record.to_position()
        if last.ply > MAX_PLIES:
            raise ParseError(f"a reviewed game must have at most {MAX_PLIES} plies, got {last.ply}")
        moves = self._reviewed_moves(record, last.game, seconds)
        view = record_view(record, stored, visitor)
        job = ReviewJob(secrets.token_urlsafe(9), visitor, record, record_id, view, last, seconds)
        job.task = SearchTask(
            lambda task: self._run(task, job, moves),
            Priority.ANALYSIS,
            seconds=max_seconds(1 + MAX_SEARCHES * last.ply, seconds),
            preemptible=True,
        )
        self._search.pool.submit(job.task)
        return review_view(self._remember(job))

    def get(self, visitor: str, review_id: str) -> ReviewJob:
        """Return a visitor's review."""
        with self._lock:
            job = self._cache.get(review_id)
        if job is None and (stored := self._store.reviews.get(review_id)) is not None and stored.owner == visitor:
            job = self._load(stored)
        if job is None or job.owner != visitor:
            raise UnknownNameError("review not found; request it again")
        return job

    def view(self, visitor: str, review_id: str) -> ReviewView:
        """Return a review with its results so far."""
        return review_view(self.get(visitor, review_id))

    def of_record(self, visitor: str, record_id: str) -> ReviewView | None:
        """Return the visitor's finished review of a stored game."""
        stored = self._library.get(visitor, record_id)
        found = self._finished(visitor, stored.record, stored.id)
        return None if found is None else review_view(found)

    def stop(self, visitor: str, review_id: str) -> ReviewView:
        """Stop a review; the moves reviewed so far remain."""
        job = self.get(visitor, review_id)
        if job.task is not None and job.state in ("queued", "running"):
            job.task.stop()
        return review_view(job)

    def is_active(self, review_id: str) -> bool:
        """Whether a review is queued or running."""
        with self._lock:
            job = self._cache.get(review_id)
        return job is not None and job.state in ("queued", "running")

    def subscribe(self, visitor: str, review_id: str, subscriber: Callable[[], None]) -> Callable[[], None]:
        """Notify a subscriber of every reviewed move; returns a function that ends the subscription."""
        job = self.get(visitor, review_id)
        job.subscribers.add(subscriber)
        return lambda: job.subscribers.discard(subscriber)

    def job_view(self, visitor: str, review_id: str) -> JobView:
        """Return the progress of a review."""
        job = self.get(visitor, review_id)
        return JobView(
            kind="review",
            key=review_id,
            state=job.state,
            done=len(job.plies),
            total=job.last.ply,
            error=job.error,
            is_owner=True,
        )

    def _record(self, visitor: str, request: ReviewRequest) -> tuple[Record, int | None, StoredRecord | None]:
        """Return the requested game, its ID in the library, and its entry in the store."""
        if request.record_id is not None:
            stored = self._library.get(visitor, request.record_id)
            return stored.record, stored.id, stored
        if request.game_id is not None:
            live = self._games.get(visitor, request.game_id)
            snapshot = live.snapshot
            return snapshot.record(), snapshot.record_id, None
        if request.game is None:
            raise ParseError("a review needs record_id, game_id, or game and moves")
        return Record.from_position(game(request.game).position(request.text, request.moves), {}), None, None

    def _finished(self, visitor: str, record: Record, record_id: int | None) -> ReviewJob | None:
        """Return a visitor's finished review of a game."""
        with self._lock:
            for job in reversed(list(self._cache.values())):
                if job.state == "done" and job.owner == visitor and job.record == record:
                    return job
        stored = None if record_id is None else self._store.reviews.find(record_id, visitor)
        return None if stored is None else self._load(stored)

    def _load(self, stored: StoredReview) -> ReviewJob | None:
        """Load a stored review; None if another version of Plyground wrote it in a different format."""
        try:
            plies = [ReviewedPly.model_validate(ply) for ply in reversed(stored.plies)]
        except ValidationError:
            return None
        kept = self._store.records.get(stored.record_id)
        view = record_view(kept.record, kept, stored.owner)
        last = kept.record.to_position()
        return self._remember(
            ReviewJob(stored.id, stored.owner, kept.record, kept.id, view, last, stored.seconds, plies, "done")
        )

    def _remember(self, job: ReviewJob) -> ReviewJob:
        with self._lock:
            self._cache[job.id] = job
        return job

    def _save(self, job: ReviewJob) -> None:
        """Store a finished review if its game is in the library."""
        if job.record_id is not None:
            plies = [ply.model_dump(mode="json") for ply in reversed(job.plies)]
            stored = StoredReview(job.id, job.record_id, job.owner, job.seconds, plies)
            self._store.reviews.save(stored, job.record)

    def _reviewed_moves(self, record: Record, game: Game, seconds: float) -> Iterator[ReviewedMove]:
        """Yield the moves of a game, last move first. Blocks: call it in a search thread."""
        yield from review(
            record, review_limit(self._search, seconds), reviewer=make_reviewer(self._search, game, seconds)
        )

    def _next(self, task: SearchTask, moves: Iterator[ReviewedMove]) -> ReviewedMove | None:
        with task.searching():
            return next(moves, None)

    def _run(self, task: SearchTask, job: ReviewJob, moves: Iterator[ReviewedMove]) -> None:
        """Review one move after another in a thread of the pool; can be preempted between moves."""
        job.state = "running"
        try:
            self._search.exact.wait_for_tables(job.last.game)
            while (move := self._next(task, moves)) is not None:
                job.plies.append(_ply_view(job.last.replay(move.ply), move))
                job.notify()
                if task.is_stopped:
                    job.state = "stopped"
                    break
                if task.is_preempted:
                    raise Preempted
            else:
                self._save(job)
                job.state = "done"
        except Preempted:
            raise
        except Exception as error:  # noqa: BLE001  shown to the owner
            job.state, job.error = "failed", describe(error)
        job.notify()


def review_view(job: ReviewJob) -> ReviewView:
    """Return the API model of a review."""
    plies = list(reversed(list(job.plies)))
    return ReviewView(
        id=job.id,
        state=job.state,
        done=len(plies),
        total=job.last.ply,
        record=job.record_view,
        plies=plies,
        last_value_first=plies[-1].value_after_first if plies else None,
        sides={side: _summary([ply for ply in plies if ply.side == side]) for side in job.last.game.sides},
        error=job.error,
    )


def _summary(plies: list[ReviewedPly]) -> SideSummary:
    return SideSummary(
        accuracy=round(accuracy([ply.value_loss for ply in plies]), 1),
        marks={mark: sum(ply.mark == mark for ply in plies) for mark in ("?!", "?", "??")},
    )


def _ply_view(position: Position, move: ReviewedMove) -> ReviewedPly:
    win, draw, loss = move.before.win_draw_loss or (None, None, None)
    exact, best = move.before.exact, move.before.best or move.move
    exact_view = None
    if exact is not None and exact.source != "search":
        exact_view = ExactView(result=exact.result, distance=exact.distance, source=exact.source)
    return ReviewedPly(
        ply=move.ply,
        side=move.side,
        move=move.move,
        notation=position.notation(move.move),
        value_first=rounded(move.before.value_first),
        value_after_first=rounded(move.after.value_first),
        win_first=rounded(win),
        draw=rounded(draw),
        loss_first=rounded(loss),
        value_loss=round(move.value_loss, DIGITS),
        mark=move.mark,
        best=best,
        best_notation=position.notation(best),
        pv=list(move.before.pv[:MAX_PV]),
        exact=exact_view,
        summary=move.summary,
    )
