"""Every page for everybody: axe-core finds nothing to complain about, light and dark, at a desk and on a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, PHONE, OpenPage
from browser.hands import Seat, by_mouse, reach

PAGES = ["/", "/analyse", "/watch", "/arena", "/train", "/library", "/nowhere"]
SIZES = {"desk": DESK, "phone": PHONE}


def violations(page: Page, web: Path) -> list[str]:
    """What axe-core says of a page as it is now, once colours that fade from one to another have come to rest."""
    page.evaluate(
        """() => Promise.allSettled(document.getAnimations()
            .filter((one) => one.effect.getComputedTiming().endTime < 10_000).map((one) => one.finished))"""
    )
    source = (web / "node_modules/axe-core/axe.min.js").read_text()
    page.evaluate(f"() => {{ {source} }}")
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("address", PAGES)
def test_no_page_has_violations(open_page: OpenPage, web: Path, address: str, size: str, dark: bool) -> None:
    page = open_page(address, size=SIZES[size], dark=dark)
    page.get_by_role("heading").first.wait_for(state="attached")
    if address == "/":
        Seat(page).ready()
    page.wait_for_timeout(300)
    assert violations(page, web) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_state_of_a_game_has_violations(open_page: OpenPage, web: Path, dark: bool) -> None:
    seat = Seat(open_page("/", dark=dark)).ready()
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.keyboard.press(" ")
    seat.page.get_by_role("region", name="Search").locator("tbody tr").first.wait_for()
    seat.square(seat.best()[0]).click()
    assert violations(seat.page, web) == []
    seat.page.get_by_role("button", name="More").click()
    assert violations(seat.page, web) == []
    seat.page.keyboard.press("Escape")
    seat.page.keyboard.press("n")
    seat.page.get_by_role("dialog", name="New game").wait_for()
    assert violations(seat.page, web) == []
    seat.page.keyboard.press("Escape")
    seat.page.get_by_role("button", name="Resign").click()
    seat.page.get_by_role("button", name="Sure?").click()
    seat.page.get_by_text("Medium won").wait_for()
    assert violations(seat.page, web) == []


def test_a_move_is_said_once_to_screen_readers(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    expect(seat.page.get_by_role("status").filter(has_text=re.compile(r"Medium: \d+-\d+\.")).first).to_be_attached()


def test_the_board_is_one_tab_stop(seat: Seat) -> None:
    reach(seat.page, "[data-square]")
    assert seat.board.locator('[tabindex="0"]').count() == 1
    seat.page.keyboard.press("Tab")
    assert not seat.page.evaluate("document.activeElement.matches('[data-square]')")


def test_without_motion_nothing_is_animated(open_page: OpenPage) -> None:
    seat = Seat(open_page("/", reduced_motion="reduce")).ready()
    seat.square("11").click()
    seat.square("15").click()
    assert (
        seat.page.evaluate("document.getAnimations().filter(one => one.effect.getTiming().duration > 10).length") == 0
    )


def test_forced_colours_keep_the_pieces_apart(open_page: OpenPage) -> None:
    page = open_page("/", forced_colors="active")
    Seat(page).ready()
    fills = page.evaluate(
        "['disc-black', 'disc-white'].map(id => getComputedStyle(document.querySelector(`#${id} [class*=-edge]`)).fill)"
    )
    assert fills[0] != fills[1]
