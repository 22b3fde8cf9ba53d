"""Comparing agents on the Analyse page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.accessibility import each_layout, violations
from browser.conftest import DESKTOP, PHONE, OpenPage, PageMonitor

SIZES = {"desk": DESKTOP, "phone": PHONE}
THREAT = "/analyse?game=connect4&moves=4+4+5+5"
"""Red wins with 3 or 6."""


def open_comparison(page: Page) -> None:
    """Open the panel, and keep only the agents with a limit that is not time."""
    page.get_by_role("button", name="Compare agents").click()
    expect(page.get_by_role("button", name="Remove flat", exact=True)).to_be_visible()
    others = page.get_by_role("button", name=re.compile("^Remove (?!flat$)"))
    while others.count() > 0:
        others.first.click()


def add(page: Page, text: str) -> None:
    """Add an agent by its spec."""
    page.get_by_role("button", name="Add agent").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Agent", exact=True).select_option("Custom agent…")
    dialog.get_by_label("Agent: spec").fill(text)
    dialog.get_by_role("button", name="Add", exact=True).click()


@pytest.mark.parametrize("size", SIZES)
def test_agents_are_compared_and_their_moves_shown_as_arrows(open_page: OpenPage, size: str) -> None:
    page = open_page(THREAT, size=SIZES[size])
    open_comparison(page)
    add(page, "solver")
    add(page, "alphabeta(depth=3)")
    page.get_by_role("button", name="Compare", exact=True).click()
    rows = page.get_by_role("region", name="Moves of the agents").locator("tbody tr")
    names = ["flat", "solver", "alphabeta(depth=3)"]
    expect(rows).to_have_count(len(names))
    for row, name in zip(rows.all(), names, strict=True):
        expect(row.get_by_role("button", name=name, exact=True)).to_be_visible()
        expect(row).to_contain_text(re.compile(r"\d s"))
    expect(rows.nth(1)).to_contain_text("win in 3")
    expect(page.get_by_text("Exact value of the position: win in 3")).to_be_visible()
    pick = rows.nth(1).get_by_role("button", name="solver", exact=True)
    pick.click()
    expect(pick).to_have_attribute("aria-pressed", "true")
    expect(page.locator("svg g.line")).to_have_count(1)
    pick.click()
    expect(page.locator("svg g.line")).to_have_count(0)


def test_an_agent_that_fails_does_not_end_the_comparison(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    page = open_page("/analyse?game=chess")
    open_comparison(page)
    add(page, "solver")
    add(page, "random")
    page.get_by_role("button", name="Compare", exact=True).click()
    rows = page.get_by_role("region", name="Moves of the agents").locator("tbody tr")
    expect(rows.nth(1).get_by_role("alert")).to_contain_text("chess")
    expect(rows.nth(2)).to_contain_text(re.compile(r"\d s"))


def test_the_moves_disappear_with_the_position(open_page: OpenPage) -> None:
    page = open_page(THREAT)
    open_comparison(page)
    page.get_by_role("button", name="Compare", exact=True).click()
    row = page.get_by_role("region", name="Moves of the agents").locator("tbody tr").first
    expect(row).to_contain_text(re.compile(r"\d s"))
    page.keyboard.press("ArrowLeft")
    expect(row).not_to_contain_text(re.compile(r"\d s"))
    page.get_by_role("button", name="Close the comparison").click()
    expect(page.get_by_role("button", name="Engine", exact=True)).to_be_visible()


def test_the_comparison_has_no_violations(open_page: OpenPage) -> None:
    page = open_page(THREAT)
    open_comparison(page)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("Exact value of the position")).to_be_visible()
    for _ in each_layout(page):
        assert violations(page) == []
