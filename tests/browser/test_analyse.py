"""The Analyse page: opening games, stepping, variations, the engine and sharing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser.accessibility import violations
from browser.conftest import DESKTOP, PHONE, OpenPage, PageMonitor, wait_until
from browser.seat import Seat

PGN = '[White "Morphy"]\n[Black "Duke"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 *\n'
PDN = '[Event "?"]\n[Black "Ada"]\n[White "Bob"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n'
FEN = "8/4P3/8/8/8/k7/8/4K3 w - - 0 1"
LOST = ["b2", "b1", "c1", "a3", "c3"]
"""A tic-tac-toe game whose second move throws away the draw."""
SIZES = {"desk": DESKTOP, "phone": PHONE}


def square(page: Page, name: str) -> Any:
    """Return a square of the board."""
    return page.get_by_role("grid").locator(f'[data-square="{name}"]')


def press(page: Page, name: str) -> None:
    """Wait until a move can start or end on a square, then click the square."""
    expect(square(page, name)).to_have_attribute(
        "aria-label", re.compile("can move|can be played|must capture|move here")
    )
    square(page, name).click()


def at_ply(page: Page, ply: int) -> None:
    """Wait until the page shows the given ply."""
    expect(page.locator("[data-ply]").first).to_have_attribute("data-ply", str(ply))


def paste(page: Page, text: str) -> None:
    """Paste text and open it."""
    page.get_by_label("Paste a game or a position").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


def import_game(page: Page, game: str, moves: list[str]) -> str:
    """Import a game into the visitor's library and return its ID."""
    text = json.dumps({"format": "plyground-game", "version": 1, "game": game, "moves": moves})
    answer = page.request.post("/api/library/import", data={"files": [{"name": "x.json", "text": text}]})
    report = answer.json()["files"][0]
    return str((report["added"] + report["duplicates"])[0])


