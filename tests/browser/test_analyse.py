"""Games looked at again: pasted, stored, shared; stepping, branches, the engine, reviews, mistakes tried again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, PHONE, OpenPage, Watch
from browser.hands import Seat
from browser.test_access import violations

PGN = '[White "Morphy"]\n[Black "Duke"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 *\n'
PDN = '[Event "?"]\n[Black "Ada"]\n[White "Bob"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n'
FEN = "8/4P3/8/8/8/k7/8/4K3 w - - 0 1"
LOST = ["b2", "b1", "c1", "a3", "c3"]
"""Tic-tac-toe: the second move gives the game away."""
SIZES = {"desk": DESK, "phone": PHONE}


def square(page: Page, name: str) -> Any:
    """A square of the board."""
    return page.get_by_role("grid").locator(f'[data-square="{name}"]')


def press(page: Page, name: str) -> None:
    """Presses a square as soon as something can be done with it."""
    expect(square(page, name)).to_have_attribute(
        "aria-label", re.compile("can move|can be played|must capture|move here")
    )
    square(page, name).click()


def at_ply(page: Page, ply: int) -> None:
    """Waits until the page looks at a ply."""
    expect(page.locator("[data-ply]").first).to_have_attribute("data-ply", str(ply))


def paste(page: Page, text: str) -> None:
    """Puts a text into the field and opens it."""
    page.get_by_label("Paste a game or a position").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


def keep(page: Page, game: str, moves: list[str]) -> int:
    """Puts a game into the visitor's library; its number."""
    text = json.dumps({"format": "plyground-game", "version": 1, "game": game, "moves": moves})
    answer = page.request.post("/api/library/import", data={"files": [{"name": "x.json", "text": text}]})
    report = answer.json()["files"][0]
    return int((report["added"] + report["already"])[0])


def test_an_empty_board_can_be_played_on_and_its_address_opened_again(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    press(page, "11")
    press(page, "15")
    at_ply(page, 1)
    page.wait_for_url("**moves=11-15*")
    other = open_page(page.url)
    at_ply(other, 1)
    expect(other.get_by_role("button", name="11-15")).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize(("text", "last"), [(PGN, "Bxf3"), (PDN, "22-17")], ids=["pgn", "pdn"])
def test_a_pasted_game_is_stepped_through_by_keys(open_page: OpenPage, text: str, last: str) -> None:
    page = open_page("/analyse")
    paste(page, text)
    expect(page.get_by_role("button", name=last)).to_be_visible()
    at_ply(page, 0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at_ply(page, 2)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name=last)).to_have_attribute("aria-current", "true")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    at_ply(page, 0)
    page.get_by_role("button", name="To the end").click()
    page.wait_for_url(re.compile(r"ply=[48]$"))
    page.reload()
    expect(page.get_by_role("button", name=last)).to_have_attribute("aria-current", "true")


def test_a_position_of_another_game_and_a_list_of_moves_are_recognised(open_page: OpenPage, watch: Watch) -> None:
    watch.refused = True  # what is no position of checkers is tried as the others
    page = open_page("/analyse")
    paste(page, FEN)
    expect(page.get_by_role("grid")).to_have_accessible_name("Chess board")
    expect(square(page, "e7")).to_have_attribute("aria-label", re.compile("white pawn"))
    page = open_page("/analyse?game=connect4")
    paste(page, "1. 4 4 2. 4 3")
    expect(page.get_by_role("region", name="Moves").get_by_role("button")).to_have_count(4)


def test_what_is_no_game_is_said_and_several_games_are_offered(open_page: OpenPage, watch: Watch) -> None:
    watch.refused = True
    page = open_page("/analyse")
    paste(page, "this is no game")
    expect(page.get_by_role("alert").filter(has_text="no game")).to_be_visible()
    paste(page, f"{PGN}\n{PGN.replace('Morphy', 'Anderssen')}")
    page.get_by_role("button", name=re.compile("Anderssen")).click()
    expect(page.get_by_text("Anderssen").first).to_be_visible()
    at_ply(page, 0)


def test_a_file_is_opened_and_one_dropped_on_the_page(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "game.pdn"
    file.write_text(PDN)
    page = open_page("/analyse")
    page.get_by_role("grid").wait_for()
    page.get_by_label("File of games").set_input_files(file)
    expect(page.get_by_role("button", name="22-17")).to_be_visible()
    other = open_page("/analyse?game=chess")
    other.get_by_role("grid").wait_for()
    other.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "game.pgn", { type: "text/plain" }));
          dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        PGN,
    )
    expect(other.get_by_role("button", name="Bxf3")).to_be_visible()


