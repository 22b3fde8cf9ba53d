"""Reviews on the Analyse page: mistakes, retrying them without seeing the answer, and evaluations with their source."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import OpenPage
from browser.test_analyse import LOST, at_ply, import_game, press


def test_a_review_marks_a_mistake_that_can_be_retried(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    record_id = import_game(page, "tictactoe", LOST)
    page.goto(f"/analyse/{record_id}?review=1")
    mistakes = page.get_by_role("list", name="Mistakes")
    expect(mistakes.get_by_text("gave away a draw")).to_be_visible()
    expect(page.get_by_role("button", name="b1??")).to_be_visible()
    page.keyboard.press("n")
    at_ply(page, 2)
    expect(page.get_by_text("b1??").first).to_be_visible()
    for best in ("a1", "c1", "a3", "c3"):
        expect(mistakes).not_to_contain_text(best)
        expect(page.locator(".under")).not_to_contain_text(best)
    page.get_by_role("button", name="Find a better move").click()
    retry = page.get_by_role("region", name="Retry")
    at_ply(page, 1)
    for best in ("a1", "c1", "a3", "c3"):
        expect(retry).not_to_contain_text(best)
    expect(page.get_by_role("meter", name="Evaluation")).to_have_attribute("aria-valuetext", "not available")
    expect(page.locator(".under")).not_to_contain_text(re.compile(r"exact|\d%"))
    expect(page.locator(".board-area").locator("g.line, g.hint")).to_have_count(0)
    page.keyboard.press(" ")
    expect(page.get_by_role("region", name="Search")).to_have_count(0)
    press(page, "a2")
    expect(retry.get_by_text("is also a mistake")).to_be_visible()
    retry.get_by_role("button", name="Try again").click()
    at_ply(page, 1)
    press(page, "a1")
    expect(retry.get_by_text("is better")).to_be_visible()
    retry.get_by_role("button", name="Back to review").click()
    at_ply(page, 2)
    expect(page.locator("button[data-variation]")).to_have_text("a1")


def test_the_tree_is_hidden_during_a_retry(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    page.goto(f"/analyse/{import_game(page, 'tictactoe', LOST)}?review=1")
    page.get_by_role("button", name="Retry b1").click()
    expect(page.get_by_role("button", name="Tree")).to_be_disabled()
    page.keyboard.press("t")
    page.get_by_role("button", name="Back to review").click()
    expect(page.locator(".tree-panel")).to_have_count(0)
    page.get_by_role("button", name="Tree").click()
    expect(page.locator(".tree-panel")).to_be_visible()


def test_a_forced_position_has_the_value_after_the_move(open_page: OpenPage) -> None:
    start = "W:W18,21,26,27,28,32:B3,5,8,10,11,19"  # 26-23 hangs a man: the only reply is 19x26
    page = open_page(f"/analyse?game=checkers&start={start.replace(':', '%3A')}&moves=26-23+19x26&ply=1")
    meter = page.get_by_role("meter", name="Evaluation")
    page.get_by_role("grid").wait_for()
    page.keyboard.press(" ")
    expect(meter).to_have_attribute("aria-valuetext", re.compile("^Engine: [1234]?\\d% for white"))
    page.keyboard.press(" ")
    other = open_page(page.url)
    other.get_by_role("button", name="Review game").click()
    mistake = other.get_by_role("list", name="Mistakes").get_by_role("listitem").first
    expect(mistake).to_contain_text("26-23")
    meter = other.get_by_role("meter", name="Evaluation")
    expect(meter).to_have_attribute("aria-valuetext", re.compile("^Review: [1234]?\\d% for white"))
    value = meter.get_attribute("aria-valuetext")
    other.keyboard.press("ArrowRight")
    at_ply(other, 2)
    expect(meter).to_have_attribute("aria-valuetext", value or "")


def test_the_exact_value_is_preferred_to_the_search(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=tictactoe&moves=b2+b1")
    meter = page.get_by_role("meter", name="Evaluation")
    expect(meter).to_have_attribute("aria-valuetext", "Exact: X wins in 5 plies")
    expect(meter).to_contain_text("Exact")
    page.keyboard.press(" ")
    expect(page.get_by_role("region", name="Search").get_by_text("for x").first).to_be_visible()
    expect(meter).to_have_attribute("aria-valuetext", "Exact: X wins in 5 plies")


def test_the_best_move_is_shown_on_request(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    page.goto(f"/analyse/{import_game(page, 'tictactoe', LOST)}?review=1")
    page.get_by_role("button", name="Retry b1").click()
    retry = page.get_by_role("region", name="Retry")
    retry.get_by_role("button", name="Show best move").click()
    expect(retry.get_by_text("Best move")).to_be_visible()
    at_ply(page, 2)


def test_the_evaluation_graph_selects_a_ply_by_mouse_and_keyboard(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    page.goto(f"/analyse/{import_game(page, 'tictactoe', LOST)}?review=1")
    page.get_by_role("list", name="Mistakes").wait_for()
    graph = page.get_by_role("slider", name="Evaluation graph")
    box = graph.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 20)
    at_ply(page, 3)
    graph.focus()
    page.keyboard.press("End")
    at_ply(page, 5)
    page.keyboard.press("ArrowLeft")
    at_ply(page, 4)
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"Ply 4, a3, \d+ ?% for x"))