def test_moves_on_an_empty_board_are_stored_in_the_url(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    press(page, "11")
    press(page, "15")
    at_ply(page, 1)
    page.wait_for_url("**moves=11-15*")
    other = open_page(page.url)
    at_ply(other, 1)
    expect(other.get_by_role("button", name="11-15")).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize(("text", "last"), [(PGN, "Bxf3"), (PDN, "22-17")], ids=["pgn", "pdn"])
def test_arrow_keys_step_through_a_pasted_game(open_page: OpenPage, text: str, last: str) -> None:
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
    page.get_by_role("button", name="Last position").click()
    page.wait_for_url(re.compile(r"ply=[48]$"))
    page.reload()
    expect(page.get_by_role("button", name=last)).to_have_attribute("aria-current", "true")


def test_a_position_of_another_game_and_a_move_list_are_recognised(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True  # the text is first parsed as checkers
    page = open_page("/analyse")
    paste(page, FEN)
    expect(page.get_by_role("grid")).to_have_accessible_name("Chess board")
    expect(square(page, "e7")).to_have_attribute("aria-label", re.compile("white pawn"))
    page = open_page("/analyse?game=connect4")
    paste(page, "1. 4 4 2. 4 3")
    expect(page.get_by_role("region", name="Moves").get_by_role("button")).to_have_count(4)


def test_invalid_text_shows_an_error_and_several_games_show_a_list(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    page = open_page("/analyse")
    paste(page, "this is not a game")
    expect(page.get_by_role("alert").filter(has_text="must be JSON, PDN, PGN")).to_be_visible()
    paste(page, f"{PGN}\n{PGN.replace('Morphy', 'Anderssen')}")
    page.get_by_role("button", name=re.compile("Anderssen")).click()
    expect(page.get_by_text("Anderssen").first).to_be_visible()
    at_ply(page, 0)


def test_a_game_with_an_illegal_move_can_be_opened_up_to_it(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=chess")
    paste(page, f'{PGN}\n[White "Ada"]\n\n1. e4 e5 2. Ke9 d6 *\n')
    failed = page.get_by_role("alert").filter(has_text="Game 2, move 2. Ke9, line 8")
    expect(failed).to_contain_text('"Ke9" is not a move')
    failed.get_by_role("button", name="Open the first 2 plies").click()
    expect(page.get_by_role("region", name="Moves").get_by_role("button")).to_have_text(["e4", "e5"])
    expect(page.get_by_text("Ada").first).to_be_visible()


def test_files_are_opened_by_button_and_by_drag_and_drop(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "game.pdn"
    file.write_text(PDN)
    page = open_page("/analyse")
    page.get_by_role("grid").wait_for()
    page.get_by_label("Game file").set_input_files(file)
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


@pytest.mark.parametrize("stored", [False, True], ids=["unsaved", "in the library"])
def test_variations_survive_a_reload(open_page: OpenPage, stored: bool) -> None:
    page = open_page("/analyse")
    moves = ["11-15", "23-19", "8-11"]
    page.goto(
        f"/analyse/{import_game(page, 'checkers', moves)}"
        if stored
        else f"/analyse?game=checkers&moves={'+'.join(moves)}&ply=0"
    )
    variation = page.locator("button[data-variation]")
    press(page, "9")
    press(page, "13")
    expect(variation).to_have_text(["9-13"])
    page.get_by_role("button", name="11-15").click()
    for square_ in ("22", "18", "15"):  # the capture is forced: one click
        press(page, square_)
    expect(variation).to_have_text(["9-13", "22-18", "15x22"])
    page.wait_for_url(re.compile("line=22-18.15x22"))
    page.reload()
    expect(variation).to_have_text(["9-13", "22-18", "15x22"])
    at_ply(page, 3)
    expect(variation.last).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("button", name="8-11")).to_be_visible()
    page.get_by_role("button", name="Make 22-18 the main line").click()
    expect(variation).to_have_text(["9-13", "23-19", "8-11"])
    page.get_by_role("button", name="Delete variation 9-13").click()
    page.wait_for_timeout(500)
    page.reload()
    expect(variation).to_have_text(["23-19", "8-11"])
    other = open_page(page.url) if not stored else open_page("/analyse")
    other.get_by_role("grid").wait_for()
    expect(other.locator("button[data-variation]")).to_have_count(0)


def test_a_move_at_any_ply_starts_a_variation(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=checkers&moves=11-15+23-19+8-11&ply=1")
    press(page, "22")
    press(page, "18")
    variation = page.locator("button[data-variation]")
    expect(variation).to_have_text("22-18")
    page.wait_for_url("**line=22-18*")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="23-19")).to_have_attribute("aria-current", "true")
    variation.click()
    page.wait_for_url("**line=22-18*")
    other = open_page(page.url)
    expect(other.locator("button[data-variation]")).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Make 22-18 the main line").click()
    expect(variation).to_have_count(2)
    page.get_by_role("button", name="Delete variation 23-19").click()
    expect(variation).to_have_count(0)
    expect(page.get_by_role("button", name="22-18")).to_be_visible()


def test_the_engine_shows_lines_and_its_results_remain_after_it_stops(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=connect4&moves=4+4+4+4+4+2+3")
    page.get_by_role("grid").wait_for()
    page.keyboard.press(" ")
    lines = page.get_by_role("region", name="Best lines")
    expect(lines.get_by_role("listitem")).to_have_count(3)
    expect(lines.get_by_role("listitem").first.get_by_role("button").nth(1)).to_be_visible()
    page.keyboard.press(" ")
    panel = page.get_by_role("region", name="Search")
    expect(panel.get_by_text("done")).to_be_visible()
    statistics = panel.locator("tbody").inner_text()
    page.keyboard.press("ArrowLeft")
    expect(panel.locator("tbody tr")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(panel.locator("tbody tr")).to_have_count(7)
    assert panel.locator("tbody").inner_text() == statistics
    lines.get_by_role("listitem").first.get_by_role("button").nth(1).click()
    at_ply(page, 9)


def test_the_engines_table_stays_visible_on_a_laptop(open_page: OpenPage) -> None:
    page = open_page("/analyse", size={"width": 1366, "height": 768})
    page.goto(f"/analyse/{import_game(page, 'tictactoe', LOST)}?review=1&ply=1")
    page.get_by_role("list", name="Mistakes").wait_for()
    page.keyboard.press(" ")
    rows = page.get_by_role("region", name="Search").locator("tbody tr")
    expect(rows).to_have_count(7)
    expect(page.get_by_role("region", name="Best lines")).to_be_visible()
    panel = page.locator(".statistics[role=group]").bounding_box()
    assert panel
    for row in rows.all():
        box = row.bounding_box()
        assert box
        assert box["y"] + box["height"] <= panel["y"] + panel["height"] + 1
    assert panel["y"] + panel["height"] <= 768


def test_key_1_plays_the_best_move_even_if_it_is_not_in_the_first_row(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=connect4&moves=4+4")
    page.get_by_role("grid").wait_for()
    page.evaluate(
        """() => {
          // Reports of a running search in which the best move changes from the first row to the second.
          window.best = null;
          const parse = JSON.parse;
          JSON.parse = (text, ...rest) => {
            const message = parse(text, ...rest);
            if (message?.type !== "report" || message.analysis.moves.length < 2) return message;
            const moves = message.analysis.moves;
            moves.forEach((move, at) => {
              move.visits = at === 0 ? 100 : at === 1 ? (window.swap ? 500 : 50) : 1;
              move.share = move.visits / 1000;
            });
            message.analysis.best = moves[window.swap ? 1 : 0].move;
            message.final = false;
            window.seen = window.swap ? message.analysis.best : window.seen;
            return message;
          };
        }"""
    )
    page.keyboard.press(" ")
    rows = page.get_by_role("region", name="Search").locator("tbody tr")
    expect(rows.first.locator("th")).to_have_text("11")
    page.evaluate("window.swap = true")
    expect(rows.nth(1).locator("th")).to_have_text("12")
    expect(rows.first.locator("th")).to_have_text("21")
    page.keyboard.press("1")
    at_ply(page, 3)
    expect(page.get_by_role("region", name="Moves").get_by_role("button").last).to_have_text("2")


def test_the_exact_value_is_shown_beside_the_search(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=tictactoe&moves=b2+b1")
    expect(page.get_by_text("exact: win in 5")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("region", name="Search").get_by_text(re.compile("(truth|exact): win in 5"))).to_be_visible()


def test_the_analysis_of_a_game_in_progress_follows_it(open_page: OpenPage) -> None:
    page = open_page(None)
    seat = Seat(page).begin("tictactoe", humans=2, player=None)
    game_id = seat.id
    assert page.request.post(f"/api/games/{game_id}/moves", data={"move": "b2", "ply": 0}).ok
    page.goto(f"/analyse?play={game_id}")
    at_ply(page, 1)
    assert page.request.post(f"/api/games/{game_id}/moves", data={"move": "a1", "ply": 1}).ok
    at_ply(page, 2)
    expect(page.get_by_role("region", name="Moves").get_by_role("button", name="a1")).to_be_visible()


def test_a_position_is_set_up_and_analysed(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True  # the text is an invalid position while it is being typed
    page = open_page("/analyse")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Set up a position").click()
    dialog = page.get_by_role("dialog", name="Set up a position")
    dialog.get_by_label("Position as text").fill("W:W30:BK15")
    dialog.get_by_label("Position as text").press("Tab")
    dialog.get_by_role("button", name="Use this position").click()
    expect(square(page, "15")).to_have_attribute("aria-label", re.compile("^15, black king"))
    page.wait_for_url("**start=W%3AW30%3ABK15*")


def test_the_game_switch_opens_the_other_game(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=checkers&moves=11-15+23-19")
    at_ply(page, 2)
    page.get_by_role("button", name="Chess").click()
    expect(page.get_by_role("grid")).to_have_accessible_name("Chess board")
    at_ply(page, 0)


def test_the_game_is_exported_as_files_an_image_and_text(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=checkers&moves=11-15+23-19", permissions=["clipboard-read", "clipboard-write"])
    at_ply(page, 2)
    for name, content in (("Save as JSON", '"11-15"'), ("Save as PDN", "11-15"), ("Save image", "<svg")):
        page.get_by_role("button", name="More").click()
        with page.expect_download() as saved:
            page.get_by_text(name, exact=True).click()
        assert content in Path(saved.value.path()).read_text()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Copy position").click()
    expect(page.get_by_text("Position copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("B:W")


def test_a_pasted_game_is_shared_and_analysed_by_another_visitor(open_page: OpenPage) -> None:
    page = open_page("/analyse", permissions=["clipboard-read", "clipboard-write"])
    paste(page, PDN)
    expect(page.get_by_role("button", name="22-17")).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Share a link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    page.wait_for_url(re.compile(r"/analyse/[\w-]{16}"))
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


def test_the_url_names_a_saved_game_while_it_loads(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=checkers&moves=11-15+23-19")
    at_ply(page, 2)
    delayed: list[Route] = []
    page.route(re.compile(r"/api/library/[\w-]{16}$"), lambda route: delayed.append(route))
    saved: list[Route] = []
    page.route("**/api/library/import", lambda route: saved.append(route))
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Save to library").click()
    wait_until(page, lambda: saved)
    # Stepping back schedules a URL change, which is due while the saved game is still loading.
    page.keyboard.press("ArrowLeft")
    saved[0].continue_()
    wait_until(page, lambda: delayed)
    page.wait_for_timeout(500)
    with page.expect_response(delayed[0].request.url):
        delayed[0].continue_()
    page.wait_for_url(re.compile(r"/analyse/[\w-]{16}\?ply=1$"))
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Save to library")).to_have_count(0)
    at_ply(page, 1)


def test_an_unknown_game_shows_an_error_and_a_way_out(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    page = open_page("/analyse/987654")
    expect(page.get_by_role("alert").first).to_be_visible()
    page.get_by_role("button", name="Open empty board").click()
    expect(page.get_by_role("grid")).to_be_visible()
    shared = open_page("/shared/nobody")
    expect(shared.get_by_role("alert").first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_analyse_page_has_no_accessibility_violations(open_page: OpenPage, size: str, dark: bool) -> None:
    page = open_page("/analyse", size=SIZES[size], dark=dark)
    record_id = import_game(page, "tictactoe", LOST)
    token = page.request.post(f"/api/library/{record_id}/share").json()["address"]
    page.goto(f"/analyse/{record_id}?review=1&ply=1")
    page.locator("[aria-label=Mistakes]").wait_for(state="attached")
    page.keyboard.press(" ")
    page.get_by_role("region", name="Best lines").wait_for()
    press(page, "c1")
    page.locator("button[data-variation]").wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    assert violations(page) == []
    for tab in ("Review", "Moves") if size == "phone" else ():
        page.get_by_role("tab", name=tab).click()
        assert violations(page) == []
    page.goto(f"/analyse/{record_id}?review=1&ply=2")
    page.get_by_role("button", name="Find a better move").click()
    page.get_by_role("region", name="Retry").wait_for()
    assert violations(page) == []
    page.goto(token)
    page.get_by_role("link", name="Analyse this").wait_for()
    assert violations(page) == []
