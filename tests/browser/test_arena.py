"""The Arena page: starting, stopping, resuming and deleting tournaments, and replaying their games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from browser.accessibility import each_layout, violations
from browser.conftest import OpenPage, PageMonitor, wait_until
from server.serving import Server

SLOW = 60_000
"""Timeout in milliseconds for tests that wait for games to be played."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without tournaments."""
    running = Server(tmp_path_factory.mktemp("arena") / "store.sqlite", rate=5000, burst=5000).start()
    yield running
    running.stop()


def games_done(page: Page) -> int:
    """Return the number of finished games shown on a tournament's page."""
    return int(page.locator("[data-done]").get_attribute("data-done") or 0)


def wait_for_more_games(page: Page, done: int) -> None:
    """Wait until more games have finished."""
    page.wait_for_function(
        "done => Number(document.querySelector('[data-done]')?.dataset.done ?? 0) > done", arg=done, timeout=SLOW
    )


def begin(page: Page, **request: Any) -> str:
    """Start a tournament between fast players and return its name."""
    body = {"game": "tictactoe", "players": ["random", "Easy", "Best=solver"], "games": 4, **request}
    response = page.request.post("/api/tournaments", data=body)
    assert response.ok, response.text()
    return str(response.json()["name"])


def test_a_tournament_can_be_stopped_and_resumed_and_continues_without_a_tab(
    open_page: OpenPage, fresh: Server
) -> None:
    page = open_page("/arena", address=fresh.address)
    page.get_by_role("button", name="Run the seven-player Samuel roster (about a minute)").click()
    page.wait_for_url("**/arena/samuel")
    expect(page.get_by_text(re.compile(r"[1-9]\d* of \d+ games · \d+ per minute · .* left"))).to_be_visible(
        timeout=SLOW
    )
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"\d+ of \d+ games · stopped"))).to_be_visible(timeout=SLOW)
    done = games_done(page)
    page.get_by_role("button", name="Resume").click()
    wait_for_more_games(page, done)
    done = games_done(page)
    context = page.context
    page.close()
    page = context.new_page()
    page.goto("/arena")
    page.get_by_role("list", name="Tournaments").get_by_role("link", name=re.compile("samuel")).click()
    wait_for_more_games(page, done)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Delete").click(timeout=SLOW)
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/arena")
    expect(page.get_by_role("button", name="Quick run: 4 games per pairing")).to_be_visible()


