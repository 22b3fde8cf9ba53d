"""Settings of the server, from flags of `plyground serve` or environment variables."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PORT = 5050
DEFAULT_AGENT_MEBIBYTES = 256
"""Default memory limit of an agent."""
STATIC = Path(__file__).with_name("static")
"""Folder that contains the built web UI."""


HOST_NAME = re.compile(r"\*|(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:]+\]")
"""Pattern of a value of `hosts`: a host name or address without a port."""


def machine_mebibytes() -> int:
    """Return the physical memory of the machine in MiB; 4,096 if unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    except (AttributeError, ValueError, OSError):
        return 4096


class Settings(BaseSettings):
    """Server settings. Each has an environment variable; for example, PLYGROUND_PORT sets `port`."""

    model_config = SettingsConfigDict(env_prefix="PLYGROUND_", env_ignore_empty=True)

    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 listens on every network interface."""
    port: Annotated[int, Field(ge=0, le=65_535)] = PORT
    """Port to listen on; 0 picks a free one."""
    store: str | None = None
    """Database location, as accepted by `plyground.store.Store`."""
    hosts: Annotated[list[str], NoDecode] = []
    """Host names other than localhost under which visitors reach the server, such as `chess.example` or `*.example`;
    `*` accepts any name. In an environment variable, a comma-separated or JSON list."""
    proxies: Annotated[list[str], NoDecode] = []
    """Addresses of reverse proxies, whose X-Forwarded-For and X-Forwarded-Proto headers are trusted. Same format
    as `hosts`."""
    secret: SecretStr | None = Field(default=None, min_length=16)
    """Key that signs visitors' cookies; by default, a random key stored in the database."""
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """Minimum level of messages to log; `info` logs every request."""
    static: Path = STATIC

    searches: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1, le=1024)
    """Maximum number of concurrent searches."""
    queue: Annotated[int, Field(ge=1)] = 200
    """Maximum number of queued searches; when the queue is full, the server rejects further ones as busy."""
    search_seconds: Annotated[float, Field(gt=0)] = 60
    """Maximum duration of an analysis."""
    move_seconds: Annotated[float, Field(gt=0)] = 20
    """Maximum thinking time of an agent for one move."""
    absence_seconds: Annotated[float, Field(gt=0)] = 2
    """Time after a visitor's last connection at which agents in their games stop thinking and move."""
    memory_mebibytes: int = Field(default_factory=lambda: max(256, machine_mebibytes() // 4), ge=64)
    """Maximum total memory of searches, running or kept for the next move; by default, a quarter of the machine's
    memory."""
    search_mebibytes: int = Field(
        default_factory=lambda data: max(16, min(256, data["memory_mebibytes"] // (4 * data["searches"]))), ge=16
    )
    """Maximum memory of a search tree."""
    idle_seconds: Annotated[float, Field(gt=0)] = 600
    """Idle time after which the memory of an agent is freed."""
    analyses: Annotated[int, Field(ge=1)] = 4
    """Maximum number of concurrent analyses per tab."""
    tree_nodes: Annotated[int, Field(ge=1, le=2000)] = 2000
    """Maximum number of tree nodes per message."""

    body_bytes: int = 65_536
    """Maximum size of a request body, except uploads."""
    import_bytes: int = 5_000_000
    """Maximum size of an upload."""
    import_seconds: Annotated[float, Field(gt=0)] = 120
    """Maximum duration of an import."""
    message_bytes: int = 65_536
    """Maximum size of a WebSocket message from the client."""
    rate: Annotated[float, Field(gt=0)] = 60
    """Maximum average number of requests per second per visitor."""
    burst: Annotated[int, Field(ge=1)] = 240
    """Maximum burst of requests per visitor."""
    sockets: int = 12
    """Maximum number of open tabs per visitor."""
    games: int = 1000
    """Maximum number of games per visitor; the oldest are deleted first. Finished games stay in the library."""
    library_games: int = 100_000
    """Maximum number of games in a visitor's library; imports that would exceed it are rejected."""

    # Limits per address apply to clients that discard their cookies. They are higher, as visitors may share an address.
    address_rate: Annotated[float, Field(gt=0)] = 600
    """Maximum average number of requests per second per address."""
    address_burst: Annotated[int, Field(ge=1)] = 2400
    """Maximum burst of requests per address."""
    address_sockets: int = 400
    """Maximum number of open tabs per address."""
    address_games: int = 2000
    """Maximum number of new games per address per hour."""
    address_jobs: int = 16
    """Maximum number of queued or running jobs of each kind (tournament, training run, review) per address."""
    address_import_bytes: int = 100_000_000
    """Maximum total size of uploads per address per hour."""
    connections: Annotated[int, Field(ge=1)] = 4000
    """Maximum number of open connections; fewer if the operating system allows fewer open files."""
    address_connections: Annotated[int, Field(ge=1)] = 1000
    """Maximum number of open connections per address."""
    header_seconds: Annotated[float, Field(gt=0)] = 10
    """Time limit for a client to send the headers of a request."""
    body_seconds: Annotated[float, Field(gt=0)] = 60
    """Time limit for a client to send the body of a request."""
    write_seconds: Annotated[float, Field(gt=0)] = 30
    """Time after which a connection is closed if the client stops reading the response."""
    shutdown_seconds: Annotated[float, Field(gt=0)] = 8
    """Time after SIGTERM or Ctrl-C at which the process is forced to exit."""
    tournament_games: int = 20_000
    training_games: int = 200_000
    jobs: int = 4
    """Maximum number of queued or running jobs of each kind (tournament, training run, review) per visitor."""
    job_seconds: Annotated[float, Field(gt=0)] = 6 * 3600
    """Maximum duration of a tournament or training run; afterwards it can be resumed."""
    processes: int = Field(default_factory=lambda: max(1, (os.cpu_count() or 1) - 1), ge=1)
    """Number of processes that play tournament games."""

    prepare: Annotated[Callable[[], object] | None, Field(exclude=True)] = None
    """Called first in each worker process, to register user games and evaluators."""

    @field_validator("hosts", "proxies", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return json.loads(value) if value.lstrip().startswith("[") else [part.strip() for part in value.split(",")]

    @field_validator("hosts")
    @classmethod
    def _check_hosts(cls, hosts: list[str]) -> list[str]:
        for host in hosts:
            if not HOST_NAME.fullmatch(host):
                raise ValueError(f"a host must be a name such as chess.example, *.example or *, got {host[:80]!r}")
        return [host.lower() for host in hosts]

    @property
    def threads(self) -> int:
        """Maximum number of threads of one search."""
        return os.cpu_count() or 1

    @property
    def mebibytes(self) -> int | None:
        """Memory limit to pass to searches; None if it is not below the agents' default."""
        return self.search_mebibytes if self.search_mebibytes < DEFAULT_AGENT_MEBIBYTES else None

    @property
    def worker_mebibytes(self) -> int:
        """Maximum memory of a worker process: a running search, the trees that it keeps, and the interpreter."""
        return 2 * self.search_mebibytes + 512

    @property
    def training_mebibytes(self) -> int:
        """Maximum memory of the process of a training run."""
        return max(512, self.memory_mebibytes // 8)

    @property
    def kept_mebibytes(self) -> int:
        """Maximum memory that agents keep between searches; the rest is for running searches, jobs and the server."""
        return max(0, self.memory_mebibytes // 2 - self.searches * self.search_mebibytes)

    @property
    def solver_mebibytes(self) -> int:
        """Memory of the transposition table of each exact solver."""
        return min(64, self.search_mebibytes)
