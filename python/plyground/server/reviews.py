"""Reviews that visitors asked for, position by position in the pool; those of kept games are kept with them."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from plyground._engine import Position
from plyground.agents import Limit
from plyground.errors import ParseError, UnknownNameError
from plyground.games import game
from plyground.records import Record
from plyground.review import Judged, Looker, accuracy, review
from plyground.server.pool import Aside, Job, Urgency
from plyground.server.record_views import record_view
from plyground.server.views.library import RecordView, ReviewedPly, ReviewView, ReviewWanted, SideSummary
from plyground.server.views.positions import ExactView
from plyground.server.views.work import WorkView
from plyground.store import Kept
from plyground.store import Review as KeptReview

if TYPE_CHECKING:
    from plyground.server.house import House

KEPT = 500
"""Reviews that are kept at hand."""
MOST_MOVES = 600
LEAST_SOLVING = 0.5
"""Seconds that the solver has for each position at least."""
State = Literal["waiting", "running", "done", "stopped", "failed"]


@dataclass
class Review:
    """A review and how far it is."""

    id: str
    owner: str
    record: Record
    number: int | None
    """The record's number in the library, if it is there."""
    shown: RecordView
    last: Position
    seconds: float
    """For each position."""
    plies: list[ReviewedPly] = field(default_factory=list)
    """The last of the game first."""
    state: State = "waiting"
    error: str | None = None
    job: Job | None = None
    followers: set[Callable[[], None]] = field(default_factory=set)

    def tell(self) -> None:
        """Let followers know."""
        for follower in list(self.followers):
            follower()


