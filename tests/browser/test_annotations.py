"""Comments, marks and variations on the Analyse page, and the names of openings."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.accessibility import violations
from browser.conftest import OpenPage


def test_comments_marks_and_variations_of_a_game_are_shown_changed_and_saved(open_page: OpenPage) -> None:
    page = open_page("/analyse")
    text = "{A model game} 1. e4 {[%clk 0:01:30] best} e5 (1... c5! {sharp} 2. Nf3) 2. Nf3 *"
    files = [{"name": "x.pgn", "text": f'[Event "x"]\n\n{text}\n'}]
    (record_id,) = page.request.post("/api/library/import", data={"files": files}).json()["files"][0]["added"]
    page.goto(f"/analyse/{record_id}?ply=1")
    moves = page.locator("#panel-moves")
    for shown in ("A model game", "best", "sharp"):
        expect(moves.get_by_text(shown, exact=True).first).to_be_visible()
    expect(page.locator("button[data-variation]")).to_have_text(["c5!", "Nf3"])
    expect(moves.get_by_text("Clock 0:01:30")).to_be_visible()
    expect(page.get_by_text("King's Pawn Game")).to_be_visible()
    page.locator("button[data-variation]").first.click()
    expect(page.get_by_text("B20 Sicilian Defense")).to_be_visible()
    page.get_by_label("Comment on c5").fill("sharp and popular")
    page.get_by_role("button", name="Interesting move").click()
    expect(page.locator("button[data-variation]").first).to_have_text("c5!?")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Comments and variations saved")).to_be_visible()
    exported = page.request.get(f"/api/library/{record_id}/export?format=pgn").text()
    assert "(1... c5 $5 {sharp and popular} 2. Nf3)" in " ".join(exported.split())
    assert violations(page) == []
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Save changes")).to_have_count(0)
    page.goto("/library")
    expect(page.get_by_text("C40 King's Knight Opening")).to_be_visible()