@pytest.mark.parametrize("kept", [False, True], ids=["free", "of the library"])
def test_branches_are_still_there_after_a_reload(open_page: OpenPage, kept: bool) -> None:
    page = open_page("/analyse")
    moves = ["11-15", "23-19", "8-11"]
    page.goto(
        f"/analyse/{keep(page, 'checkers', moves)}" if kept else f"/analyse?game=checkers&moves={'+'.join(moves)}&ply=0"
    )
    branch = page.locator("button[data-branch]")
    press(page, "9")
    press(page, "13")
    expect(branch).to_have_text(["9-13"])
    page.get_by_role("button", name="11-15").click()
    for square_ in ("22", "18", "15"):  # the capture is forced: one press
        press(page, square_)
    expect(branch).to_have_text(["9-13", "22-18", "15x22"])
    page.wait_for_url(re.compile("line=22-18.15x22"))
    page.reload()
    expect(branch).to_have_text(["9-13", "22-18", "15x22"])
    at_ply(page, 3)
    expect(branch.last).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("button", name="8-11")).to_be_visible()
    page.get_by_role("button", name="Make 22-18 the main line").click()
    expect(branch).to_have_text(["9-13", "23-19", "8-11"])
    page.get_by_role("button", name="Remove the branch 9-13").click()
    page.wait_for_timeout(500)
    page.reload()
    expect(branch).to_have_text(["23-19", "8-11"])
    other = open_page(page.url) if not kept else open_page("/analyse")
    other.get_by_role("grid").wait_for()
    expect(other.locator("button[data-branch]")).to_have_count(0)


def test_moves_on_the_board_branch_from_any_ply(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=checkers&moves=11-15+23-19+8-11&ply=1")
    press(page, "22")
    press(page, "18")
    branch = page.locator("button[data-branch]")
    expect(branch).to_have_text("22-18")
    page.wait_for_url("**line=22-18*")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="23-19")).to_have_attribute("aria-current", "true")
    branch.click()
    page.wait_for_url("**line=22-18*")
    other = open_page(page.url)
    expect(other.locator("button[data-branch]")).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Make 22-18 the main line").click()
    expect(branch).to_have_count(2)
    page.get_by_role("button", name="Remove the branch 23-19").click()
    expect(branch).to_have_count(0)
    expect(page.get_by_role("button", name="22-18")).to_be_visible()


