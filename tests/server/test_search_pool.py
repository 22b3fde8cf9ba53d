"""The search pool treats clients equally."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from plyground.server.search.pool import Priority, SearchPool, SearchTask
from server.serving import TIMEOUT_S, eventually


@pytest.fixture
def pool() -> Iterator[SearchPool]:
    """A pool with one thread."""
    made = SearchPool(1, 10)
    yield made
    made.close()


def move_task(run: object, client: str) -> SearchTask:
    assert callable(run)
    return SearchTask(lambda task: run(task), Priority.MOVE, seconds=TIMEOUT_S, client=client)


def test_clients_with_fewer_searches_come_first(pool: SearchPool) -> None:
    release = threading.Event()
    order: list[str] = []
    pool.submit(move_task(lambda _: release.wait(TIMEOUT_S), "first"))
    tasks = [
        pool.submit(move_task(lambda _, name=name: order.append(name), client))
        for name, client in (("first 2", "first"), ("first 3", "first"), ("second 1", "second"), ("second 2", "second"))
    ]
    release.set()
    for task in tasks:
        task.future.result(TIMEOUT_S)
    assert order == ["second 1", "first 2", "second 2", "first 3"]


def test_an_agent_moves_early_only_if_another_client_is_waiting(pool: SearchPool) -> None:
    stopped: list[str] = []

    def search(task: SearchTask) -> None:
        eventually(lambda: task.is_stopped)
        stopped.append(task.client)

    def finish(task: SearchTask) -> None:
        stopped.append(f"{task.client} finished")

    pool.submit(move_task(search, "first"))
    own = pool.submit(move_task(finish, "first"))
    other = pool.submit(move_task(finish, "second"))
    other.future.result(TIMEOUT_S)
    own.future.result(TIMEOUT_S)
    assert stopped == ["first", "second finished", "first finished"]
