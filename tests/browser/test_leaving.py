"""Pages that are left while something is still on its way to them."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route

from browser.conftest import OpenPage


@pytest.mark.parametrize(
    ("address", "request_for", "link", "there"),
    [
        ("/", "**/api/games/current*", "Watch", "/watch"),
        ("/watch?game=tictactoe", "**/api/training/runs", "Library", "/library"),
        ("/watch?game=tictactoe", "**/api/games?*", "Library", "/library"),
        ("/analyse?game=chess", "**/api/lines", "Library", "/library"),
    ],
)
def test_answers_that_come_after_a_page_was_left_change_nothing(
    open_page: OpenPage, address: str, request_for: str, link: str, there: str
) -> None:
    page = open_page(None)
    late: list[Route] = []
    here = True
    page.route(request_for, lambda route: late.append(route) if here else route.continue_())
    page.goto(address)
    page.wait_for_timeout(500)
    here = False
    page.get_by_role("link", name=link, exact=True).click()
    page.wait_for_url(f"**{there}*")
    page.wait_for_timeout(300)
    assert late
    for held in late:
        held.continue_()
    page.wait_for_timeout(700)
    assert urlsplit(page.url).path == there
