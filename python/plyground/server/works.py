"""Long work, one after the other: it goes on when the tab is closed, and after a restart."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from plyground.errors import PlygroundError
from plyground.server.errors import ForbiddenError, TooManyError
from plyground.server.views.work import WorkState, WorkView
from plyground.store import Store, Work

Kind = Literal["tournament", "run"]
Shown = TypeVar("Shown")
GENTLE = 10
"""How much less urgent to the system (nice) work is than the threads that answer."""
WINDOW = 60
"""Steps over which the rate is measured."""


class StoppedError(Exception):
    """Raised in the midst of work that is to stop."""


class Progress:
    """Some work while the server knows of it."""

    def __init__(self, key: str, owner: str | None) -> None:
        self.key = key
        self.owner = owner
        self.state: WorkState = "waiting"
        self.done = 0
        self.total = 0
        self.error: str | None = None
        self.is_stopped = False
        self.is_forgotten = False
        self.followers: set[Callable[[], None]] = set()
        self._steps: deque[tuple[float, int]] = deque(maxlen=WINDOW)

    def step(self, done: int, total: int) -> None:
        """How far it is; `StoppedError` where it is to stop."""
        self.done, self.total = done, total
        self._steps.append((time.monotonic(), done))
        self.tell()
        if self.is_stopped:
            raise StoppedError

    def tell(self) -> None:
        """Let followers know."""
        for follower in list(self.followers):
            follower()

    @property
    def per_second(self) -> float | None:
        """Its rate lately; None before it is known."""
        if len(self._steps) < 2 or self.state != "running":
            return None
        (began, first), (now, last) = self._steps[0], self._steps[-1]
        return (last - first) / (now - began) if now > began and last > first else None


class WorkLine(Generic[Shown]):
    """Work of one kind. Each kind says what to do in `work`, how far something is in `extent`, and how it is shown."""

    kind: Kind

    def __init__(self, store: Store, most: int) -> None:
        self.store = store
        self._most = most
        self._known: dict[str, Progress] = {}
        self._queue: deque[Progress] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def work(self, progress: Progress) -> None:
        """Do it, calling `progress.step` now and then."""
        raise NotImplementedError

    def extent(self, key: str) -> tuple[int, int]:
        """How much of it is done, and how much there is in all."""
        raise NotImplementedError

    def show(self, visitor: str, key: str) -> Shown:
        """What came of it so far, for the page."""
        raise NotImplementedError

    def erase(self, key: str) -> None:
        """Delete what came of it."""
        raise NotImplementedError

    def start(self) -> None:
        """Go on with what was under way when the last server ended."""
        for work in self.store.works.all():
            if work.kind == self.kind and work.state in ("waiting", "running"):
                try:
                    self._put(work.key, work.owner)
                except PlygroundError:  # it was deleted meanwhile
                    self.store.works.delete(work.kind, work.key)

    def begin(self, key: str, owner: str) -> None:
        """Have it done, after what others wait for."""
        self.check_room(owner)
        self._put(key, owner)

    def check_room(self, owner: str) -> None:
        """An error where a visitor has as much work under way as one may have."""
        with self._changed:
            busy = sum(one.owner == owner and one.state in ("waiting", "running") for one in self._known.values())
        if busy >= self._most:
            raise TooManyError(
                f"{busy} works of yours are under way; accepted are {self._most} at once: stop one first"
            )

    def stop(self, visitor: str, key: str) -> Shown:
        """Stop it at the next step."""
        self.check_owner(key, visitor)
        self._stop(key)
        return self.show(visitor, key)

    def _stop(self, key: str) -> None:
        with self._changed:
            progress = self._known.get(key)
            if progress is None or progress.state not in ("waiting", "running"):
                return
            progress.is_stopped = True
            if progress in self._queue:
                self._queue.remove(progress)
                self._settle(progress, "stopped")
        progress.tell()

    def resume(self, visitor: str, key: str) -> Shown:
        """Go on with it; what nobody began on the page may be gone on with by anybody."""
        self.check_owner(key, visitor)
        progress = self._known.get(key)
        if progress is None or progress.state not in ("waiting", "running") or progress.is_stopped:
            done, total = self.extent(key)
            if done < total:
                self.begin(key, visitor)
        return self.show(visitor, key)

    def delete(self, visitor: str, key: str) -> None:
        """Stop it for good and delete what came of it, if the visitor began it."""
        self.extent(key)  # an error where there is no such work
        work = self.store.works.get(self.kind, key)
        if work is None or work.owner != visitor:
            raise ForbiddenError("only who began it on the page may delete it")
        self._stop(key)
        progress = self._known.get(key)
        if progress is not None:
            progress.is_forgotten = True
            until = time.monotonic() + 30
            while progress.state in ("waiting", "running") and time.monotonic() < until:
                time.sleep(0.01)
        self._known.pop(key, None)
        self.store.works.delete(self.kind, key)
        self.erase(key)

    def check_owner(self, key: str, visitor: str) -> None:
        """An error where it is somebody else's."""
        work = self.store.works.get(self.kind, key)
        if work is not None and work.owner not in (None, visitor):
            raise ForbiddenError("only who began it may stop it or go on with it")

    def follow(self, key: str, follower: Callable[[], None]) -> Callable[[], None]:
        """Hear of every step; what is returned ends it."""
        self.extent(key)  # an error where there is no such work
        with self._changed:
            progress = self._known.setdefault(key, self._idle(key))
        progress.followers.add(follower)
        return lambda: progress.followers.discard(follower)

    def view(self, visitor: str, key: str, extent: tuple[int, int] | None = None) -> WorkView:
        """How far it is."""
        done, total = self.extent(key) if extent is None else extent
        progress = self._known.get(key)
        if progress is None or progress.state == "idle":
            kept = self.store.works.get(self.kind, key)
            progress = progress or self._idle(key)
            progress.owner = kept.owner if kept is not None else None
            progress.error = kept.error if kept is not None else None
            before: WorkState = "stopped" if kept is not None and kept.state == "stopped" else "idle"
            state: WorkState = "done" if done >= total else "failed" if progress.error else before
        else:
            state = progress.state
        rate = progress.per_second
        return WorkView(
            kind=self.kind,
            key=key,
            state=state,
            done=done,
            total=total,
            per_minute=None if rate is None else round(60 * rate, 2),
            seconds_left=None if rate is None else round((total - done) / rate, 1),
            error=progress.error,
            yours=progress.owner == visitor,
        )

    def wait(self, key: str, seconds: float) -> bool:
        """Wait until it ends; whether it did."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            progress = self._known.get(key)
            if progress is None or progress.state not in ("waiting", "running"):
                return True
            time.sleep(0.02)
        return False

    def close(self) -> None:
        """End the work; it is gone on with by the next server."""
        with self._changed:
            self._closed = True
            for progress in self._known.values():
                progress.is_stopped = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(5)

    def _idle(self, key: str) -> Progress:
        progress = Progress(key, None)
        progress.state = "idle"
        return progress

    def _put(self, key: str, owner: str | None) -> None:
        done, total = self.extent(key)
        with self._changed:
            old = self._known.get(key)
            progress = Progress(key, owner)
            progress.done, progress.total = done, total
            if old is not None:
                progress.followers = old.followers
            self._known[key] = progress
            self.store.works.put(Work(self.kind, key, owner, "running"))
            self._queue.append(progress)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self.kind, daemon=True)
                self._thread.start()
            self._changed.notify()
        progress.tell()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._queue and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                progress = self._queue.popleft()
                progress.state = "running"
            progress.tell()
            try:
                self.work(progress)
            except StoppedError:
                if not self._closed:
                    self._settle(progress, "stopped")
            except Exception as error:  # noqa: BLE001  whoever began it reads why
                self._settle(progress, "failed", str(error) or type(error).__name__)
            else:
                self._settle(progress, "done")
            progress.tell()

    def _settle(self, progress: Progress, state: WorkState, error: str | None = None) -> None:
        progress.error = error
        if not progress.is_forgotten:
            self.store.works.put(Work(self.kind, progress.key, progress.owner, state, error))
        progress.state = state
