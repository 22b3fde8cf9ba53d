"""Size of the web UI, and its response times in headless Chromium while a search keeps both cores busy."""

from __future__ import annotations

import gzip
import json
import shutil
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, Playwright, Response, sync_playwright
from websockets.sync.client import connect

from figures import Figures, percentile, scaled
from local_server import running_server

FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
VIEWPORT = {"width": 1280, "height": 800}

# Measures the time from a pointerdown event to the frame that shows its effect, on the browser's clock.
STOPWATCH = """
window.times = { dots: [], shown: [], statistics: [] };
const waitFor = (start, times, isVisible) => {
  const check = () => requestAnimationFrame(() => (isVisible() ? times.push(performance.now() - start) : check()));
  check();
};
const hasDots = () => document.querySelector("circle.dot, circle.ring");
window.expected = null;
addEventListener("pointerdown", (event) => {
  const expected = window.expected;
  window.expected = null;
  if (!expected) return;
  if (expected.kind === "dots") waitFor(event.timeStamp, times.dots, hasDots);
  else {
    const square = document.querySelector(`[data-square="${expected.square}"]`);
    waitFor(event.timeStamp, times.shown, () => !square.ariaLabel.includes("empty"));
    const panel = document.querySelector("[data-about]");
    if (panel && expected.engine) {
      waitFor(event.timeStamp, times.statistics, () => Number(panel.dataset.about) === expected.ply);
    }
  }
}, { capture: true });
"""


def launch(playwright: Playwright) -> Browser:
    """Start the installed Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise FileNotFoundError("Chromium is not installed; install it with: make chromium")
    return playwright.chromium.launch(executable_path=chromium, args=FLAGS)


def web_ui(effort: float) -> Figures:
    """Return the size in KB, times in milliseconds and the number of statistics updates per second."""
    moves = scaled(40, effort, minimum=5)
    figures: Figures = {}
    with running_server() as address, sync_playwright() as playwright:
        browser = launch(playwright)
        figures["script and style, gzip"] = first_load_bytes(browser, address) / 1000
        figures["first paint, median"] = statistics.median(first_paints(browser, address, scaled(12, effort, 3)))
        with busy_cores(address):
            page, game = open_game(browser, address)
            play_moves(page, game, moves, engine=False)
            times = page.evaluate("times")
            figures["click to legal-move dots, p95"] = percentile(times["dots"], 95)
            figures["move shown, p95"] = percentile(times["shown"], 95)
            page.context.close()
        page, game = open_game(browser, address)
        page.keyboard.press(" ")
        page.locator("[data-about='0'] tbody tr").first.wait_for()
        # Measured in the start position, because a search ends at once if the move is forced.
        figures["statistics updates"] = update_rate(page, seconds=4)
        play_moves(page, game, moves, engine=True)
        figures["statistics after a move, p95"] = percentile(page.evaluate("times.statistics"), 95)
        browser.close()
    return figures


@contextmanager
def busy_cores(address: str) -> Iterator[None]:
    """Keep both cores busy with another visitor's search."""
    cookie = httpx.get(f"{address}/api/catalog").cookies["plyground"]
    headers = {"Cookie": f"plyground={cookie}"}
    with connect(address.replace("http", "ws") + "/api/socket", additional_headers=headers, max_size=None) as tab:
        request = {"type": "analyse", "id": "load", "game": "checkers", "agent": "mcts(threads=2)", "seconds": 60}
        tab.send(json.dumps(request))
        tab.recv(timeout=20)
        yield
        tab.send(json.dumps({"type": "stop", "id": "load"}))


def first_load_bytes(browser: Browser, address: str) -> int:
    """Return the compressed size of the scripts and styles that the Play page loads."""
    page = browser.new_page()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(address)
    page.get_by_role("grid").wait_for()
    page.wait_for_load_state("networkidle")
    files = [response for response in responses if response.request.resource_type in {"script", "stylesheet"}]
    total = sum(len(gzip.compress(response.body(), 9)) for response in files)
    page.close()
    return total


def first_paints(browser: Browser, address: str, count: int) -> list[float]:
    """Return the times to the first contentful paint in milliseconds, each with an empty cache."""
    paints = []
    for _ in range(count):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        page.get_by_role("grid").wait_for()
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        context.close()
    return paints


def open_game(browser: Browser, address: str) -> tuple[Page, str]:
    """Open a game of two human players with the stopwatch installed; return the page and the game's id."""
    page = browser.new_context(base_url=address, viewport=VIEWPORT).new_page()  # type: ignore[arg-type]
    page.add_init_script(STOPWATCH)
    game = page.request.post("/api/games", data={"game": "checkers", "humans": 2}).json()
    page.goto(f"/play/{game['id']}")
    page.get_by_role("grid").wait_for()
    return page, str(game["id"])


def click(page: Page, kind: str, square: str, **expected: Any) -> None:
    """Click a square; the stopwatch measures the time until the effect is visible."""
    page.evaluate("expected => { window.expected = expected }", {"kind": kind, "square": square, **expected})
    page.locator(f'[data-square="{square}"]').click()


def play_moves(page: Page, game: str, count: int, engine: bool) -> None:
    """Play moves with the mouse; undo two plies whenever only captures are possible or the game is over."""
    played = 0
    for turn in range(count):
        position = page.request.get(f"/api/games/{game}").json()["position"]
        ply = position["ply"]
        page.locator(f"[data-ply='{ply}'][data-turn=yours]").wait_for()
        moves = [move for move in position["moves"] if len(move["path"]) == 2]
        if not moves or (len(position["moves"]) == 1 and moves[0]["captures"]):
            page.request.post(f"/api/games/{game}/undo", data={})
            page.request.post(f"/api/games/{game}/undo", data={})
            continue
        move = moves[(turn * 7) % len(moves)]
        click(page, "dots", move["path"][0])
        page.wait_for_function("count => times.dots.length > count", arg=played)
        click(page, "shown", move["path"][1], ply=ply + 1, engine=engine)
        page.wait_for_function("count => times.shown.length > count", arg=played)
        page.locator(f".play[data-ply='{ply + 1}']").wait_for()
        if engine:
            page.wait_for_function("count => times.statistics.length > count", arg=played)
        played += 1


def update_rate(page: Page, seconds: float) -> float:
    """Return the number of search statistics updates per second."""
    return float(
        page.evaluate(
            """async (seconds) => {
              let count = 0;
              const panel = document.querySelector("[data-about]");
              const observer = new MutationObserver(() => (count += 1));
              observer.observe(panel, { characterData: true, subtree: true, childList: true });
              await new Promise((done) => setTimeout(done, seconds * 1000));
              observer.disconnect();
              return count / seconds;
            }""",
            seconds,
        )
    )
