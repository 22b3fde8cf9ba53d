"""Creates the services of all features and connects them."""

from __future__ import annotations

import threading

from plyground.learn.checkpoints import register_run_weights
from plyground.server.catalog.catalog import CatalogService
from plyground.server.health import Health
from plyground.server.jobs.jobs import Jobs
from plyground.server.jobs.reviews import Reviews
from plyground.server.jobs.tournaments import TournamentQueue
from plyground.server.jobs.training import TrainingQueue
from plyground.server.library.importing import Imports
from plyground.server.library.library import Library
from plyground.server.library.sharing import Sharing
from plyground.server.play.advisor import Advisor
from plyground.server.play.coach import Coach
from plyground.server.play.games import Games
from plyground.server.pools import WorkPools
from plyground.server.search.exact import ExactValues
from plyground.server.search.memory import AgentMemory
from plyground.server.search.players import PlayerFactory
from plyground.server.search.pool import SEARCH_NICE, SearchPool
from plyground.server.search.proposals import Proposals
from plyground.server.search.results import RecentResults
from plyground.server.search.services import SearchServices
from plyground.server.search.timers import Timers
from plyground.server.security.presence import Presence
from plyground.server.security.quotas import Quotas
from plyground.server.security.tokens import VisitorTokens
from plyground.server.settings import Settings
from plyground.server.socket.connection import TabConnections
from plyground.server.workers import agents, games
from plyground.server.workers.games import register_worker_games
from plyground.server.workers.pool import WorkerPool
from plyground.server.workers.process import Setup
from plyground.store import Store

RULES_PROCESSES = 2
"""Number of worker processes that run the rules of user games."""
TOKEN_SECRET = "visitor tokens"  # noqa: S105  the name of the secret
"""Name of the stored secret that signs visitor tokens."""


class Services:
    """The services of a server. Routes access them by attribute name (see `dependencies.service`)."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.store)
        register_run_weights(self.store)
        secret = self.store.secrets.get(TOKEN_SECRET) if settings.secret is None else settings.secret.get_secret_value()
        self.tokens = VisitorTokens(secret)
        self.quotas = Quotas(settings)
        self.presence = Presence(settings.absence_seconds)
        self.pools = WorkPools()
        self.health = Health(self.store, self.pools.health)
        self.catalog = CatalogService(settings)
        self.training = TrainingQueue(self.store, settings)

        setup = Setup(
            settings.prepare,
            settings.store,
            settings.worker_mebibytes,
            settings.search_mebibytes,
            SEARCH_NICE,
            modules=(agents.__name__, games.__name__),
        )
        self.workers = WorkerPool(setup, settings.searches)
        self.rules = WorkerPool(setup, RULES_PROCESSES)
        if settings.prepare is not None:
            register_worker_games(self.rules)
            self.rules.prestart()
            self.workers.prestart()

        self.pool = SearchPool(settings.searches, settings.queue)
        self.worker_pool = SearchPool(settings.searches, settings.queue)
        self.timers = Timers()
        self.exact = ExactValues(self.pool, settings.solver_mebibytes)
        self.players = PlayerFactory(settings, self.workers, self.training.player)
        self.memory = AgentMemory(settings.kept_mebibytes, settings.idle_seconds)
        search = SearchServices(
            settings,
            self.pool,
            self.worker_pool,
            self.workers,
            self.timers,
            self.players,
            self.exact,
            RecentResults(),
            self.memory,
            self.presence,
        )

        self.proposals = Proposals(search)
        self.advisor = Advisor(search)
        self.coach = Coach(search)
        self.games = Games(self.store, search, on_human_move=self.coach.check_move)
        self.library = Library(self.store, settings.library_games)
        self.importers = WorkerPool(setup, 1)
        self.imports = Imports(settings, self.importers, self.pools.imports)
        self.sharing = Sharing(self.store, self.games, self.library)

        self.tournaments = TournamentQueue(self.store, settings, self.players)
        self.reviews = Reviews(self.store, self.library, self.games, search)
        jobs = Jobs(self.tournaments, self.training, self.reviews)
        self.tabs = TabConnections(search, self.quotas, self.games, self.sharing, jobs)

    def start(self) -> None:
        """Resume unfinished jobs and load the endgame tables in the background."""
        self.tournaments.start()
        self.training.start()
        threading.Thread(target=self.exact.load_tables, name="tables", daemon=True).start()
        self.workers.wait_until_started()
        self._free_idle_memory()

    def _free_idle_memory(self) -> None:
        """Free the memory of idle agents, now and at regular intervals."""
        self.memory.free_excess()
        self.timers.call_later(self.settings.idle_seconds / 4, self._free_idle_memory)

    def close(self) -> None:
        """Stop all searches and jobs in parallel; jobs resume when the server starts again."""
        self.timers.close()
        parts = (self.pool, self.worker_pool, self.workers, self.rules, self.importers, self.tournaments, self.training)
        threads = [threading.Thread(target=part.close, daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.store.close()
