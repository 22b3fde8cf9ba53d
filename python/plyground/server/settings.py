"""Everything about the server that can be chosen: by flags of `plyground serve`, else by the environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

PORT = 5050
OWN_MEBIBYTES = 256
"""The most memory that an agent takes where nobody says how much."""
STATIC = Path(__file__).with_name("static")
"""Where the built page is."""


class Settings(BaseSettings):
    """Settings of the server. Each can be set by a variable: `port` by PLYGROUND_PORT."""

    model_config = SettingsConfigDict(env_prefix="PLYGROUND_", env_ignore_empty=True)

    host: str = "127.0.0.1"
    """The address to listen at; 0.0.0.0 for everybody who can reach this machine."""
    port: Annotated[int, Field(ge=0, le=65_535)] = PORT
    """0 takes any that is free."""
    store: str | None = None
    """Where games are kept, as `plyground.store.Store` takes it."""
    hosts: list[str] = []
    """Names under which the server may be asked for besides localhost and the address it listens at."""
    static: Path = STATIC

    searches: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1, le=1024)
    """Searches at once."""
    queue: Annotated[int, Field(ge=1)] = 200
    """Searches that may wait; beyond them the server says that it is busy."""
    search_seconds: Annotated[float, Field(gt=0)] = 60
    """The longest search of a visitor."""
    move_seconds: Annotated[float, Field(gt=0)] = 20
    """The longest that an agent thinks about a move of a game."""
    search_mebibytes: Annotated[int, Field(ge=16)] = 256
    """The largest tree of a visitor."""
    analyses: Annotated[int, Field(ge=1)] = 4
    """Analyses of one tab at once."""
    tree_nodes: Annotated[int, Field(ge=1, le=2000)] = 2000

    body_bytes: int = 65_536
    """The largest body of a request, uploads apart."""
    import_bytes: int = 5_000_000
    """The largest upload."""
    message_bytes: int = 65_536
    """The largest message of the page over the socket."""
    rate: float = 60
    """Requests a second that a visitor may go on making."""
    burst: int = 240
    """Requests that a visitor may make at once."""
    sockets: int = 12
    """Tabs of one visitor."""
    games: int = 1000
    """Games that one visitor may have; then the oldest that ended are forgotten by the page (the library has them)."""
    tournament_games: int = 20_000
    training_games: int = 200_000
    works: int = 4
    """Tournaments and training runs that one visitor may have under way."""
    processes: int = Field(default_factory=lambda: max(1, (os.cpu_count() or 1) - 1), ge=1)
    """Processes that play tournaments."""

    prepare: Annotated[Callable[[], object] | None, Field(exclude=True)] = None
    """What a process that plays tournaments does first: registering the user's own games."""

    @property
    def mebibytes(self) -> int | None:
        """The memory that searches are told to keep to; None where that of every agent's own is less."""
        return self.search_mebibytes if self.search_mebibytes < OWN_MEBIBYTES else None
