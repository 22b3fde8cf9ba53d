"""Every test of the store runs on SQLite and on PostgreSQL."""

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
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that is not there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite")
    server: Server = request.getfixturevalue("postgresql")
    return server.new_schema()


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store(where) as opened:
        yield opened
