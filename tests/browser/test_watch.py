"""The Watch page: playback, taking over a side, stepping back, and the end of the game."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from browser.accessibility import each_layout, violations
from browser.conftest import OpenPage, PageMonitor


def begin(page: Page, **request: Any) -> str:
    """Start a game between agents, open it on the Watch page and return its ID."""
    body = {"game": "checkers", "humans": 0, "player": "Easy", "second": "Medium", "seed": 4, **request}
    answer = page.request.post("/api/games", data=body)
    assert answer.ok, answer.text()
    page.goto(f"/watch/{answer.json()['id']}")
    page.get_by_role("grid").wait_for()
    return str(answer.json()["id"])


def watched(page: Page) -> Locator:
    """Return the element that shows the ply and the playback state."""
    return page.locator("[data-state]").first


def current_ply(page: Page) -> int:
    """Return the number of moves played, as shown on the page."""
    return int(watched(page).get_attribute("data-ply") or 0)


def wait_for_ply(page: Page, minimum: int) -> None:
    """Wait until at least `minimum` moves have been played."""
    page.wait_for_function(
        "minimum => Number(document.querySelector('[data-ply]').dataset.ply) >= minimum", arg=minimum
    )


def step(page: Page, count: int) -> None:
    """Step a paused game forward by `count` moves, one at a time."""
    for ply in range(current_ply(page), current_ply(page) + count):
        page.get_by_role("button", name="Step").click()
        expect(watched(page)).to_have_attribute("data-ply", str(ply + 1))


def test_two_agents_are_chosen_and_watched_to_the_end(open_page: OpenPage) -> None:
    page = open_page("/watch?game=tictactoe")
    page.get_by_role("combobox", name="X player", exact=True).select_option("Easy")
    page.get_by_role("combobox", name="O player", exact=True).select_option("Custom agent…")
    page.get_by_label("Simulations", exact=True).fill("300")
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url("**/watch/*")
    expect(page.get_by_role("img", name=re.compile(r"Evaluation \(X's view\)\. Easy: from"))).to_be_visible()
    expect(page.get_by_role("region", name="Search statistics for O")).to_contain_text("sims")
    expect(watched(page)).to_have_attribute("data-state", "over")
    expect(page.get_by_role("link", name="Analyse").last).to_have_attribute("href", re.compile(r"/analyse/[\w-]{16}"))
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("[data-side=o]")).to_contain_text("Easy")
    page.goto("/watch?game=tictactoe")
    expect(page.get_by_role("link", name=re.compile("Easy – mcts"))).to_be_visible()


def test_form_errors_and_server_errors_are_shown(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    page = open_page("/watch?game=checkers&first=nobody(depth=3)")
    page.get_by_role("button", name="Start game").click()
    expect(page.get_by_role("alert")).to_contain_text("Unknown agent nobody")
    page.get_by_label("Black player: spec").fill(
        "mcts(evaluator=nobody)"
    )  # only the server knows the registered evaluators
    page.get_by_role("button", name="Start game").click()
    expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_a_game_steps_resumes_and_pauses(open_page: OpenPage) -> None:
    page = open_page(None)
    begin(page, paused=True)
    step(page, 2)
    page.wait_for_timeout(400)
    expect(watched(page)).to_have_attribute("data-ply", "2")
    expect(watched(page)).to_have_attribute("data-state", "paused")
    page.get_by_role("combobox", name="Speed").select_option("8 s per move")
    page.get_by_role("button", name="Resume").click()
    expect(watched(page)).to_have_attribute("data-state", "running")
    page.reload()
    expect(watched(page)).to_have_attribute("data-state", "running")
    page.keyboard.press(" ")
    expect(watched(page)).to_have_attribute("data-state", "paused")
    page.keyboard.press(" ")
    expect(watched(page)).to_have_attribute("data-state", "running")
    page.get_by_role("combobox", name="Speed").select_option("No delay")
    wait_for_ply(page, 6)


def test_a_side_is_taken_over_and_handed_back(open_page: OpenPage) -> None:
    page = open_page(None)
    begin(page, paused=True)
    page.get_by_title("Change black player").click()
    page.get_by_role("button", name="Take over black").click()
    expect(watched(page)).to_have_attribute("data-state", "yours")
    page.locator('[data-square="11"]').click()
    page.locator('[data-square="15"]').click()
    wait_for_ply(page, 2)  # the agent replies
    expect(page.get_by_role("region", name="Moves")).to_contain_text("11-15")
    page.get_by_title("Change black player").click()
    page.get_by_role("button", name="Presets and custom agents…").click()
    dialog = page.get_by_role("dialog", name="Change black player")
    dialog.get_by_text("Presets", exact=True).click()
    dialog.get_by_role("button", name="Change").click()
    expect(page.locator("[data-side=black]")).to_contain_text("uct")
    page.get_by_title("Change black player").click()
    page.get_by_role("button", name="Take over black").click()
    expect(watched(page)).to_have_attribute("data-state", "yours")
    page.get_by_title("Change black player").click()
    page.get_by_role("button", name="Hand back black").click()
    expect(watched(page)).to_have_attribute("data-state", "paused")
    page.get_by_role("button", name="Resume").click()
    wait_for_ply(page, 4)


def test_earlier_positions_can_be_opened_from_the_list_the_keyboard_and_the_chart(open_page: OpenPage) -> None:
    page = open_page(None)
    begin(page, paused=True)
    step(page, 6)
    page.get_by_role("region", name="Moves").get_by_role("button").nth(1).click()
    expect(page.get_by_text(re.compile(r"Ply 2 of 6"))).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"Ply 3 of 6"))).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    page.get_by_text("Show as table").click()
    table = page.get_by_role("region", name=re.compile(", table$"))
    expect(table.locator("tbody tr").nth(5)).to_be_visible()
    expect(table.locator("tbody tr").first).to_contain_text("%")
    page.get_by_role("button", name="All statistics for White").click()
    expect(page.get_by_role("region", name="Search")).to_contain_text("simulations")


def test_a_copied_link_opens_the_game_for_others(open_page: OpenPage) -> None:
    page = open_page(None, permissions=["clipboard-read", "clipboard-write"])
    begin(page, move_delay=0.1)
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied").wait_for()
    address = page.evaluate("navigator.clipboard.readText()")
    other = open_page(address)
    assert "/shared/" in other.url
    other.get_by_role("grid", name=re.compile("Checkers")).wait_for()


def test_another_visitors_game_is_not_found(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    page = open_page(None)
    id_ = begin(page, paused=True)
    other = open_page(f"/watch/{id_}")
    expect(other.get_by_role("alert")).to_contain_text("Game not found")


def test_a_watched_game_has_no_accessibility_violations(open_page: OpenPage) -> None:
    page = open_page(None)
    begin(page, paused=True)
    step(page, 3)
    page.locator(".uplot").wait_for(state="attached")
    page.get_by_text("Show as table").click()
    for phone in each_layout(page):
        assert violations(page) == []
        page.get_by_title("Change black player").click()
        if phone:
            page.get_by_role("tab", name="Search").click()
        assert violations(page) == []
        page.keyboard.press("Escape")
        if phone:
            page.get_by_role("tab", name="Evaluation").click()
