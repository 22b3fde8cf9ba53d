"""Games survive a reload, a second tab and a killed server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from browser.conftest import OpenPage, PageMonitor
from browser.seat import Seat, by_mouse
from server.serving import Server


@pytest.fixture
def private_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    running = Server(tmp_path / "store.sqlite", rate=5000, burst=5000).start()
    yield running
    running.stop()


def test_a_reload_restores_the_game(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    before = (seat.id, seat.game()["position"]["text"])
    seat.page.reload()
    seat.ready().wait_for_turn()
    assert (seat.id, seat.game()["position"]["text"], seat.ply) == (*before, 2)


def test_the_start_page_opens_the_game_in_progress(seat: Seat) -> None:
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


def test_a_second_tab_shows_and_plays_the_same_game(open_context: Callable[..., BrowserContext]) -> None:
    context = open_context()
    first = Seat(context.new_page())
    first.page.goto("/")
    first.ready()
    second = Seat(context.new_page())
    second.page.goto(first.page.url)
    second.ready()
    by_mouse(first, ["11", "15"])
    expect(second.status).to_have_attribute("data-ply", "2")
    second.wait_for_turn()
    by_mouse(second, second.best())
    expect(first.status).to_have_attribute("data-ply", "4")


def test_a_killed_server_loses_no_move(open_page: OpenPage, private_server: Server, monitor: PageMonitor) -> None:
    # With this seed, no capture is forced after the reply, so that a move takes two clicks.
    seat = Seat(open_page("/", address=private_server.address)).begin("checkers")
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    before = seat.game()["position"]["text"]
    path = seat.best()
    monitor.server_down = True
    private_server.kill()
    expect(seat.page.get_by_text("Connection lost. Your game is saved.")).to_be_visible()
    # A move made while offline is shown at once and sent when the server is back.
    by_mouse(seat, path)
    private_server.start()
    expect(seat.page.get_by_text("Connection lost. Your game is saved.")).to_be_hidden()
    expect(seat.status).to_have_attribute("data-ply", "4")
    assert seat.wait_for_turn() == "yours"
    game = seat.game()
    assert game["moves"][0]["text"] == "11-15"
    assert game["position"]["text"] != before
    seat.page.reload()
    seat.ready()
    assert seat.ply == 4


def test_another_visitors_game_is_not_found(seat: Seat, open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    other = open_page(f"/play/{seat.id}")
    expect(other.get_by_role("alert").first).to_contain_text("Game not found")
    other.get_by_role("button", name="New game").click()
    expect(other.get_by_role("grid")).to_be_visible()
