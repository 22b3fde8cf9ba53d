"""The Train page: starting, stopping, resuming and deleting training runs, and playing their checkpoints."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from browser.accessibility import each_layout, violations
from browser.conftest import OpenPage, PageMonitor
from browser.seat import Seat, by_mouse

SLOW = 60_000
"""Timeout in milliseconds for tests that wait for games to be played."""


GAMES = 100_000
"""Number of games, so large that a run does not finish during a test."""


def begin(page: Page, games: int = 60, depth: int = 1) -> int:
    """Start a checkers training run and return its ID."""
    body = {"method": "td", "game": "checkers", "settings": {"games": games, "depth": depth}}
    response = page.request.post("/api/training/runs", data=body)
    assert response.ok, response.text()
    return int(response.json()["id"])


def test_a_run_shows_its_results_and_can_be_played(open_page: OpenPage) -> None:
    page = open_page("/train?game=checkers")
    form = page.get_by_role("form", name="New training run")
    form.get_by_label("Games", exact=True).fill("80")
    form.get_by_label("Depth", exact=True).fill("1")
    form.get_by_role("button", name="Start training").click()
    page.wait_for_url(re.compile(r"/train/\d+"))
    expect(page.get_by_text("80 of 80 games · finished")).to_be_visible(timeout=SLOW)
    curve = page.get_by_role("img", name=re.compile(r"^Score\. Score: from .* at 20 to .* at 80"))
    expect(curve).to_be_visible()
    expect(page.locator(".uplot canvas")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(r"Strength: \d+% at 80"))).to_be_visible()
    expect(page.get_by_text("after 32 games, a copy of the learner became the opponent.")).to_be_visible()
    page.get_by_text("Show as table").click()
    expect(page.get_by_role("region", name="Score, table").locator("tbody tr")).to_have_count(4)
    page.get_by_text("Weights", exact=True).click()
    expect(page.get_by_role("img", name=re.compile("^Weights"))).to_be_visible()
    weights = page.get_by_role("region", name="Weights")
    expect(weights).to_contain_text("Piece count")
    expect(weights).to_contain_text("difference in men / 12")
    expect(weights.locator("tbody tr").first).to_contain_text(re.compile(r"[+−]\d"))
    expect(page.get_by_role("list", name="Checkpoints").locator("li")).to_have_count(4)
    page.get_by_role("button", name="Play against the checkpoint after 40 games").click()
    seat = Seat(page).ready()
    expect(page.get_by_text(re.compile(r"run \d+ \(40 games\)")).first).to_be_visible()
    by_mouse(seat, ["11", "15"])
    assert seat.wait_for_turn() == "yours"
    assert seat.ply == 2


def test_a_run_can_be_stopped_resumed_and_deleted(open_page: OpenPage) -> None:
    page = open_page("/train")
    number = begin(page, games=GAMES, depth=2)
    page.goto(f"/train/{number}")
    running = re.compile(rf"[1-9]\d* of {GAMES} games · \d+ per minute · .* left")
    expect(page.get_by_text(running)).to_be_visible(timeout=SLOW)
    page.get_by_role("img", name=re.compile("^Score")).wait_for(timeout=SLOW)  # while it is running
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(rf"\d+ of {GAMES} games · stopped"))).to_be_visible(timeout=SLOW)
    done = int(page.locator("[data-done]").get_attribute("data-done") or 0)
    assert 0 < done < GAMES
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(
        "done => Number(document.querySelector('[data-done]').dataset.done) > done", arg=done, timeout=SLOW
    )
    page.goto("/train")
    listed = page.get_by_role("list", name="Training runs").get_by_role("link", name=re.compile(f"Run {number}:"))
    expect(listed).to_contain_text("per minute", timeout=SLOW)
    listed.click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Delete").click(timeout=SLOW)
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/train")
    expect(page.get_by_role("link", name=re.compile(f"Run {number}:"))).to_have_count(0)


def test_the_form_uses_the_servers_methods_and_bounds(open_page: OpenPage) -> None:
    page = open_page("/train?game=checkers")
    methods = page.request.get("/api/training/methods").json()
    form = page.get_by_role("form", name="New training run")
    for method in methods:
        if "checkers" in method["games"]:
            form.get_by_role("combobox", name="Method").select_option(method["title"])
            expect(form).to_contain_text(method["description"])
            games = next(one for one in method["settings"] if one["name"] == "games")
            expect(form.get_by_label("Games", exact=True)).to_have_value(games["default"])
            expect(form.get_by_label("Games", exact=True)).to_have_attribute("max", str(int(games["maximum"])))
    form.get_by_role("combobox", name="Method").select_option("TD(λ)")
    form.get_by_label("Games", exact=True).fill("0")
    assert form.get_by_label("Games", exact=True).evaluate("input => input.validity.rangeUnderflow")


def test_a_method_that_needs_pytorch_says_how_to_install_it(open_page: OpenPage) -> None:
    page = open_page(None)
    missing = "training networks requires PyTorch; install it with: make learn"

    def without_pytorch(route: Route) -> None:
        response = route.fetch()
        methods = response.json()
        for method in methods:
            method["missing"] = missing if method["name"] == "network" else None
        route.fulfill(response=response, json=methods)

    page.route("**/api/training/methods", without_pytorch)
    page.goto("/train?game=checkers")
    form = page.get_by_role("form", name="New training run")
    expect(form.get_by_role("button", name="Start training")).to_be_enabled()
    form.get_by_role("combobox", name="Method").select_option("Network")
    expect(form.get_by_role("note")).to_contain_text("install it with: make learn")
    expect(form.get_by_role("button", name="Start training")).to_be_disabled()


def test_q_values_are_learned_played_and_downloaded(open_page: OpenPage) -> None:
    page = open_page("/train?game=tictactoe")
    form = page.get_by_role("form", name="New training run")
    form.get_by_role("combobox", name="Method").select_option("Q-learning")
    form.get_by_label("Games", exact=True).fill("40")
    form.get_by_text("More settings").click()
    form.get_by_label("Table", exact=True).select_option("positions")
    form.get_by_role("button", name="Start training").click()
    page.wait_for_url(re.compile(r"/train/\d+"))
    expect(page.get_by_text("40 of 40 games · finished")).to_be_visible(timeout=SLOW)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the weights after 40 games").click()
    assert download.value.suggested_filename.startswith("tictactoe-qlearning-")
    page.get_by_role("button", name="Play against the checkpoint after 40 games").click()
    seat = Seat(page).ready()
    by_mouse(seat, ["b2"])
    assert seat.wait_for_turn() == "yours"


def test_the_form_shows_server_errors(open_page: OpenPage, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True
    page = open_page("/train?game=checkers")
    form = page.get_by_role("form", name="New training run")
    form.get_by_text("More settings").click()
    form.get_by_label("Start", exact=True).fill("no such weights")
    form.get_by_role("button", name="Start training").click()
    expect(form.get_by_role("alert")).to_contain_text("no such weights")


def test_a_checkpoint_can_be_watched(open_page: OpenPage) -> None:
    page = open_page("/train")
    page.goto(f"/train/{begin(page)}")
    expect(page.get_by_text("60 of 60 games · finished")).to_be_visible(timeout=SLOW)
    page.get_by_role("link", name="Watch the checkpoint after 60 games").click()
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url("**/watch/*")
    expect(page.locator("[data-side=black]")).to_contain_text(re.compile(r"checkpoint \d+/60"))
    page.wait_for_function("() => Number(document.querySelector('[data-ply]').dataset.ply) >= 2")


def test_a_run_has_no_violations(open_page: OpenPage) -> None:
    page = open_page("/train")
    page.goto(f"/train/{begin(page)}")
    expect(page.get_by_text("60 of 60 games · finished")).to_be_visible(timeout=SLOW)
    page.locator(".uplot canvas").wait_for()
    page.get_by_text("Show as table").click()
    page.get_by_text("Settings", exact=True).click()
    for _ in each_layout(page):
        assert violations(page) == []
    page.goto("/train")
    page.get_by_text("More settings").click()
    page.get_by_role("list", name="Training runs").wait_for()
    for _ in each_layout(page):
        assert violations(page) == []
