"""Accessibility: axe-core on every page, screen readers, keyboard, reduced motion and forced colours."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.accessibility import violations
from browser.conftest import DESKTOP, PHONE, OpenPage
from browser.seat import Seat, by_mouse, reach

PAGES = ["/", "/analyse", "/watch", "/arena", "/train", "/library", "/nowhere"]
SIZES = {"desktop": DESKTOP, "phone": PHONE}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("address", PAGES)
def test_pages_have_no_violations(open_page: OpenPage, address: str, size: str, dark: bool) -> None:
    page = open_page(address, size=SIZES[size], dark=dark)
    page.get_by_role("heading").first.wait_for(state="attached")
    if address == "/":
        Seat(page).ready()
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_game_has_no_violations(open_page: OpenPage, dark: bool) -> None:
    seat = Seat(open_page("/", dark=dark)).ready()
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.keyboard.press(" ")
    seat.page.get_by_role("region", name="Search").locator("tbody tr").first.wait_for()
    seat.square(seat.best()[0]).click()
    assert violations(seat.page) == []
    seat.page.get_by_role("button", name="More").click()
    assert violations(seat.page) == []
    seat.page.keyboard.press("Escape")
    seat.page.keyboard.press("n")
    seat.page.get_by_role("dialog", name="New game").wait_for()
    assert violations(seat.page) == []
    seat.page.keyboard.press("Escape")
    seat.page.get_by_role("button", name="Resign").click()
    seat.page.get_by_role("button", name="Sure?").click()
    seat.page.get_by_text("Medium won").wait_for()
    assert violations(seat.page) == []


def test_moves_are_announced_to_screen_readers(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    expect(seat.page.get_by_role("status").filter(has_text=re.compile(r"Medium: \d+-\d+\.")).first).to_be_attached()


def test_the_board_is_a_single_tab_stop(seat: Seat) -> None:
    reach(seat.page, "[data-square]")
    assert seat.board.locator('[tabindex="0"]').count() == 1
    seat.page.keyboard.press("Tab")
    assert not seat.page.evaluate("document.activeElement.matches('[data-square]')")


def test_reduced_motion_disables_animations(open_page: OpenPage) -> None:
    seat = Seat(open_page("/", reduced_motion="reduce")).ready()
    seat.square("11").click()
    seat.square("15").click()
    assert (
        seat.page.evaluate(
            "document.getAnimations().filter(animation => animation.effect.getTiming().duration > 10).length"
        )
        == 0
    )


def test_pieces_differ_in_forced_colours(open_page: OpenPage) -> None:
    page = open_page("/", forced_colors="active")
    Seat(page).ready()
    fills = page.evaluate(
        "['disc-black', 'disc-white'].map(id => getComputedStyle(document.querySelector(`#${id} [class*=-edge]`)).fill)"
    )
    assert fills[0] != fills[1]
