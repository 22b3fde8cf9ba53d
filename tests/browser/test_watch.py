"""Watching two agents: going on, waiting, one move at a time, taking a side over, looking back, the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from browser.conftest import DESK, PHONE, OpenPage
from browser.test_access import violations


def begin(page: Page, **wanted: Any) -> str:
    """A game between agents, opened on the Watch page; its id."""
    body = {"game": "checkers", "people": 0, "player": "Easy", "second": "Medium", "seed": 4, **wanted}
    answer = page.request.post("/api/games", data=body)
    assert answer.ok, answer.text()
    page.goto(f"/watch/{answer.json()['id']}")
    page.get_by_role("grid").wait_for()
    return str(answer.json()["id"])


def stage(page: Page) -> Locator:
    """What carries the ply and how the game goes on."""
    return page.locator("[data-state]").first


def wait_for_ply(page: Page, least: int) -> int:
    """Waits for a move; the ply then."""
    page.wait_for_function("least => Number(document.querySelector('[data-ply]').dataset.ply) >= least", arg=least)
    return int(stage(page).get_attribute("data-ply") or 0)


def every_look(page: Page) -> Iterator[bool]:
    """Shows a page light and dark, at a desk and on a phone; whether it is a phone."""
    for size in (DESK, PHONE):
        for scheme in ("light", "dark"):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(300)
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "the page is too wide"
            yield size == PHONE


def steps(page: Page, count: int) -> None:
    """Lets a game that waits make some moves."""
    for _ in range(count):
        ply = int(stage(page).get_attribute("data-ply") or 0)
        page.get_by_role("button", name="Step").click()
        wait_for_ply(page, ply + 1)


def test_any_two_are_chosen_and_watched_to_the_end(open_page: OpenPage) -> None:
    page = open_page("/watch?game=tictactoe")
    page.get_by_role("combobox", name="Who plays x", exact=True).select_option("Easy")
    page.get_by_role("combobox", name="Who plays o", exact=True).select_option("An agent by its spec…")
    page.get_by_label("Who plays o: spec").fill("mcts(simulations=300)")
    page.get_by_role("button", name="Watch them play").click()
    page.wait_for_url("**/watch/*")
    expect(page.get_by_role("img", name=re.compile("What x may expect. Easy: from"))).to_be_visible()
    expect(page.get_by_role("region", name="What o thinks")).to_contain_text("sims")
    expect(stage(page)).to_have_attribute("data-state", "over")
    expect(page.get_by_role("link", name="Analyse").last).to_have_attribute("href", re.compile(r"/analyse/\d+"))
    first = page.url
    page.get_by_role("button", name="Again").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("[data-side=o]")).to_contain_text("Easy")
    page.goto("/watch?game=tictactoe")
    expect(page.get_by_role("link", name=re.compile("Easy – mcts"))).to_be_visible()


def test_a_spec_that_is_wrong_is_told_in_place(open_page: OpenPage, watch: Any) -> None:
    watch.refused = True
    page = open_page("/watch?game=checkers&first=nobody(depth=3)")
    page.get_by_role("button", name="Watch them play").click()
    expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_it_waits_steps_and_goes_on(open_page: OpenPage) -> None:
    page = open_page(None)
    begin(page, seconds=0.1)
    wait_for_ply(page, 2)
    page.keyboard.press(" ")
    expect(stage(page)).to_have_attribute("data-state", "paused")
    ply = int(stage(page).get_attribute("data-ply") or 0)
    page.wait_for_timeout(600)
    assert wait_for_ply(page, ply) <= ply + 1  # a move may have been on its way
    ply = int(stage(page).get_attribute("data-ply") or 0)
    page.get_by_role("button", name="Step").click()
    assert wait_for_ply(page, ply + 1) == ply + 1
    page.wait_for_timeout(400)
    expect(stage(page)).to_have_attribute("data-ply", str(ply + 1))
    page.get_by_role("combobox", name="Speed").select_option("As fast as they think")
    page.get_by_role("button", name="Resume").click()
    wait_for_ply(page, ply + 4)
    page.reload()
    expect(stage(page)).to_have_attribute("data-state", "running")
    wait_for_ply(page, ply + 5)


def test_a_side_is_taken_over_and_given_back(open_page: OpenPage) -> None:
    page = open_page(None)
    begin(page, paused=True)
    page.get_by_title("Who plays black").click()
    page.get_by_role("button", name="Take black over").click()
    expect(stage(page)).to_have_attribute("data-state", "yours")
    page.locator('[data-square="11"]').click()
    page.locator('[data-square="15"]').click()
    wait_for_ply(page, 2)  # the agent answers
    expect(page.get_by_role("region", name="Moves")).to_contain_text("11-15")
    page.get_by_title("Who plays black").click()
    page.get_by_role("button", name="Give back to Easy").click()
    expect(stage(page)).to_have_attribute("data-state", "paused")
    page.get_by_role("button", name="Resume").click()
    wait_for_ply(page, 4)


def test_moves_are_looked_at_by_list_graph_and_keys(open_page: OpenPage) -> None:
    page = open_page(None)
    begin(page, paused=True)
    steps(page, 6)
    page.get_by_role("region", name="Moves").get_by_role("button").nth(1).click()
    expect(page.get_by_text(re.compile(r"Move 2 of \d+"))).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"Move 3 of \d+"))).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    page.get_by_text("As a table").click()
    table = page.get_by_role("region", name=re.compile("as a table"))
    expect(table.locator("tbody tr").nth(5)).to_be_visible()
    expect(table.locator("tbody tr").first).to_contain_text("%")
    page.get_by_role("button", name="All numbers of white").click()
    expect(page.get_by_role("region", name="Search")).to_contain_text("simulations")


def test_others_look_on_by_a_link(open_page: OpenPage) -> None:
    page = open_page(None, permissions=["clipboard-read", "clipboard-write"])
    begin(page, seconds=0.1)
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_text("Link copied").wait_for()
    address = page.evaluate("navigator.clipboard.readText()")
    other = open_page(address)
    assert "/shared/" in other.url
    other.get_by_role("grid", name=re.compile("Checkers")).wait_for()


def test_somebody_elses_game_is_not_there(open_page: OpenPage, watch: Any) -> None:
    watch.refused = True
    page = open_page(None)
    id_ = begin(page, paused=True)
    other = open_page(f"/watch/{id_}")
    expect(other.get_by_role("alert")).to_contain_text("no such game")


def test_a_watched_game_has_no_violations(open_page: OpenPage, web: Path) -> None:
    page = open_page(None)
    begin(page, paused=True)
    steps(page, 3)
    page.locator(".uplot").wait_for(state="attached")
    page.get_by_text("As a table").click()
    for phone in every_look(page):
        assert violations(page, web) == []
        page.get_by_title("Who plays black").click()
        if phone:
            page.get_by_role("tab", name="Search").click()
        assert violations(page, web) == []
        page.keyboard.press("Escape")
        if phone:
            page.get_by_role("tab", name="Beliefs").click()