def test_a_finished_tournament_shows_standings_and_games(open_page: OpenPage) -> None:
    page = open_page("/watch")
    name = begin(page, game="checkers", roster="samuel", players=[], quick=True, games=None)
    page.goto(f"/arena/{quote(name)}")
    expect(page.get_by_text("84 of 84 games · finished")).to_be_visible(timeout=2 * SLOW)
    standings = page.get_by_role("region", name="Leaderboard").locator("tbody tr")
    expect(standings).to_have_count(7)
    expect(standings.last).to_contain_text("Random")
    expect(standings.first).to_contain_text(re.compile(r"\d+\s*±\d+"))
    page.get_by_role("button", name=re.compile("^Random against .* Show games")).first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("li")).to_have_count(4)
    expect(dialog).to_contain_text("95% confidence interval")
    opened = dialog.get_by_role("link").first
    expect(opened).to_contain_text("Random")
    opened.click()
    page.wait_for_url(re.compile(r"/analyse/[\w-]{16}"))
    head = page.locator(".head").first
    expect(head).to_contain_text("Random")
    expect(head).not_to_contain_text("alphabeta")
    head.get_by_role("link", name=name).click()
    page.wait_for_url(f"**/arena/{quote(name)}")
    page.go_back()
    page.get_by_role("grid").wait_for()
    page.go_back()  # back to the list of games between the two players
    expect(page.get_by_role("dialog").locator("li")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_url(f"**/arena/{quote(name)}")


def test_a_tournament_of_custom_players(open_page: OpenPage) -> None:
    page = open_page("/watch")
    begin(page, name="earlier")
    page.goto("/arena?game=tictactoe")
    page.get_by_role("button", name="New tournament").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Player 1", exact=True).select_option("Easy")
    dialog.get_by_role("combobox", name="Player 2", exact=True).select_option("Custom agent…")
    dialog.get_by_role("combobox", name="Method").select_option("solver")
    dialog.get_by_label("Name of player 2").fill("Perfect")
    dialog.get_by_role("button", name="Add player").click()
    dialog.get_by_text("Quick: 4").click()
    expect(dialog).to_contain_text("3 players, 3 pairings, 12 games")
    dialog.get_by_label("Name (optional)", exact=True).fill("evening 1")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/arena/evening%201")
    expect(page.get_by_text("12 of 12 games · finished")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("region", name="Leaderboard")).to_contain_text("Perfect")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/arena")
    expect(page.get_by_text("evening 1 was deleted")).to_be_visible()
    expect(page.get_by_role("list", name="Tournaments")).not_to_contain_text("evening 1")


def test_deleting_a_tournament_waits_for_pending_requests(open_page: OpenPage) -> None:
    page = open_page("/watch")
    name = begin(page, games=60)
    delayed: list[Route] = []
    delaying = False

    def handle(route: Route) -> None:
        if delaying and route.request.method == "GET":
            delayed.append(route)
        else:
            route.continue_()

    page.route(f"**/api/tournaments/{quote(name)}", handle)
    page.goto(f"/arena/{quote(name)}")
    page.locator("[data-done]").wait_for()
    delaying = True
    expect(page.get_by_text("180 of 180 games · finished")).to_be_visible(timeout=SLOW)
    wait_until(page, lambda: delayed)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    delaying = False
    for route in delayed:
        route.continue_()
    page.wait_for_url("**/arena")
    expect(page.get_by_text(f"{name} was deleted")).to_be_visible()


def test_an_unknown_player_is_an_error_in_the_dialog(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    page = open_page("/watch")
    begin(page)
    page.goto("/arena?game=tictactoe")
    page.get_by_role("button", name="New tournament").click()
    page.get_by_role("combobox", name="Player 1", exact=True).select_option("Custom agent…")
    page.get_by_label("Player 1: spec").fill(
        "mcts(evaluator=nobody)"
    )  # only the server knows the registered evaluators
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_another_visitors_tournament_is_read_only(open_page: OpenPage) -> None:
    name = begin(open_page("/watch"))
    other = open_page(f"/arena/{quote(name)}")
    expect(other.get_by_text("12 of 12 games · finished")).to_be_visible(timeout=SLOW)
    assert other.get_by_role("button", name="Delete").count() == 0
    expect(other.get_by_role("region", name="Cross-table").get_by_role("button").first).to_be_visible()


def test_levels_have_ratings(open_page: OpenPage) -> None:
    page = open_page("/arena?game=checkers")
    levels = page.get_by_role("region", name="Checkers levels")
    games = page.request.get("/api/catalog").json()["games"]
    for level in next(game for game in games if game["id"] == "checkers")["levels"]:
        expect(levels).to_contain_text(level["name"])
        expect(levels).to_contain_text("not rated" if level["rating"] is None else str(round(level["rating"])))


def test_a_tournament_has_no_violations(open_page: OpenPage) -> None:
    page = open_page("/watch")
    name = begin(page)
    page.goto(f"/arena/{quote(name)}")
    expect(page.get_by_text("12 of 12 games · finished")).to_be_visible(timeout=SLOW)
    cell = page.get_by_role("region", name="Cross-table").get_by_role("button").first
    cell.wait_for()
    for _ in each_layout(page):
        assert violations(page) == []
        cell.click()
        page.get_by_role("dialog").get_by_role("link").first.wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
    page.goto("/arena")
    page.get_by_role("button", name="New tournament").click()
    page.get_by_role("dialog").wait_for()
    for _ in each_layout(page):
        assert violations(page) == []
