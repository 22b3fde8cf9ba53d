"""Reload, a second tab, a server that is killed: the game is where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from browser.conftest import OpenPage, Watch
from browser.hands import Seat, by_mouse
from server.serving import Server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    running = Server(tmp_path / "store.sqlite", rate=5000, burst=5000).start()
    yield running
    running.stop()


def test_a_reload_in_mid_game_keeps_it(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    before = (seat.id, seat.game()["position"]["text"])
    seat.page.reload()
    seat.ready().wait_for_turn()
    assert (seat.id, seat.game()["position"]["text"], seat.ply) == (*before, 2)


def test_opening_the_page_again_finds_the_game_in_progress(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    before = seat.id
    seat.page.goto("/")
    seat.ready()
    assert seat.id == before
    seat.page.get_by_role("button", name="Tic-tac-toe").click()
    expect(seat.board).to_have_accessible_name("Tic-tac-toe board, you play x")
    seat.page.get_by_role("button", name="Checkers").click()
    expect(seat.board).to_have_accessible_name("Checkers board, you play black")
    seat.page.wait_for_url(f"**/play/{before}")


def test_a_second_tab_follows_and_plays(open_context: Callable[..., BrowserContext]) -> None:
    context = open_context()
    first = Seat(context.new_page())
    first.page.goto("/")
    first.ready()
    second = Seat(context.new_page())
    second.page.goto(first.page.url)
    second.ready()
    by_mouse(first, ["11", "15"])
    expect(second.table).to_have_attribute("data-ply", "2")
    second.wait_for_turn()
    by_mouse(second, second.best())
    expect(first.table).to_have_attribute("data-ply", "4")


def test_a_server_killed_in_mid_game_loses_nothing(open_page: OpenPage, own_server: Server, watch: Watch) -> None:
    seat = Seat(open_page("/", address=own_server.address)).ready()
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    before = seat.game()["position"]["text"]
    path = seat.best()
    watch.away = True
    own_server.kill()
    expect(seat.page.get_by_text("No connection: your game is kept")).to_be_visible()
    # A move made meanwhile is shown, and sent when the server is back.
    by_mouse(seat, path)
    own_server.start()
    expect(seat.page.get_by_text("No connection: your game is kept")).to_be_hidden()
    expect(seat.table).to_have_attribute("data-ply", "4")
    assert seat.wait_for_turn() == "yours"
    told = seat.game()
    assert [move["text"] for move in told["moves"]][:1] == ["11-15"]
    assert told["position"]["text"] != before
    seat.page.reload()
    seat.ready()
    assert seat.ply == 4


def test_a_game_of_somebody_else_is_not_there(seat: Seat, open_page: OpenPage, watch: Watch) -> None:
    watch.refused = True
    other = open_page(f"/play/{seat.id}")
    expect(other.get_by_role("alert").first).to_be_visible()
    other.get_by_role("button", name="New game").click()
    expect(other.get_by_role("grid")).to_be_visible()
