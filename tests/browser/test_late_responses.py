"""Responses that arrive after the visitor has left the page."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route

from browser.accessibility import next_frame
from browser.conftest import OpenPage, wait_until


@pytest.mark.parametrize(
    ("address", "request_url", "link", "destination"),
    [
        ("/", "**/api/games/current*", "Watch", "/watch"),
        ("/watch?game=tictactoe", "**/api/training/runs", "Library", "/library"),
        ("/watch?game=tictactoe", "**/api/games?*", "Library", "/library"),
        ("/analyse?game=chess", "**/api/game-trees", "Library", "/library"),
    ],
)
def test_a_response_for_the_previous_page_changes_nothing(
    open_page: OpenPage, address: str, request_url: str, link: str, destination: str
) -> None:
    page = open_page(None)
    delayed: list[Route] = []
    delaying = True
    page.route(request_url, lambda route: delayed.append(route) if delaying else route.continue_())
    page.goto(address)
    wait_until(page, lambda: delayed)
    delaying = False
    page.get_by_role("link", name=link, exact=True).click()
    page.wait_for_url(f"**{destination}*")
    for route in delayed:
        with page.expect_response(route.request.url):
            route.continue_()
    next_frame(page)
    assert urlsplit(page.url).path == destination
