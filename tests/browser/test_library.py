"""The library: games come by themselves or by files, are found, tagged, taken out and thrown away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect

from browser.conftest import OpenPage
from browser.test_access import violations
from browser.test_watch import every_look

PGN = '[Event "{0}"]\n[White "{1}"]\n[Black "{2}"]\n[Result "{3}"]\n\n{4} {3}\n'
MATE = "1. f3 e5 2. g4 Qh4#"


def fill(page: Page) -> None:
    """Three games of chess, one of checkers, one of tic-tac-toe that was given up."""
    chess = PGN.format("one", "Anna", "Ben", "0-1", MATE) + "\n" + PGN.format("two", "Carla", "Anna", "*", "1. e4 e5")
    files = [
        {"name": "club.pgn", "text": chess + "\n" + PGN.format("three", "Dan", "Eve", "1/2-1/2", "1. d4 d5")},
        {"name": "draughts.pdn", "text": '[Event "x"]\n[GameType "21"]\n\n1. 11-15 23-18 *'},
    ]
    answer = page.request.post("/api/library/import", data={"files": files, "tags": ["club"]})
    assert answer.ok, answer.text()
    game = page.request.post("/api/games", data={"game": "tictactoe", "player": "Easy", "seed": 1}).json()
    assert page.request.post(f"/api/games/{game['id']}/resign", data={}).ok


def rows(page: Page) -> Locator:
    """The games shown."""
    return page.get_by_role("list", name="Games").locator("li")


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The library of a visitor with five games."""
    made = open_page("/library")
    fill(made)
    made.goto("/library")
    expect(rows(made)).to_have_count(5)
    return made


def test_a_finished_game_comes_by_itself_and_opens(page: Page) -> None:
    first = rows(page).first
    expect(first).to_contain_text("You")
    expect(first).to_contain_text("You lost")
    first.get_by_role("link").click()
    page.wait_for_url(re.compile(r"/analyse/\d+"))


def test_games_are_found_by_every_filter(page: Page) -> None:
    page.get_by_role("combobox", name="Game", exact=True).select_option("Chess")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("combobox", name="Result", exact=True).select_option("Black won")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("checkmate")
    assert "game=chess" in page.url
    page.reload()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear").click()
    expect(rows(page)).to_have_count(5)
    page.get_by_role("combobox", name="Opponent").select_option("Easy")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Find").fill("anna")
    expect(rows(page)).to_have_count(2)
    page.get_by_label("Find").fill("nobody at all")
    expect(page.get_by_role("heading", name="No game fits")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    page.get_by_role("combobox", name="Tag", exact=True).select_option("club (4)")
    expect(rows(page)).to_have_count(4)


def test_files_are_imported_and_each_is_told_of(page: Page) -> None:
    page.get_by_role("button", name="Import").click()
    half = PGN.format("four", "Flo", "Gus", "*", "1. c4 c5") + "\n" + PGN.format("five", "Hal", "Ida", "*", "1. d4 Qd5")
    page.locator("input[type=file]").set_input_files(
        [
            FilePayload(name="half.pgn", mimeType="text/plain", buffer=half.encode()),
            FilePayload(name="bad.json", mimeType="text/plain", buffer=b"{"),
        ]
    )
    page.get_by_label("Or paste games").fill(PGN.format("six", "Jo", "Kim", "*", "1. Nf3 Nf6"))
    page.get_by_label(re.compile("Tags for all")).fill("new, 2024")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Import").click()
    files = dialog.get_by_role("list", name="Files").locator("> li")
    expect(files).to_have_count(3)
    expect(files.nth(0)).to_contain_text("1 game added, 1 could not be read")
    expect(files.nth(0)).to_contain_text(re.compile(r"line \d+"))
    expect(files.nth(1)).to_contain_text("line 1")
    expect(files.nth(2)).to_contain_text("1 game added")
    dialog.get_by_role("button", name="Done").click()
    expect(rows(page)).to_have_count(7)
    expect(rows(page).filter(has_text="Jo").get_by_role("button", name="2024")).to_be_visible()


def test_tags_are_given_and_taken_away(page: Page) -> None:
    mine = rows(page).filter(has_text="Carla")
    mine.get_by_role("button", name=re.compile("Tags of game")).click()
    page.get_by_label("New tag").fill("to study")
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Tags")).to_contain_text("to study")
    page.get_by_role("button", name="Take club away").click()
    expect(page.get_by_role("list", name="Tags")).not_to_contain_text("club")
    page.get_by_role("button", name="Done").click()
    mine.get_by_role("button", name="to study").click()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear").click()
    expect(rows(page)).to_have_count(5)
    page.get_by_label("Choose all games shown").check()
    page.get_by_role("button", name="Tags", exact=True).click()
    page.get_by_label("New tag").fill("all")
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Tags")).to_contain_text("5 of 5")


def test_a_deleted_game_can_be_put_back(page: Page) -> None:
    rows(page).first.get_by_role("button", name=re.compile("Delete game")).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(4)
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(5)
    page.wait_for_timeout(6000)
    page.reload()
    expect(rows(page)).to_have_count(5)


def test_chosen_games_are_deleted_even_when_the_page_is_left_at_once(page: Page) -> None:
    for name in ("Anna – Ben", "Dan – Eve"):
        page.get_by_label(re.compile(f"Choose game .*{name}")).check()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("dialog", name="Delete 2 games?")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(3)
    page.goto("/library")
    expect(rows(page)).to_have_count(3)
    for _ in range(50):
        if page.request.get("/api/library").json()["total"] == 3:
            break
        page.wait_for_timeout(100)
    page.reload()
    expect(rows(page)).to_have_count(3)


def test_games_on_their_way_out_are_not_shown_by_the_next_page(page: Page) -> None:
    # What a page sends while it is left cannot be held back from here: so it is held back there.
    held = "const all = fetch; window.fetch = (what, how) => (what.keepalive ? new Promise(() => {}) : all(what, how))"
    page.add_init_script(held)
    page.reload()
    page.get_by_label(re.compile("Choose game .*Anna – Ben")).check()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(4)
    page.goto("/library")
    expect(rows(page)).to_have_count(4)
    expect(page.get_by_text("4 games", exact=True)).to_be_visible()
    # It never came to the deleting: the game is not lost.
    page.reload()
    expect(rows(page)).to_have_count(5)


def test_what_is_exported_can_be_imported_again(page: Page, open_context: Callable[..., BrowserContext]) -> None:
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="5 shown as JSON").click()
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
        page.get_by_role("button", name="3 shown as PGN").click()
    assert Path(saved.value.path()).read_text().count("[Event ") == 3