class Reviews:
    """Begins reviews and shows them; each belongs to the visitor who asked."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._kept: OrderedDict[str, Review] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, visitor: str, wanted: ReviewWanted) -> ReviewView:
        """Have a game looked at, unless this visitor had it looked at to the end before, for as long or longer."""
        record, number, kept = self._record(visitor, wanted)
        known = self._finished(visitor, record, number)
        if known is not None and known.seconds >= wanted.seconds:
            return self.show(known)
        last = record.to_position()
        if last.ply > MOST_MOVES:
            raise ParseError(f"a game of {last.ply} moves: accepted are up to {MOST_MOVES}")
        limit = Limit(seconds=wanted.seconds, mebibytes=self._house.settings.mebibytes)
        looker = Looker(last.game).agent
        exact = partial(self._house.exact.certain, seconds=max(LEAST_SOLVING, wanted.seconds))
        found = review(record, limit, seed=last.key, exact=exact, reviewer=looker)
        shown = record_view(record, kept, visitor)
        made = Review(secrets.token_urlsafe(9), visitor, record, number, shown, last, wanted.seconds)
        made.job = Job(
            lambda job: self._think(job, made, found),
            Urgency.ANALYSIS,
            stop=getattr(looker, "stop", None),
            patient=True,
        )
        self._house.pool.submit(made.job)
        return self.show(self._at_hand(made))

    def _record(self, visitor: str, wanted: ReviewWanted) -> tuple[Record, int | None, Kept | None]:
        """A game, its number in the library, and what the library knows of it."""
        if wanted.record is not None:
            kept = self._house.library.get(visitor, wanted.record)
            return kept.record, kept.id, kept
        if wanted.game_id is not None:
            live = self._house.games.get(visitor, wanted.game_id)
            return live.record(), live.record_id, None
        if wanted.game is None:
            raise ParseError("a review needs a record, a game_id, or a game and its moves")
        return Record.from_position(game(wanted.game).position(wanted.text, wanted.moves), {}), None, None

    def _at_hand(self, made: Review) -> Review:
        with self._lock:
            self._kept[made.id] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made

    def _finished(self, visitor: str, record: Record, number: int | None) -> Review | None:
        """The review of a game that a visitor had made to its end."""
        with self._lock:
            for one in reversed(self._kept.values()):
                if one.state == "done" and one.owner == visitor and one.record == record:
                    return one
        found = None if number is None else self._house.store.reviews.of(number, visitor)
        return None if found is None else self._opened(found)

    def _opened(self, found: KeptReview) -> Review | None:
        """A review that the store has; None where an older or newer Plyground wrote it otherwise."""
        try:
            plies = [ReviewedPly.model_validate(one) for one in reversed(found.plies)]
        except ValidationError:
            return None
        kept = self._house.library.get(found.owner, found.record_id)
        shown = record_view(kept.record, kept, found.owner)
        last = kept.record.to_position()
        return self._at_hand(
            Review(found.id, found.owner, kept.record, kept.id, shown, last, found.seconds, plies, "done")
        )

    def _keep(self, made: Review) -> None:
        """Keep a review that came to its end, if its game is kept."""
        if made.number is not None:
            plies = [one.model_dump(mode="json") for one in reversed(made.plies)]
            review = KeptReview(made.id, made.number, made.owner, made.seconds, plies)
            self._house.store.reviews.keep(review, made.record)

    def _think(self, job: Job, made: Review, found: Iterator[Judged]) -> None:
        """In a worker: position after position, standing aside between two of them where others wait."""
        made.state = "running"
        try:
            for one in found:
                made.plies.append(_ply(made.last.replay(one.ply), one))
                made.tell()
                if job.is_stopped:
                    made.state = "stopped"
                    break
                if job.is_aside:
                    raise Aside
            else:
                self._keep(made)
                made.state = "done"
        except Aside:
            raise
        except Exception as error:  # noqa: BLE001  the visitor reads why
            made.state, made.error = "failed", str(error)
        made.tell()

    def get(self, visitor: str, id: str) -> Review:  # noqa: A002
        """A visitor's review."""
        with self._lock:
            made = self._kept.get(id)
        if made is None and (found := self._house.store.reviews.get(id)) is not None and found.owner == visitor:
            made = self._opened(found)
        if made is None or made.owner != visitor:
            raise UnknownNameError("there is no such review; ask for it again")
        return made

    def view(self, visitor: str, id: str) -> ReviewView:  # noqa: A002
        """A review as far as it is."""
        return self.show(self.get(visitor, id))

    def of_record(self, visitor: str, number: int) -> ReviewView | None:
        """The review that a visitor had made of a kept game, to its end."""
        found = self._finished(visitor, self._house.library.get(visitor, number).record, number)
        return None if found is None else self.show(found)

    def stop(self, visitor: str, id: str) -> ReviewView:  # noqa: A002
        """End a review; what it found stays."""
        made = self.get(visitor, id)
        if made.job is not None and made.state in ("waiting", "running"):
            made.job.stop()
        return self.show(made)

    def follow(self, visitor: str, id: str, follower: Callable[[], None]) -> Callable[[], None]:  # noqa: A002
        """Hear of every position; what is returned ends it."""
        made = self.get(visitor, id)
        made.followers.add(follower)
        return lambda: made.followers.discard(follower)

    def work_view(self, visitor: str, id: str) -> WorkView:  # noqa: A002
        """How far a review is."""
        made = self.get(visitor, id)
        return WorkView(
            kind="review",
            key=id,
            state=made.state,
            done=len(made.plies),
            total=made.last.ply,
            error=made.error,
            yours=True,
        )

    def show(self, made: Review) -> ReviewView:
        """A review as the page sees it."""
        judged = list(reversed(list(made.plies)))
        sides = {
            side: SideSummary(
                accuracy=round(accuracy([one.lost for one in judged if one.side == side]), 1),
                marks={
                    mark: sum(one.side == side and one.mark == mark for one in judged) for mark in ("?!", "?", "??")
                },
            )
            for side in made.last.game.sides
        }
        return ReviewView(
            id=made.id,
            state=made.state,
            done=len(judged),
            total=made.last.ply,
            record=made.shown,
            plies=judged,
            last_value_first=judged[-1].value_after if judged else None,
            sides=sides,
            error=made.error,
        )


def _ply(position: Position, one: Judged) -> ReviewedPly:
    win, draw, loss = one.before.band
    certain, best = one.before.certain, one.before.best or one.move
    exact = None
    if certain is not None and certain.source != "search":
        exact = ExactView(known=certain.known, distance=certain.distance, source=certain.source)
    return ReviewedPly(
        ply=one.ply,
        side=one.side,
        move=one.move,
        notation=position.notation(one.move),
        value_first=round(one.before.first, 4),
        value_after=round(one.after.first, 4),
        win=round(win, 4),
        draw=round(draw, 4),
        loss=round(loss, 4),
        lost=round(one.lost, 4),
        mark=one.mark,
        best=best,
        best_notation=position.notation(best),
        line=list(one.before.line[:20]),
        exact=exact,
        words=one.words,
    )
