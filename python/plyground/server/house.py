"""The rooms of the server, opened and closed together."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from plyground.errors import PlygroundError
from plyground.exact.tables import use
from plyground.learn.checkpoints import use_runs
from plyground.server.exact import Exact
from plyground.server.games import Games
from plyground.server.judge import Coach, Judge
from plyground.server.library import Library
from plyground.server.players import Players
from plyground.server.pool import Pool
from plyground.server.rates import Rates
from plyground.server.reviews import Reviews
from plyground.server.settings import Settings
from plyground.server.sharing import Sharing
from plyground.server.timers import Timers
from plyground.server.tournaments import Tournaments
from plyground.server.training import Training
from plyground.server.views.work import WorkView
from plyground.store import Store


class House:
    """Everything that requests need."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.store)
        use_runs(self.store)
        self.pool = Pool(settings.searches, settings.queue)
        self.timers = Timers()
        self.rates = Rates(settings.rate, settings.burst)
        self.exact = Exact(self.pool)
        self.training = Training(self.store, settings)
        self.players = Players(settings, self.training.latest)
        self.tournaments = Tournaments(self.store, settings, self.players)
        self.judge = Judge(self)
        self.coach = Coach(self, self.judge)
        self.games = Games(self)
        self.library = Library(self.store)
        self.sharing = Sharing(self.store, self.games, self.library)
        self.reviews = Reviews(self)

    def start(self) -> None:
        """Go on with the work that was under way, and have the endgame tables ready."""
        self.tournaments.start()
        self.training.start()
        threading.Thread(target=_open_tables, daemon=True).start()

    def close(self) -> None:
        """End searches and work; the next server goes on with it."""
        self.pool.close()
        self.timers.close()
        self.tournaments.close()
        self.training.close()
        self.store.close()

    def follow_work(self, visitor: str, kind: str, key: str, follower: Callable[[], None]) -> Callable[[], None]:
        """Hear of the steps of some work; what is returned ends it."""
        if kind == "review":
            return self.reviews.follow(visitor, key, follower)
        return (self.tournaments if kind == "tournament" else self.training).follow(key, follower)

    def work_view(self, visitor: str, kind: str, key: str) -> WorkView:
        """How far some work is."""
        if kind == "review":
            return self.reviews.work_view(visitor, key)
        return (self.tournaments if kind == "tournament" else self.training).view(visitor, key)


def _open_tables() -> None:
    with contextlib.suppress(PlygroundError, OSError):  # without them endings of checkers are searched, not known
        use()