def test_more_games_than_a_page(open_page: OpenPage) -> None:
    page = open_page("/library")
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
    games = "\n".join(PGN.format(f"e{n}", f"W{n}", f"B{n}", "*", "1. e4 e5") for n in range(60))
    assert page.request.post("/api/library/import", data={"files": [{"name": "a.pgn", "text": games}]}).ok
    page.reload()
    expect(rows(page)).to_have_count(50)
    expect(page.get_by_text("50 of 60")).to_be_visible()
    opponent = page.get_by_role("combobox", name="Opponent")
    opponent.focus()
    expect(opponent.get_by_role("option")).to_have_count(121)  # of all games, not of the page alone
    page.get_by_role("button", name="Show more").click()
    expect(rows(page)).to_have_count(60)
    page.get_by_label("Find").fill("w0")
    expect(rows(page)).to_have_count(1)


def test_a_filled_library_has_no_violations(open_page: OpenPage, web: Path) -> None:
    page = open_page("/library")
    fill(page)
    page.goto("/library")
    rows(page).first.wait_for()
    page.get_by_label(re.compile("Choose game")).first.check()
    for _ in every_look(page):
        assert violations(page, web) == []
        page.get_by_role("button", name="Tags", exact=True).click()
        assert violations(page, web) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Import").click()
        page.get_by_label("Or paste games").fill("{")
        assert violations(page, web) == []
        page.get_by_role("dialog").get_by_role("button", name="Import").click()
        page.get_by_role("dialog").get_by_text("nothing could be read").wait_for()
        assert violations(page, web) == []
        page.keyboard.press("Escape")


def test_the_filters_survive_a_name_that_is_hostile(open_page: OpenPage) -> None:
    page = open_page("/library")
    text = PGN.format("x", "<img src=x onerror=alert(1)>", "Ben", "*", "1. e4 e5")
    told: Any = page.request.post("/api/library/import", data={"files": [{"name": "a.pgn", "text": text}]}).json()
    assert told["files"][0]["added"]
    page.reload()
    expect(rows(page)).to_have_count(1)
    assert page.locator("main img").count() == 0
