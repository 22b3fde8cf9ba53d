"""A game of one's own, registered in Python, on every page: watched, kept, analysed, played out in a tournament."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import OpenPage
from browser.test_access import violations
from browser.test_watch import every_look
from server.serving import Server

SLOW = 60_000
"""Milliseconds: games are played meanwhile."""
MINE = "Tic-tac-toe of my own"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows two games more: one with a board, one without."""
    folder = tmp_path_factory.mktemp("own")
    file = folder / "games.py"
    file.write_text("import plyground.examples.nim\nimport plyground.examples.tictactoe\n")
    running = Server(folder / "store.sqlite", own_game=str(file), rate=5000, burst=5000).start()
    yield running
    running.stop()


@pytest.fixture
def visit(open_page: OpenPage, own: Server) -> Callable[[str], Page]:
    """Opens a path of that server as a new visitor."""
    return lambda path: open_page(path, address=own.address)


def watch_to_the_end(page: Page, title: str) -> None:
    """Chooses a game on the Watch page, lets two levels play it, and waits until it is over."""
    page.get_by_role("radio", name=title, exact=True).check(force=True)
    page.get_by_role("button", name="Watch them play").click()
    page.wait_for_url("**/watch/*")
    page.get_by_role("combobox", name="Speed").select_option("As fast as they think")
    expect(page.locator("[data-state]").first).to_have_attribute("data-state", "over", timeout=SLOW)


def test_it_is_watched_and_then_in_the_library_to_be_analysed(visit: Callable[[str], Page]) -> None:
    page = visit("/watch")
    watch_to_the_end(page, MINE)
    expect(page.get_by_role("grid", name=f"{MINE} board")).to_be_visible()
    moves = page.get_by_role("region", name="Moves").get_by_role("button")
    played = moves.count()
    assert played >= 5
    page.goto("/library")
    page.get_by_role("combobox", name="Game", exact=True).select_option(MINE)
    row = page.get_by_role("list", name="Games").locator("li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(f"{MINE}, {played} moves")
    row.get_by_role("link").click()
    page.wait_for_url(re.compile(r"/analyse/\d+"))
    expect(page.get_by_role("grid", name=f"{MINE} board")).to_be_visible()
    expect(moves).to_have_count(played)
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-ply]").first).to_have_attribute("data-ply", str(played))


def test_one_without_a_board_is_watched_and_kept_too(visit: Callable[[str], Page]) -> None:
    page = visit("/watch")
    watch_to_the_end(page, "Nim")
    expect(page.get_by_role("grid")).to_have_count(0)
    page.get_by_role("link", name="Analyse").last.click()
    page.wait_for_url(re.compile(r"/analyse/\d+"))
    expect(page.get_by_role("group", name="Moves you can play")).to_be_visible()
    page.goto("/library?game=nim")
    expect(page.get_by_role("list", name="Games").locator("li")).to_have_count(1)


def test_a_tournament_of_it_is_started_and_its_games_are_replayed(visit: Callable[[str], Page]) -> None:
    page = visit("/arena")
    page.get_by_role("button", name="Choose the players…").click()
    dialog = page.get_by_role("dialog", name="New tournament")
    dialog.get_by_role("combobox", name="Game").select_option(MINE)
    for number, player in enumerate(["random", "minimax(depth=2)"], start=1):
        dialog.get_by_role("combobox", name=f"Player {number}", exact=True).select_option("An agent by its spec…")
        dialog.get_by_label(f"Player {number}: spec").fill(player)
    dialog.get_by_text("Quick: 4").click()
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/arena/*")
    expect(page.get_by_text("4 of 4 games · finished")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(MINE).first).to_be_visible()
    expect(page.get_by_role("region", name="Leaderboard").locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name=re.compile("^random against")).click()
    page.get_by_role("dialog").get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/analyse/\d+"))
    expect(page.get_by_role("grid", name=f"{MINE} board")).to_be_visible()
    page.goto("/arena")
    expect(page.get_by_role("list", name="Tournaments")).to_contain_text("4 games")


def test_train_says_that_there_is_nothing_to_weigh_in_it(visit: Callable[[str], Page]) -> None:
    page = visit("/train")
    page.get_by_role("button", name="Your games").click()
    page.get_by_role("button", name=MINE).click()
    form = page.get_by_role("form", name="A new training run")
    expect(form).to_contain_text(f"There is nothing to learn in {MINE} yet")
    expect(form.get_by_role("button", name="Start learning")).to_have_count(0)
    form.get_by_role("combobox", name="Game").select_option("Checkers")
    expect(form.get_by_role("button", name="Start learning")).to_be_visible()


def test_its_pages_have_no_violations(visit: Callable[[str], Page], web: Path) -> None:
    page = visit("/watch?game=my-tictactoe")
    for path in ("/watch?game=my-tictactoe", "/analyse?game=my-tictactoe", "/analyse?game=nim", "/train?game=nim"):
        page.goto(path)
        page.get_by_role("heading", level=1).wait_for(state="attached")
        for _ in every_look(page):
            assert violations(page, web) == []
