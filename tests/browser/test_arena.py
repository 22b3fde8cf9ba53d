"""Tournaments from the page: begun, followed, stopped, gone on with, and the games behind the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import OpenPage
from browser.test_access import violations
from browser.test_watch import every_look
from server.serving import Server

SLOW = 60_000
"""Milliseconds: games are played meanwhile."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which nobody has played a tournament."""
    running = Server(tmp_path_factory.mktemp("arena") / "store.sqlite", rate=5000, burst=5000).start()
    yield running
    running.stop()


def state(page: Page) -> str:
    """How the tournament's work stands."""
    return page.locator("[data-done]").first.get_attribute("data-state") or ""


def begin(page: Page, **wanted: Any) -> str:
    """A tournament of quick players; its name."""
    body = {"game": "tictactoe", "players": ["random", "Easy", "Best=solver"], "games": 4, **wanted}
    answer = page.request.post("/api/tournaments", data=body)
    assert answer.ok, answer.text()
    return str(answer.json()["name"])


def test_the_samuel_roster_runs_from_the_empty_page_and_stops_and_goes_on(open_page: OpenPage, fresh: Server) -> None:
    page = open_page("/arena", address=fresh.address)
    expect(page.get_by_role("button", name="Run the seven-player samuel roster (about a minute)")).to_be_visible()
    page.get_by_role("button", name="Quick: 4 games a pair").click()
    page.wait_for_url("**/arena/samuel")
    expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuemax", "84")
    expect(page.get_by_text(re.compile(r"[1-9]\d* of 84 games · \d+ a minute · .* left"))).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"\d+ of 84 games · stopped"))).to_be_visible(timeout=SLOW)
    done = int(page.locator("[data-done]").get_attribute("data-done") or 0)
    assert 0 < done < 84
    page.wait_for_timeout(500)
    expect(page.locator("[data-done]")).to_have_attribute("data-done", str(done))
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function("done => Number(document.querySelector('[data-done]').dataset.done) > done", arg=done)
    # The tab is closed, and it goes on.
    context = page.context
    page.close()
    again = context.new_page()
    again.goto("/arena")
    expect(again.get_by_role("list", name="Tournaments")).to_contain_text("samuel")
    again.get_by_role("link", name=re.compile("samuel")).click()
    expect(again.get_by_text("84 of 84 games · finished")).to_be_visible(timeout=SLOW)
    board = again.get_by_role("region", name="Leaderboard")
    expect(board.locator("tbody tr")).to_have_count(7)
    expect(board.locator("tbody tr").last).to_contain_text("Random")
    expect(board.locator("tbody tr").first).to_contain_text(re.compile(r"\d+\s*±\d+"))
    again.get_by_role("button", name=re.compile("^Random against .* Show the games")).first.click()
    dialog = again.get_by_role("dialog")
    expect(dialog.locator("li")).to_have_count(4)
    expect(dialog).to_contain_text("95 % interval")
    dialog.get_by_role("link").first.click()
    again.wait_for_url(re.compile(r"/analyse/\d+"))


def test_players_are_chosen_by_level_and_spec(open_page: OpenPage) -> None:
    page = open_page("/watch")
    begin(page, name="one before")
    page.goto("/arena?game=tictactoe")
    page.get_by_role("button", name="New tournament").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Player 1", exact=True).select_option("Easy")
    dialog.get_by_role("combobox", name="Player 2", exact=True).select_option("An agent by its spec…")
    dialog.get_by_label("Player 2: spec").fill("solver")
    dialog.get_by_label("Name of player 2").fill("Perfect")
    dialog.get_by_role("button", name="Another player").click()
    dialog.get_by_text("Quick: 4").click()
    expect(dialog).to_contain_text("3 players, 3 pairs: 12 games")
    dialog.get_by_label("Name (or one is made)").fill("evening 1")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/arena/evening%201")
    expect(page.get_by_text("12 of 12 games · finished")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("region", name="Leaderboard")).to_contain_text("Perfect")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/arena")
    expect(page.get_by_text("evening 1 was deleted")).to_be_visible()
    expect(page.get_by_role("list", name="Tournaments")).not_to_contain_text("evening 1")


def test_deleting_waits_for_what_is_being_fetched(open_page: OpenPage) -> None:
    page = open_page("/watch")
    name = begin(page, games=60)
    asked: list[Route] = []
    here = True

    def hold(route: Route) -> None:
        # The first answer shows the page; the others are on their way until the deleting has begun.
        if route.request.method == "GET" and here:
            asked.append(route)
        if route.request.method != "GET" or not here or len(asked) == 1:
            route.continue_()

    page.route(f"**/api/tournaments/{quote(name)}", hold)
    page.goto(f"/arena/{quote(name)}")
    expect(page.get_by_text("180 of 180 games · finished")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_timeout(500)
    here = False
    assert len(asked) > 1
    for held in asked[1:]:
        held.continue_()
    page.wait_for_url("**/arena")
    expect(page.get_by_text(f"{name} was deleted")).to_be_visible()


def test_a_player_that_cannot_be_is_told_in_place(open_page: OpenPage, watch: Any) -> None:
    watch.refused = True
    page = open_page("/watch")
    begin(page)
    page.goto("/arena?game=tictactoe")
    page.get_by_role("button", name="New tournament").click()
    page.get_by_role("combobox", name="Player 1", exact=True).select_option("An agent by its spec…")
    page.get_by_label("Player 1: spec").fill("nobody")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_somebody_elses_tournament_is_seen_and_not_touched(open_page: OpenPage) -> None:
    name = begin(open_page("/watch"))
    other = open_page(f"/arena/{quote(name)}")
    expect(other.get_by_text("12 of 12 games · finished")).to_be_visible(timeout=SLOW)
    assert other.get_by_role("button", name="Delete").count() == 0
    expect(other.get_by_role("region", name="Cross-table").get_by_role("button").first).to_be_visible()


def test_levels_stand_with_their_ratings(open_page: OpenPage) -> None:
    page = open_page("/arena?game=checkers")
    levels = page.get_by_role("region", name="Levels of Checkers")
    told = page.request.get("/api/catalog").json()["games"]
    measured = next(one for one in told if one["id"] == "checkers")["levels"]
    for level in measured:
        expect(levels).to_contain_text(level["name"])
        expect(levels).to_contain_text("not measured" if level["rating"] is None else str(round(level["rating"])))


def test_a_tournament_has_no_violations(open_page: OpenPage, web: Path) -> None:
    page = open_page("/watch")
    name = begin(page)
    page.goto(f"/arena/{quote(name)}")
    expect(page.get_by_text("12 of 12 games · finished")).to_be_visible(timeout=SLOW)
    cell = page.get_by_role("region", name="Cross-table").get_by_role("button").first
    cell.wait_for()
    for _ in every_look(page):
        assert violations(page, web) == []
        cell.click()
        page.get_by_role("dialog").get_by_role("link").first.wait_for()
        assert violations(page, web) == []
        page.keyboard.press("Escape")
    page.goto("/arena")
    page.get_by_role("button", name="New tournament").click()
    page.get_by_role("dialog").wait_for()
    for _ in every_look(page):
        assert violations(page, web) == []
