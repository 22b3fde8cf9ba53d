"""Live games in memory: consistent snapshots, and changes by several servers that share a store."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.server.errors import ConflictError
from plyground.server.play.live import LiveGame
from plyground.server.play.models import NewGameRequest
from plyground.server.play.views import game_view
from plyground.server.services import Services
from plyground.server.settings import Settings

TWO_HUMANS = NewGameRequest(game="tictactoe", humans=2)
WIN = ("a1", "b1", "a2", "b2", "a3")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[list[Services]]:
    """The services of two servers with the same store."""
    both = [Services(Settings(store=str(tmp_path / "store.sqlite"), searches=1)) for _ in range(2)]
    yield both
    for one in both:
        one.close()


def test_readers_see_consistent_snapshots(services: list[Services]) -> None:
    """A reader never sees the state of one ply with the position or the outcome of another."""
    live = services[0].games.create("ann", TWO_HUMANS)
    is_done = threading.Event()
    seen: set[int] = set()

    def read() -> None:
        while not is_done.is_set():
            view, snapshot = game_view(live), live.snapshot
            assert snapshot.position.ply == len(snapshot.state.moves)
            assert (snapshot.outcome is not None) == (snapshot.position.ply == len(WIN))
            assert view.position.ply == len(view.moves)
            assert (view.position.outcome is not None) == (len(view.moves) == len(WIN))
            seen.add(snapshot.position.ply)

    errors: list[BaseException] = []

    def guarded() -> None:
        try:
            read()
        except BaseException as error:  # noqa: BLE001  asserted below
            errors.append(error)

    readers = [threading.Thread(target=guarded) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(8):
        for ply, move in enumerate(WIN):
            live.move(move, ply)
        for _ in WIN:
            live.undo(None)
    is_done.set()
    for reader in readers:
        reader.join()
    assert errors == []
    assert len(seen) > 1


def test_a_lost_race_is_a_conflict_and_not_a_lost_move(services: list[Services]) -> None:
    first = services[0].games.create("ann", TWO_HUMANS)
    second = services[1].games.get("ann", first.id)
    notified: list[int] = []
    second.subscribe(lambda live, _: notified.append(live.position.ply))
    first.move("a1", 0)
    with pytest.raises(ConflictError, match="changed elsewhere"):
        second.move("b2", 0)
    assert second.position.history == ["a1"]
    assert notified[-1] == 1
    second.move("b2", 1)
    with pytest.raises(ConflictError, match="changed elsewhere"):
        first.resign(1)
    assert stored_moves(services[0], first) == first.position.history == ["a1", "b2"]


def test_a_conflict_does_not_stop_the_agent(services: list[Services]) -> None:
    """The server that lost the race loads the other server's move, which an agent answers."""
    request = NewGameRequest(game="tictactoe", player="random")
    first = services[0].games.create("ann", request)
    second = services[1].games.get("ann", first.id)
    replied = threading.Event()

    def subscriber(live: LiveGame, _: bool) -> None:
        if live.position.ply >= 2:
            replied.set()

    second.subscribe(subscriber)
    first.move("b2", 0)
    with pytest.raises(ConflictError):
        second.move("a1", 0)
    assert replied.wait(60)
    assert second.agents.error is None
    assert stored_moves(services[1], second)[0] == "b2"


def test_losing_on_time_is_one_change(services: list[Services]) -> None:
    request = NewGameRequest.model_validate({"game": "tictactoe", "humans": 2, "clock": {"seconds": 1, "increment": 0}})
    live = services[0].games.create("ann", request)
    live.move("a1", 0)
    versions = {live.state.version}
    over = threading.Event()

    def subscriber(game: LiveGame, _: bool) -> None:
        versions.add(game.state.version)
        if game.is_over:
            over.set()

    live.subscribe(subscriber)
    assert over.wait(60)
    assert len(versions) == 2
    assert live.state.clocks is not None
    assert live.state.clocks.remaining["o"] == 0
    assert live.snapshot.public_record_id is not None


def stored_moves(services: Services, live: LiveGame) -> list[str]:
    moves: list[str] = list(services.store.visitor_games.get(live.id).state["moves"])
    return moves
