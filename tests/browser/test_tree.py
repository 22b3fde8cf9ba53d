"""The search tree: as a tree, an icicle chart and a list, live and step by step."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from browser.accessibility import next_frame, violations
from browser.conftest import DESKTOP, PHONE, OpenPage
from browser.seat import Seat

BOARD = "/analyse?game=connect4&moves=4+4+4+4+4+2&view=tree"
SIZES = {"desktop": DESKTOP, "phone": PHONE}
STUB = re.compile(r"^\+\d+ moves?, ([\d,]+ visits?|not visited)$")


def canvas(page: Page) -> Locator:
    """Return the element around the canvas, whose `data-nodes` attribute is the number of nodes."""
    return page.locator("[data-nodes]")


def wait_for_nodes(page: Page, minimum: int = 100) -> Locator:
    """Wait until the tree has at least `minimum` nodes."""
    page.wait_for_function(
        "minimum => Number(document.querySelector('[data-nodes]')?.dataset.nodes ?? 0) >= minimum", arg=minimum
    )
    return canvas(page)


def wait_for_trees(socket: WebSocket, count: int) -> None:
    """Wait until the page has received `count` more trees from the server."""
    for _ in range(count):
        socket.wait_for_event("framereceived", lambda frame: '"type":"tree"' in str(frame).replace(" ", ""))


def choose(page: Page, label: str) -> None:
    """Click an option in the toolbar."""
    page.locator(".tree header").get_by_text(label, exact=True).click()


def picture(page: Page) -> str:
    """Return the drawing as a data URL, once its animation has finished."""
    next_frame(page)
    page.locator("[data-nodes] canvas[data-drawn=done]").wait_for()
    return str(page.evaluate("document.querySelector('[data-nodes] canvas').toDataURL()"))


def test_the_play_page_links_to_the_tree_of_its_position(open_page: OpenPage) -> None:
    seat = Seat(open_page("/")).ready()
    seat.page.get_by_role("link", name="Tree").click()
    seat.page.wait_for_url("**/analyse?play=*")
    wait_for_nodes(seat.page)
    assert "view=tree" in seat.page.url
    assert len(picture(seat.page)) > 10_000


def test_a_pinned_tree_does_not_change(open_page: OpenPage) -> None:
    page = open_page(None)
    with page.expect_websocket() as opened:
        page.goto(BOARD)
    wait_for_nodes(page)
    details = page.get_by_role("region", name="Node")
    expect(details.get_by_role("img")).to_be_visible()
    page.get_by_role("button", name="Pin").click()
    pinned = details.inner_text()
    wait_for_trees(opened.value, 3)
    next_frame(page)
    assert details.inner_text() == pinned
    page.get_by_role("button", name="Pin").click()
    expect(details).not_to_have_text(pinned, use_inner_text=True)


def test_a_stopped_search_keeps_its_tree(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    wait_for_nodes(page)
    page.get_by_label("Maximum nodes").select_option("2000")
    wait_for_nodes(page, 1500)
    tree = page.locator(".tree")
    tree.get_by_role("button", name="Stop").click()
    expect(tree.get_by_role("button", name="Search")).to_be_visible()
    next_frame(page)
    assert 1500 <= int(canvas(page).get_attribute("data-nodes") or 0) <= 2000


def test_a_node_shows_its_board_and_its_formula(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    wait_for_nodes(page).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Pin").click()
    details = page.get_by_role("region", name="Node")
    expect(details.get_by_role("img")).to_be_visible()
    formula = details.locator(".numbers").inner_text()
    match = re.fullmatch(r"([\d.]+) \+ ([\d.]+)·√\(ln (\d+) / (\d+)\) = ([\d.]+)", formula)
    assert match, formula
    value, c, parent_visits, visits, score = (float(part) for part in match.groups())
    assert value + c * math.sqrt(math.log(parent_visits) / visits) == pytest.approx(score, abs=0.002)
    move = details.locator(".path button").last.inner_text()
    details.get_by_role("button", name="Show on board").click()
    expect(page.get_by_role("region", name="Moves").get_by_role("button", name=move).last).to_have_attribute(
        "aria-current", "true"
    )


def test_the_canvas_can_be_hovered_zoomed_and_dragged(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    box = wait_for_nodes(page).bounding_box()
    assert box
    page.get_by_role("button", name="Pin").click()
    page.mouse.move(box["x"] + 18, box["y"] + box["height"] / 2)
    tooltip = page.locator(".tooltip")
    expect(tooltip).to_contain_text("Root")
    expect(tooltip.locator("svg")).to_be_visible()
    page.mouse.move(0, 0)
    fitted = picture(page)
    page.get_by_role("button", name="Zoom in").click()
    zoomed = picture(page)
    assert zoomed != fitted
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 150, steps=4)
    page.mouse.up()
    page.mouse.move(0, 0)
    dragged = picture(page)
    assert dragged != zoomed
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.wheel(0, -300)
    page.mouse.move(0, 0)
    assert picture(page) != dragged
    page.get_by_role("button", name="Fit", exact=True).click()
    page.mouse.move(0, 0)
    canvas(page).focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="Node").locator(".path button")).to_have_count(2)


def test_the_icicle_and_the_list_show_the_same_tree(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    wait_for_nodes(page)
    page.get_by_role("button", name="Pin").click()
    choose(page, "Icicle")
    assert len(picture(page)) > 10_000
    choose(page, "List")
    tree = page.get_by_role("tree")
    items = tree.get_by_role("treeitem")
    expect(items.first).to_have_attribute("aria-expanded", "true")
    root, *children = (int(text.replace(",", "")) for text in re.findall(r"(\d[\d,]*) visits", tree.inner_text()))
    assert root >= sum(children)
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


def test_the_list_has_stubs_for_nodes_that_are_not_shown(open_page: OpenPage) -> None:
    page = open_page("/analyse?view=tree&game=chess")
    wait_for_nodes(page, 200)
    page.get_by_label("Maximum nodes").select_option("150")
    page.wait_for_function("() => Number(document.querySelector('[data-nodes]').dataset.nodes) <= 150")
    page.get_by_role("button", name="Pin").click()
    choose(page, "List")
    tree = page.get_by_role("tree")
    tree.get_by_role("treeitem").first.wait_for()
    stubs = tree.get_by_text(STUB)
    # The search has more nodes than are shown, so expanding all nodes must reveal a stub.
    while stubs.count() == 0:
        tree.locator("[aria-expanded=false]").first.click()
    expect(stubs.first).to_be_visible()


def test_a_node_can_be_expanded(open_page: OpenPage) -> None:
    page = open_page(BOARD)
    wait_for_nodes(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Expand").click()
    focus = page.get_by_role("button", name=re.compile("^Focus:"))
    expect(focus).to_be_visible()
    focus.click()
    expect(focus).to_have_count(0)


def test_an_iteration_is_shown_phase_by_phase(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=tictactoe&moves=b2&view=tree")
    page.get_by_role("grid").wait_for()
    choose(page, "Step by step")
    steps = page.get_by_role("region", name="Step by step")
    iteration = steps.locator("[data-iteration]")
    expect(iteration).to_have_attribute("data-iteration", "1")
    current = steps.locator("[aria-current=step]")
    expect(current).to_contain_text("Selection")
    next_button = steps.get_by_role("button", name="Next", exact=True)
    for phase, text in (("Expansion", "as a new node"), ("Playout", "random moves"), ("Backup", "is backed up")):
        next_button.click()
        expect(current).to_contain_text(phase)
        expect(steps.get_by_text(re.compile(text))).to_be_visible()
    next_button.click()
    expect(iteration).to_have_attribute("data-iteration", "2")
    expect(current).to_contain_text("Selection")
    steps.get_by_role("button", name="+100").click()
    expect(iteration).to_have_attribute("data-iteration", "102")
    assert int(wait_for_nodes(page, 50).get_attribute("data-nodes") or 0) <= 103
    steps.get_by_role("button", name="Selection").click()
    value, exploration, score = steps.locator("tr.chosen").first.locator("td").all_inner_texts()
    assert float(value) + float(exploration) == pytest.approx(float(score), abs=0.002)
    steps.get_by_role("button", name="Play", exact=True).click()
    expect(iteration).to_have_attribute("data-iteration", "103")
    steps.get_by_role("button", name="Pause").click()
    steps.get_by_role("button", name="Restart").click()
    expect(iteration).to_have_attribute("data-iteration", "1")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_tree_has_no_violations(open_page: OpenPage, size: str, dark: bool) -> None:
    page = open_page(BOARD, size=SIZES[size], dark=dark)
    wait_for_nodes(page)
    page.get_by_role("button", name="Pin").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    assert violations(page) == []
    choose(page, "List")
    page.get_by_role("tree").wait_for()
    assert violations(page) == []
    choose(page, "Step by step")
    page.locator("[data-iteration]").wait_for()
    assert violations(page) == []