def test_the_engine_gives_lines_and_its_results_stay(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=connect4&moves=4+4+4+4+4+2+3")
    page.get_by_role("grid").wait_for()
    page.keyboard.press(" ")
    lines = page.get_by_role("region", name="Best lines")
    expect(lines.get_by_role("listitem")).to_have_count(3)
    page.wait_for_timeout(500)
    page.keyboard.press(" ")
    panel = page.get_by_role("region", name="Search")
    expect(panel.get_by_text("done")).to_be_visible()
    told = panel.locator("tbody").inner_text()
    page.keyboard.press("ArrowLeft")
    expect(panel.locator("tbody tr")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(panel.locator("tbody tr")).to_have_count(7)
    assert panel.locator("tbody").inner_text() == told
    lines.get_by_role("listitem").first.get_by_role("button").nth(1).click()
    at_ply(page, 9)


def test_truth_stands_beside_belief(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=tictactoe&moves=b2+b1")
    expect(page.get_by_text("truth: win in 5")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("region", name="Search").get_by_text("truth: win in 5")).to_be_visible()


def test_a_review_marks_what_was_given_away_and_a_mistake_is_tried_again(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    number = keep(page, "tictactoe", LOST)
    page.goto(f"/analyse/{number}?review=1")
    mistakes = page.get_by_role("list", name="Mistakes")
    expect(mistakes.get_by_text("gave away a draw")).to_be_visible()
    expect(page.get_by_role("button", name="b1??")).to_be_visible()
    page.keyboard.press("n")
    at_ply(page, 2)
    expect(page.get_by_text("b1??").first).to_be_visible()
    page.get_by_role("button", name="Find a better move").click()
    retry = page.get_by_role("region", name="Retry")
    at_ply(page, 1)
    answers = {"a1", "c1", "a3", "c3"}
    for told in answers:
        expect(retry).not_to_contain_text(told)
    press(page, "a2")
    expect(retry.get_by_text("gives something away too")).to_be_visible()
    retry.get_by_role("button", name="Try again").click()
    at_ply(page, 1)
    press(page, "a1")
    expect(retry.get_by_text("is better")).to_be_visible()
    retry.get_by_role("button", name="Back to the review").click()
    at_ply(page, 2)
    expect(page.locator("button[data-branch]")).to_have_text("a1")


def test_the_answer_to_a_mistake_is_shown_when_it_is_asked_for(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    page.goto(f"/analyse/{keep(page, 'tictactoe', LOST)}?review=1")
    page.get_by_role("button", name="Retry b1").click()
    retry = page.get_by_role("region", name="Retry")
    retry.get_by_role("button", name="Show the answer").click()
    expect(retry.get_by_text("The answer")).to_be_visible()
    at_ply(page, 2)


def test_the_graph_is_pressed_and_walked_by_keys(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    page.goto(f"/analyse/{keep(page, 'tictactoe', LOST)}?review=1")
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
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"Move 4, a3, \d+ % for x"))


def test_a_game_from_the_table_is_analysed_and_goes_on(open_page: OpenPage) -> None:
    page = open_page(None)
    seat = Seat(page).begin("tictactoe", people=2, player=None)
    table = seat.id
    assert page.request.post(f"/api/games/{table}/moves", data={"move": "b2", "ply": 0}).ok
    page.goto(f"/analyse?play={table}")
    at_ply(page, 1)
    assert page.request.post(f"/api/games/{table}/moves", data={"move": "a1", "ply": 1}).ok
    at_ply(page, 2)
    expect(page.get_by_role("region", name="Moves").get_by_role("button", name="a1")).to_be_visible()


def test_a_position_is_set_up_and_analysed(open_page: OpenPage, watch: Watch) -> None:
    watch.refused = True  # boards on the way that cannot be played
    page = open_page("/analyse")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Set up a position").click()
    dialog = page.get_by_role("dialog", name="Set up a position")
    dialog.get_by_label("In writing").fill("W:W30:BK15")
    dialog.get_by_label("In writing").press("Tab")
    dialog.get_by_role("button", name="Use this position").click()
    expect(square(page, "15")).to_have_attribute("aria-label", re.compile("^15, black king"))
    page.wait_for_url("**start=W%3AW30%3ABK15*")


def test_the_game_switch_turns_to_another_board(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=checkers&moves=11-15+23-19")
    at_ply(page, 2)
    page.get_by_role("button", name="Chess").click()
    expect(page.get_by_role("grid")).to_have_accessible_name("Chess board")
    at_ply(page, 0)


def test_files_pictures_and_the_position_are_handed_out(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=checkers&moves=11-15+23-19", permissions=["clipboard-read", "clipboard-write"])
    at_ply(page, 2)
    for name, told in (("Save as JSON", '"11-15"'), ("Save as PDN", "11-15"), ("Save a picture", "<svg")):
        page.get_by_role("button", name="More").click()
        with page.expect_download() as saved:
            page.get_by_text(name, exact=True).click()
        assert told in Path(saved.value.path()).read_text()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Copy the position").click()
    expect(page.get_by_text("Position copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("B:W")


def test_a_pasted_game_is_shared_and_analysed_by_others(open_page: OpenPage) -> None:
    page = open_page("/analyse", permissions=["clipboard-read", "clipboard-write"])
    paste(page, PDN)
    expect(page.get_by_role("button", name="22-17")).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Share a link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    page.wait_for_url(re.compile(r"/analyse/\d+"))
    other = open_page(page.evaluate("navigator.clipboard.readText()"))
    expect(other.get_by_text("Ada")).to_be_visible()
    at_ply(other, 4)
    other.keyboard.press("ArrowLeft")
    at_ply(other, 3)
    other.wait_for_url("**ply=3")
    square(other, "9").click()
    expect(square(other, "13")).to_have_attribute("aria-label", "13, empty")
    other.get_by_role("link", name="Analyse this").click()
    other.wait_for_url("**/analyse?*")
    at_ply(other, 3)


def test_an_address_of_no_game_says_what_to_do(open_page: OpenPage, watch: Watch) -> None:
    watch.refused = True
    page = open_page("/analyse/987654")
    expect(page.get_by_role("alert").first).to_be_visible()
    page.get_by_role("button", name="An empty board").click()
    expect(page.get_by_role("grid")).to_be_visible()
    shared = open_page("/shared/nobody")
    expect(shared.get_by_role("alert").first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_no_state_of_the_analysis_has_violations(open_page: OpenPage, web: Path, size: str, dark: bool) -> None:
    page = open_page("/analyse", size=SIZES[size], dark=dark)
    number = keep(page, "tictactoe", LOST)
    token = page.request.post(f"/api/library/{number}/share").json()["address"]
    page.goto(f"/analyse/{number}?review=1&ply=1")
    page.locator("[aria-label=Mistakes]").wait_for(state="attached")
    page.keyboard.press(" ")
    page.get_by_role("region", name="Best lines").wait_for()
    press(page, "c1")
    page.locator("button[data-branch]").wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    assert violations(page, web) == []
    for tab in ("Review", "Moves") if size == "phone" else ():
        page.get_by_role("tab", name=tab).click()
        assert violations(page, web) == []
    page.goto(f"/analyse/{number}?review=1&ply=2")
    page.get_by_role("button", name="Find a better move").click()
    page.get_by_role("region", name="Retry").wait_for()
    assert violations(page, web) == []
    page.goto(token)
    page.get_by_role("link", name="Analyse this").wait_for()
    assert violations(page, web) == []
