"""The Library page: search, tags, import, export and deletion."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect

from browser.accessibility import each_layout, violations
from browser.conftest import OpenPage, wait_until

PGN = '[Event "{0}"]\n[White "{1}"]\n[Black "{2}"]\n[Result "{3}"]\n\n{4} {3}\n'
MATE = "1. f3 e5 2. g4 Qh4#"


def fill(page: Page) -> None:
    """Add three chess games, a checkers game and a resigned game of tic-tac-toe."""
    chess = PGN.format("one", "Anna", "Ben", "0-1", MATE) + "\n" + PGN.format("two", "Carla", "Anna", "*", "1. e4 e5")
    files = [
        {"name": "club.pgn", "text": chess + "\n" + PGN.format("three", "Dan", "Eve", "1/2-1/2", "1. d4 d5")},
        {"name": "draughts.pdn", "text": '[Event "x"]\n[GameType "21"]\n\n1. 11-15 23-18 *'},
    ]
    response = page.request.post("/api/library/import", data={"files": files, "tags": ["club"]})
    assert response.ok, response.text()
    game = page.request.post("/api/games", data={"game": "tictactoe", "player": "Easy", "seed": 1}).json()
    assert page.request.post(f"/api/games/{game['id']}/resign", data={}).ok


def rows(page: Page) -> Locator:
    """Return the listed games."""
    return page.get_by_role("list", name="Games").locator("li")


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The library page of a visitor with five games."""
    page = open_page("/library")
    fill(page)
    page.goto("/library")
    expect(rows(page)).to_have_count(5)
    return page


def test_a_finished_game_is_added_and_can_be_opened(page: Page) -> None:
    first = rows(page).first
    expect(first).to_contain_text("You")
    expect(first).to_contain_text("You lost")
    first.get_by_role("link").click()
    page.wait_for_url(re.compile(r"/analyse/[\w-]{16}"))


def test_filters_find_games(page: Page) -> None:
    page.get_by_role("combobox", name="Game", exact=True).select_option("Chess")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("combobox", name="Result", exact=True).select_option("Black won")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("checkmate")
    assert "game=chess" in page.url
    page.reload()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear filters").click()
    expect(rows(page)).to_have_count(5)
    page.get_by_role("combobox", name="Opponent").select_option("Easy")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_role("searchbox").fill("anna")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("searchbox").fill("nobody at all")
    expect(page.get_by_role("heading", name="No matching games")).to_be_visible()
    page.get_by_role("button", name="Clear all filters").click()
    page.get_by_role("combobox", name="Tag", exact=True).select_option("club (4)")
    expect(rows(page)).to_have_count(4)


def test_an_import_reports_the_result_of_each_file(page: Page) -> None:
    page.get_by_role("button", name="Import").click()
    half = PGN.format("four", "Flo", "Gus", "*", "1. c4 c5") + "\n" + PGN.format("five", "Hal", "Ida", "*", "1. d4 Qd5")
    page.locator("input[type=file]").set_input_files(
        [
            FilePayload(name="half.pgn", mimeType="text/plain", buffer=half.encode()),
            FilePayload(name="bad.json", mimeType="text/plain", buffer=b"{"),
        ]
    )
    page.get_by_label("Or paste games").fill(PGN.format("six", "Jo", "Kim", "*", "1. Nf3 Nf6"))
    page.get_by_label(re.compile("Tags for all games")).fill("new, 2024")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Import").click()
    files = dialog.get_by_role("list", name="Files").locator("> li")
    expect(files).to_have_count(3)
    expect(files.nth(0)).to_contain_text("1 game added, 1 not imported")
    expect(files.nth(0)).to_contain_text("Game 2, move 1... Qd5, line 13")
    expect(files.nth(0)).to_contain_text('Move "Qd5" is illegal. Not imported; the ply before it is legal.')
    expect(files.nth(1)).to_contain_text("line 1")
    expect(files.nth(2)).to_contain_text("1 game added")
    dialog.get_by_role("button", name="Done").click()
    expect(rows(page)).to_have_count(7)
    expect(rows(page).filter(has_text="Jo").get_by_role("button", name="2024")).to_be_visible()


def test_tags_can_be_added_and_removed(page: Page) -> None:
    mine = rows(page).filter(has_text="Carla")
    mine.get_by_role("button", name=re.compile("Edit tags of game")).click()
    page.get_by_label("New tag").fill("to study")
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Tags")).to_contain_text("to study")
    page.get_by_role("button", name="Remove tag club").click()
    expect(page.get_by_role("list", name="Tags")).not_to_contain_text("club")
    page.get_by_role("button", name="Done").click()
    mine.get_by_role("button", name="to study").click()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear filters").click()
    expect(rows(page)).to_have_count(5)
    page.get_by_label("Select all listed games").check()
    page.get_by_role("button", name="Tags", exact=True).click()
    page.get_by_label("New tag").fill("all")
    changes: list[str] = []
    page.on("request", lambda request: changes.append(request.url) if request.method in ("PUT", "POST") else None)
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Tags")).to_contain_text("5 of 5")
    assert len(changes) == 1


