"""Results stored by the server: reviews, library games found by their opening moves, and checkpoints."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import OpenPage
from browser.test_analyse import LOST, import_game
from browser.test_arena import begin
from browser.test_library import rows
from browser.test_train import begin as begin_run

SLOW = 60_000
"""Timeout in milliseconds for tests that wait for games to be played."""


def test_a_stored_review_is_shown_when_its_game_is_opened_again(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    record_id = import_game(page, "tictactoe", LOST)
    page.goto(f"/analyse/{record_id}")
    page.get_by_role("button", name="Review game").click()
    expect(page.get_by_role("list", name="Mistakes").get_by_text("gave away a draw")).to_be_visible()
    page.goto("/library")
    page.goto(f"/analyse/{record_id}")
    expect(page.get_by_role("list", name="Mistakes").get_by_text("gave away a draw")).to_be_visible()
    expect(page.get_by_role("button", name="Review game")).to_have_count(0)


def test_the_library_finds_games_by_their_opening_moves(open_page: OpenPage) -> None:
    page = open_page("/library")
    for moves in (["e2e4", "e7e5"], ["e2e4", "c7c5"], ["d2d4"]):
        import_game(page, "chess", moves)
    page.goto("/library")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("searchbox").fill("1. e4")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("searchbox").fill("e4 c5")
    expect(rows(page)).to_have_count(1)
    page.reload()
    expect(rows(page)).to_have_count(1)


def test_checkpoints_can_play_in_a_tournament(open_page: OpenPage) -> None:
    page = open_page("/arena")
    begin(page)
    run = begin_run(page, games=40)
    page.goto(f"/train/{run}")
    expect(page.get_by_text("40 of 40 games · finished")).to_be_visible(timeout=SLOW)
    page.goto("/arena?game=checkers")
    page.get_by_role("button", name="New tournament").click()
    dialog = page.get_by_role("dialog", name="New tournament")
    dialog.get_by_role("combobox", name="Player 1", exact=True).select_option(f"checkpoint {run}/20")
    dialog.get_by_role("combobox", name="Player 2", exact=True).select_option(f"checkpoint {run}")
    dialog.get_by_text("Quick: 4").click()
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/arena/.+"))
    expect(page.get_by_text("4 of 4 games · finished")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(f"checkpoint {run}/20").first).to_be_visible()
    expect(page.get_by_text(f"checkpoint {run}/40").first).to_be_visible()
