"""The tree of a search: as a tree, an icicle and a list, live and step by step."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.conftest import DESK, PHONE, OpenPage
from browser.hands import Seat
from browser.test_access import violations

BOARD = "/analyse?game=connect4&moves=4+4+4+4+4+2&view=tree"
SIZES = {"desk": DESK, "phone": PHONE}


def stage(page: Page) -> Locator:
    """The canvas and what is around it."""
    return page.locator("[data-nodes]")


def grown(page: Page, nodes: int = 100) -> Locator:
    """Waits until the tree has so many nodes."""
    page.wait_for_function("n => Number(document.querySelector('[data-nodes]')?.dataset.nodes ?? 0) >= n", arg=nodes)
    return stage(page)


def choose(page: Page, words: str) -> None:
    """Presses one of the strips of choices."""
    page.locator(".tree header").get_by_text(words, exact=True).click()


def picture(page: Page) -> str:
    """What is drawn; an empty canvas is a short text."""
    return str(page.evaluate("document.querySelector('[data-nodes] canvas').toDataURL()"))


def test_play_leads_to_the_tree_of_its_position(open_page: OpenPage) -> None:
    seat = Seat(open_page("/")).ready()
    seat.page.get_by_role("link", name="Tree").click()
    seat.page.wait_for_url("**/analyse?play=*")
    grown(seat.page)
    assert "view=tree" in seat.page.url
    assert len(picture(seat.page)) > 10_000


def test_the_tree_grows_stops_and_can_be_pinned(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    grown(page, 400)
    page.get_by_role("button", name="Pin").click()
    details = page.get_by_role("region", name="Node")
    page.wait_for_timeout(300)
    pinned = details.inner_text()
    page.wait_for_timeout(600)
    assert details.inner_text() == pinned
    page.get_by_role("button", name="Pin").click()
    expect(details).not_to_have_text(pinned, use_inner_text=True)
    page.locator(".tree").get_by_role("button", name="Stop").click()
    expect(page.locator(".tree").get_by_role("button", name="Grow")).to_be_visible()
    page.wait_for_timeout(400)
    stays = details.inner_text()
    page.wait_for_timeout(500)
    assert details.inner_text() == stays
    page.get_by_label("Nodes at most").select_option("2000")
    grown(page, 1500)
    assert int(stage(page).get_attribute("data-nodes") or 0) <= 2000


def test_a_node_tells_its_board_and_its_formula_filled_in(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    grown(page, 300).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Pin").click()
    details = page.get_by_role("region", name="Node")
    expect(details.get_by_role("img")).to_be_visible()
    told = details.locator(".numbers").inner_text()
    found = re.fullmatch(r"([\d.]+) \+ ([\d.]+)·√\(ln (\d+) / (\d+)\) = ([\d.]+)", told)
    assert found, told
    value, c, above, visits, total = (float(part) for part in found.groups())
    assert value + c * math.sqrt(math.log(above) / visits) == pytest.approx(total, abs=0.002)
    move = details.locator(".way button").last.inner_text()
    details.get_by_role("button", name="To the board").click()
    expect(page.get_by_role("region", name="Moves").get_by_role("button", name=move).last).to_have_attribute(
        "aria-current", "true"
    )


def test_the_picture_is_pressed_dragged_zoomed_and_points_at_boards(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    box = grown(page, 300).bounding_box()
    assert box
    page.get_by_role("button", name="Pin").click()
    page.mouse.move(box["x"] + 18, box["y"] + box["height"] / 2)
    tip = page.locator(".tip")
    expect(tip).to_contain_text("Position")
    expect(tip.locator("svg")).to_be_visible()
    page.wait_for_timeout(300)
    before = picture(page)
    page.get_by_role("button", name="Closer").click()
    page.wait_for_timeout(200)
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 150, steps=4)
    page.mouse.up()
    page.wait_for_timeout(200)
    assert picture(page) != before
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(100)
    page.get_by_role("button", name="All").click()
    page.wait_for_timeout(200)
    page.mouse.move(0, 0)
    stage(page).focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="Node").locator(".way button")).to_have_count(2)


def test_the_icicle_and_the_list_show_the_same_tree(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    grown(page, 300)
    page.get_by_role("button", name="Pin").click()
    choose(page, "Icicle")
    page.wait_for_timeout(300)
    assert len(picture(page)) > 10_000
    choose(page, "List")
    tree = page.get_by_role("tree")
    items = tree.get_by_role("treeitem")
    expect(items.first).to_have_attribute("aria-expanded", "true")
    visits = [
        int(text.replace(",", ""))
        for text in re.findall(r"([\d,]+) visits", tree.inner_text())
        if text.replace(",", "").isdigit()
    ]
    assert visits[0] >= sum(visits[1:])
    items.first.focus()
    before = items.count()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(items.nth(1)).to_have_attribute("aria-expanded", "true")
    assert items.count() > before
    page.keyboard.press("Enter")
    expect(items.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(items.nth(2)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(items).to_have_count(before)


def test_nodes_that_are_not_drawn_stand_as_stubs(open_page: OpenPage) -> None:
    page = open_page("/analyse?view=tree&game=chess")
    grown(page, 400)
    page.get_by_label("Nodes at most").select_option("150")
    page.get_by_role("button", name="Stop").last.click()
    choose(page, "List")
    tree = page.get_by_role("tree")
    expect(tree.get_by_role("treeitem")).to_have_count(21)
    tree.get_by_role("treeitem").last.click()
    expect(tree.get_by_text(re.compile(r"^\+\d+ moves?, ([\d,]+ visits?|not tried)$")).first).to_be_visible()


def test_looking_closer_brings_more_of_a_branch(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    grown(page, 300).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Look closer").click()
    chip = page.get_by_role("button", name=re.compile("^Closest at"))
    expect(chip).to_be_visible()
    chip.click()
    expect(chip).to_have_count(0)


def test_an_iteration_is_shown_phase_by_phase(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=tictactoe&moves=b2&view=tree")
    page.get_by_role("grid").wait_for()
    choose(page, "Step by step")
    steps = page.get_by_role("region", name="Step by step")
    expect(steps.locator("[data-iteration]")).to_have_attribute("data-iteration", "1")
    current = steps.locator("[aria-current=step]")
    expect(current).to_contain_text("Selection")
    following = steps.get_by_role("button", name="Next", exact=True)
    for phase, told in (("Expansion", "becomes a new node"), ("Playout", "random moves"), ("Back-up", "goes back up")):
        following.click()
        expect(current).to_contain_text(phase)
        expect(steps.get_by_text(re.compile(told))).to_be_visible()
    following.click()
    expect(steps.locator("[data-iteration]")).to_have_attribute("data-iteration", "2")
    expect(current).to_contain_text("Selection")
    steps.get_by_role("button", name="+100").click()
    expect(steps.locator("[data-iteration]")).to_have_attribute("data-iteration", "102")
    assert int(grown(page, 50).get_attribute("data-nodes") or 0) <= 103
    steps.get_by_role("button", name="Selection").click()
    chosen = steps.locator("tr.chosen").first.locator("td").all_inner_texts()
    assert float(chosen[0]) + float(chosen[1]) == pytest.approx(float(chosen[2]), abs=0.002)
    steps.get_by_role("button", name="Play", exact=True).click()
    expect(steps.locator("[data-iteration]")).to_have_attribute("data-iteration", "103")
    steps.get_by_role("button", name="Pause").click()
    steps.get_by_role("button", name="Again").click()
    expect(steps.locator("[data-iteration]")).to_have_attribute("data-iteration", "1")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_no_shape_of_the_tree_has_violations(open_page: OpenPage, web: Path, size: str, dark: bool) -> None:
    page = open_page(BOARD, size=SIZES[size], dark=dark)
    grown(page)
    page.get_by_role("button", name="Pin").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    assert violations(page, web) == []
    choose(page, "List")
    page.get_by_role("tree").wait_for()
    assert violations(page, web) == []
    choose(page, "Step by step")
    page.locator("[data-iteration]").wait_for()
    assert violations(page, web) == []
