"""Servers and visitors for the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.serving import Server, Visitor, serving

MakeServer = Callable[..., Server]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with default settings, shared by the tests."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def visitor(server: Server) -> Visitor:
    """A new visitor to the shared server."""
    return server.visitor()


@pytest.fixture
def make_server(tmp_path: Path) -> Iterator[MakeServer]:
    """A function that starts servers with the given settings; they are stopped at the end of the test."""
    running: list[Server] = []

    def make(**settings: Any) -> Server:
        running.append(Server(tmp_path / "store.sqlite", **settings).start())
        return running[-1]

    yield make
    for one in running:
        one.stop()