def test_a_deletion_can_be_undone(page: Page) -> None:
    page.clock.install()
    page.reload()
    rows(page).first.get_by_role("button", name=re.compile("Delete game")).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(4)
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(5)
    page.clock.fast_forward("01:00")
    page.wait_for_load_state("networkidle")
    page.reload()
    expect(rows(page)).to_have_count(5)


def test_selected_games_are_deleted_even_if_the_visitor_leaves_the_page(page: Page) -> None:
    for name in ("Anna – Ben", "Dan – Eve"):
        page.get_by_label(re.compile(f"Select game .*{name}")).check()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("dialog", name="Delete 2 games?")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(3)
    page.goto("/library")
    expect(rows(page)).to_have_count(3)
    wait_until(page, lambda: page.request.get("/api/library").json()["total"] == 3)
    page.reload()
    expect(rows(page)).to_have_count(3)


def test_the_next_page_hides_games_that_are_still_being_deleted(page: Page) -> None:
    # Playwright cannot intercept requests from a page that is being unloaded, so the page drops them itself.
    page.add_init_script(
        "const send = fetch;"
        "window.fetch = (request, init) => (request.keepalive ? new Promise(() => {}) : send(request, init))"
    )
    page.reload()
    page.get_by_label(re.compile("Select game .*Anna – Ben")).check()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(4)
    page.goto("/library")
    expect(rows(page)).to_have_count(4)
    expect(page.get_by_text("4 games", exact=True)).to_be_visible()
    # The request to delete the game was never sent, so the game still exists.
    page.reload()
    expect(rows(page)).to_have_count(5)


def test_exported_games_can_be_imported(page: Page, open_context: Callable[..., BrowserContext]) -> None:
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="All 5 games as JSON").click()
    text = Path(saved.value.path()).read_text()
    assert len(json.loads(text)["games"]) == 5
    other = open_context().new_page()
    other.goto("/library")
    other.get_by_role("button", name="Import").last.click()
    other.get_by_label("Or paste games").fill(text)
    other.get_by_role("dialog").get_by_role("button", name="Import").click()
    expect(other.get_by_role("dialog")).to_contain_text("5 games added")
    page.get_by_role("combobox", name="Game", exact=True).select_option("Chess")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="All 3 games as PGN").click()
    assert Path(saved.value.path()).read_text().count("[Event ") == 3


def test_more_games_are_loaded_on_request(open_page: OpenPage) -> None:
    page = open_page("/library")
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
    games = "\n".join(PGN.format(f"e{n}", f"W{n}", f"B{n}", "*", "1. e4 e5") for n in range(60))
    assert page.request.post("/api/library/import", data={"files": [{"name": "a.pgn", "text": games}]}).ok
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if "/api/library" in request.url else None)
    page.reload()
    expect(rows(page)).to_have_count(50)
    expect(page.get_by_text("50 of 60")).to_be_visible()
    opponent = page.get_by_role("combobox", name="Opponent")
    opponent.focus()
    expect(opponent.get_by_role("option")).to_have_count(121)  # from all games, not only the listed ones
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="All 60 games as PGN").click()
    assert Path(saved.value.path()).read_text().count("[Event ") == 60
    assert len([url for url in requests if "/api/library?" not in url]) == 2  # the opponents and the export
    page.get_by_role("button", name="Show more").click()
    expect(rows(page)).to_have_count(60)
    page.get_by_role("searchbox").fill("w0")
    expect(rows(page)).to_have_count(1)


def test_the_library_has_no_violations(open_page: OpenPage) -> None:
    page = open_page("/library")
    fill(page)
    page.goto("/library")
    rows(page).first.wait_for()
    page.get_by_label(re.compile("Select game")).first.check()
    for _ in each_layout(page):
        assert violations(page) == []
        page.get_by_role("button", name="Tags", exact=True).click()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Import").click()
        page.get_by_label("Or paste games").fill("{")
        assert violations(page) == []
        page.get_by_role("dialog").get_by_role("button", name="Import").click()
        page.get_by_role("dialog").get_by_text("import failed").wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")


def test_player_names_are_escaped(open_page: OpenPage) -> None:
    page = open_page("/library")
    text = PGN.format("x", "<img src=x onerror=alert(1)>", "Ben", "*", "1. e4 e5")
    report: Any = page.request.post("/api/library/import", data={"files": [{"name": "a.pgn", "text": text}]}).json()
    assert report["files"][0]["added"]
    page.reload()
    expect(rows(page)).to_have_count(1)
    assert page.locator("main img").count() == 0
