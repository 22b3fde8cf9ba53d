"""Limits per visitor and per address: requests, new games, uploads, open tabs and active jobs.

A request counts towards the limits of its visitor and of its address. Requests without a valid token from the same
address share one visitor limit. The limits per address also apply to a client that collects many tokens.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from cachetools import LRUCache
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerSecond
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from plyground.server.errors import TooManyError
from plyground.server.settings import Settings

MAX_COUNTERS = 100_000
"""Maximum number of counters; the least recently used is dropped first."""
IPV6_PREFIX = 64
"""Prefix length of IPv6 networks that count as one address, because they usually belong to one customer."""
MAX_IMPORTS = 2
"""Maximum number of running or queued imports and exports per address."""
Created = Literal["games", "KiB uploaded"]


class Counters(Storage):
    """Counters in memory. Unlike `limits.storage.MemoryStorage`, they start no threads and their number is bounded."""

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._counters: LRUCache[str, tuple[int, float]] = LRUCache(MAX_COUNTERS)
        """Count and time of expiry, by key."""
        self._lock = threading.Lock()

    @property
    def base_exceptions(self) -> tuple[type[Exception], ...]:
        """Exceptions that the storage raises: none."""
        return ()

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Increment a counter, which is reset `expiry` seconds after its first increment; return its value."""
        now = time.time()
        with self._lock:
            value, expires = self._counters.get(key, (0, 0.0))
            if expires <= now:
                value, expires = 0, now + expiry
            self._counters[key] = value + amount, expires
            return value + amount

    def get(self, key: str) -> int:
        """Return the value of a counter."""
        with self._lock:
            value, expires = self._counters.get(key, (0, 0.0))
        return value if expires > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """Return when a counter is reset, as a Unix timestamp."""
        with self._lock:
            return self._counters.get(key, (0, time.time()))[1]

    def check(self) -> bool:
        """Whether the counters are available."""
        return True

    def reset(self) -> int:
        """Drop all counters; return how many there were."""
        with self._lock:
            count = len(self._counters)
            self._counters.clear()
            return count

    def clear(self, key: str) -> None:
        """Drop a counter."""
        with self._lock:
            self._counters.pop(key, None)


class Slot:
    """One use of a limited resource, counted by `Slots`."""

    def __init__(self) -> None:
        self.is_active: Callable[[], bool] | None = None
        """Whether the resource is still in use; None until `keep_while`."""

    def keep_while(self, is_active: Callable[[], bool]) -> None:
        """Keep the slot after the `with` block, as long as the function returns true."""
        self.is_active = is_active


class Slots:
    """Limits how many resources of a kind, such as open tabs, a visitor or an address may use at the same time."""

    def __init__(self, maximum: int, resources: str) -> None:
        """`resources` names the resources in the error message, such as `open tabs`."""
        self._maximum = maximum
        self._resources = resources
        self._taken: dict[str, list[Slot]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, key: str) -> Iterator[Slot]:
        """Hold a slot in the `with` block; raise if none is free."""
        slot = Slot()
        with self._lock:
            self._drop_inactive()
            if len(self._taken.get(key, ())) >= self._maximum:
                raise TooManyError(f"too many {self._resources}: at most {self._maximum} are allowed at the same time")
            self._taken.setdefault(key, []).append(slot)
        try:
            yield slot
        finally:
            if slot.is_active is None:
                slot.is_active = lambda: False

    def _drop_inactive(self) -> None:
        for key, slots in list(self._taken.items()):
            left = [slot for slot in slots if slot.is_active is None or slot.is_active()]
            if left:
                self._taken[key] = left
            else:
                del self._taken[key]


class Quotas:
    """The limits of all visitors and addresses."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = FixedWindowRateLimiter(Counters())
        self._visitor_requests = _per_second(settings.rate, settings.burst)
        self._address_requests = _per_second(settings.address_rate, settings.address_burst)
        self._created: dict[Created, RateLimitItem] = {
            "games": RateLimitItemPerHour(settings.address_games),
            "KiB uploaded": RateLimitItemPerHour(max(1, settings.address_import_bytes // 1024)),
        }
        self.visitor_sockets = Slots(settings.sockets, "open tabs")
        self.address_sockets = Slots(settings.address_sockets, "open tabs from your address")
        self.address_jobs = {
            kind: Slots(settings.address_jobs, f"active {kind} from your address")
            for kind in ("tournaments", "training runs", "reviews")
        }
        self.address_imports = Slots(MAX_IMPORTS, "imports and exports from your address")
        self.visitor_reviews = Slots(settings.jobs, "active reviews")
        self.visitor_comparisons = Slots(settings.analyses, "comparisons")
        self.address_comparisons = Slots(settings.address_jobs, "comparisons from your address")

    def take_request(self, visitor: str | None, address: str) -> None:
        """Count a request; raise if the visitor or the address has made too many. `visitor` is None without a token."""
        # The visitor is checked first, so that one over the limit does not use up the limit of the address.
        self._take(self._visitor_requests, "too many requests", visitor or f"no token {address}")
        self._take(self._address_requests, "too many requests from your address", address)

    def take_file(self, address: str) -> None:
        """Count a request for a file of the web UI, to which only the address limit applies."""
        self._take(self._address_requests, "too many requests from your address", address)

    def take_created(self, what: Created, address: str, amount: int = 1) -> None:
        """Count new games or uploads; raise if the address exceeds its hourly limit."""
        self._take(self._created[what], f"too many {what} from your address", address, what, amount=amount)

    def _take(self, item: RateLimitItem, message: str, *key: str, amount: int = 1) -> None:
        if self._limiter.hit(item, *key, cost=amount):
            return
        wait = max(1.0, self._limiter.get_window_stats(item, *key).reset_time - time.time())
        period = item.get_expiry()
        per = "hour" if period == 3600 else "second" if period == 1 else f"{period} seconds"
        raise TooManyError(f"{message}: at most {item.amount} per {per}; try again in {math.ceil(wait)} s", wait)


def client_address(client: tuple[str, int] | None) -> str:
    """Return the address under which a client's requests are counted: its IPv4 address or IPv6 network.

    >>> client_address(("192.0.2.7", 5050)), client_address(("2001:db8:1:2:3::4", 5050))
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    if client is None:
        return "unknown"
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:
        return client[0][:100]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
    return str(address)


def _per_second(rate: float, burst: int) -> RateLimitItem:
    """Return a limit of `burst` requests per `burst / rate` seconds, which is `rate` requests per second on average."""
    seconds = max(1, round(burst / rate))
    return RateLimitItemPerSecond(max(1, round(rate * seconds)), seconds)
