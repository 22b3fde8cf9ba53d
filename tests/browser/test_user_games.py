"""User games, written in Python, on every page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from browser.accessibility import each_layout, violations
from browser.conftest import OpenPage
from server.serving import Server

SLOW = 60_000
"""Timeout in milliseconds for tests that wait for games to be played."""
TITLE = "My tic-tac-toe"


@pytest.fixture(scope="module")
def user_game_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with two user games, one with a board and one without."""
    folder = tmp_path_factory.mktemp("user_games")
    file = folder / "games.py"
    file.write_text("import plyground.examples.nim\nimport plyground.examples.tictactoe\n")
    running = Server(folder / "store.sqlite", user_game=str(file), rate=5000, burst=5000).start()
    yield running
    running.stop()


@pytest.fixture
def visit(open_page: OpenPage, user_game_server: Server) -> Callable[[str], Page]:
    """A function that opens a path on the server with user games as a new visitor."""
    return lambda path: open_page(path, address=user_game_server.address)


def watch_to_the_end(page: Page, title: str) -> None:
    """Start a game between two levels on the Watch page and wait until it is over."""
    page.get_by_role("radio", name=title, exact=True).check(force=True)
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url("**/watch/*")
    page.get_by_role("combobox", name="Speed").select_option("No delay")
    expect(page.locator("[data-state]").first).to_have_attribute("data-state", "over", timeout=SLOW)


def test_a_watched_user_game_is_stored_and_can_be_analysed(visit: Callable[[str], Page]) -> None:
    page = visit("/watch")
    watch_to_the_end(page, TITLE)
    expect(page.get_by_role("grid", name=f"{TITLE} board")).to_be_visible()
    moves = page.get_by_role("region", name="Moves").get_by_role("button")
    played = moves.count()
    assert played >= 5
    page.goto("/library")
    page.get_by_role("combobox", name="Game", exact=True).select_option(TITLE)
    row = page.get_by_role("list", name="Games").locator("li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(f"{TITLE}, {played} plies")
    row.get_by_role("link").click()
    page.wait_for_url(re.compile(r"/analyse/[\w-]{16}"))
    expect(page.get_by_role("grid", name=f"{TITLE} board")).to_be_visible()
    expect(moves).to_have_count(played)
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-ply]").first).to_have_attribute("data-ply", str(played))


def test_a_user_game_without_a_board_is_stored_too(visit: Callable[[str], Page]) -> None:
    page = visit("/watch")
    watch_to_the_end(page, "Nim")
    expect(page.get_by_role("grid")).to_have_count(0)
    page.get_by_role("link", name="Analyse").last.click()
    page.wait_for_url(re.compile(r"/analyse/[\w-]{16}"))
    expect(page.get_by_role("group", name="Legal moves")).to_be_visible()
    page.goto("/library?game=nim")
    expect(page.get_by_role("list", name="Games").locator("li")).to_have_count(1)


def test_a_tournament_of_a_user_game(visit: Callable[[str], Page]) -> None:
    page = visit("/arena")
    page.get_by_role("button", name="Choose players…").click()
    dialog = page.get_by_role("dialog", name="New tournament")
    dialog.get_by_role("combobox", name="Game").select_option(TITLE)
    for number, player in enumerate(["random", "minimax(depth=2)"], start=1):
        dialog.get_by_role("combobox", name=f"Player {number}", exact=True).select_option("Custom agent…")
        dialog.get_by_label(f"Player {number}: spec").fill(player)
    dialog.get_by_text("Quick: 4").click()
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/arena/*")
    expect(page.get_by_text("4 of 4 games · finished")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(TITLE).first).to_be_visible()
    expect(page.get_by_role("region", name="Leaderboard").locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name=re.compile("^random against")).click()
    page.get_by_role("dialog").get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/analyse/[\w-]{16}"))
    expect(page.get_by_role("grid", name=f"{TITLE} board")).to_be_visible()
    page.goto("/arena")
    expect(page.get_by_role("list", name="Tournaments")).to_contain_text("4 games")


def test_a_user_game_without_features_can_be_trained_by_general_methods(visit: Callable[[str], Page]) -> None:
    page = visit("/train")
    page.get_by_role("button", name="Your games").click()
    page.get_by_role("button", name=TITLE).click()
    form = page.get_by_role("form", name="New training run")
    expect(form.get_by_role("button", name="Start training")).to_be_visible()
    method = form.get_by_role("combobox", name="Method")
    expect(method.get_by_role("option", name="Q-learning")).to_have_count(1)
    expect(method.get_by_role("option", name="TD(λ)")).to_have_count(0)
    form.get_by_role("combobox", name="Game").select_option("Checkers")
    expect(method.get_by_role("option", name="TD(λ)")).to_have_count(1)


def test_pages_of_user_games_have_no_violations(visit: Callable[[str], Page]) -> None:
    page = visit("/watch?game=my-tictactoe")
    for path in ("/watch?game=my-tictactoe", "/analyse?game=my-tictactoe", "/analyse?game=nim", "/train?game=nim"):
        page.goto(path)
        page.get_by_role("heading", level=1).wait_for(state="attached")
        for _ in each_layout(page):
            assert violations(page) == []
