"""Fixtures that run every store test on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.store import Store
from store.postgresql import Server, running_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The location of a store that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite")
    server: Server = request.getfixturevalue("postgresql")
    return server.new_schema()


@pytest.fixture
def store(location: str) -> Iterator[Store]:
    with Store(location) as opened:
        yield opened
