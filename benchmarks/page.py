"""Whether the page keeps its promises: small, painted at once, and quick under the hand while a search is at work.

python benchmarks/page.py                  all of them, about a minute
python benchmarks/page.py --moves 100      more trials
"""

from __future__ import annotations

import gzip
import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer
from playwright.sync_api import Browser, Page, Response, sync_playwright
from rich.console import Console
from rich.table import Table
from websockets.sync.client import connect

FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
SIZE = {"width": 1280, "height": 800}

# Times from a press to the frame that shows what it did, on the browser's own clock.
STOPWATCH = """
window.times = { dots: [], shown: [], fresh: [] };
const wait = (since, what, seen) => {
  const look = () => requestAnimationFrame(() => (seen() ? what.push(performance.now() - since) : look()));
  look();
};
const marked = () => document.querySelector("circle.dot, circle.ring");
window.pressed = null;
addEventListener("pointerdown", (event) => {
  const wanted = window.pressed;
  window.pressed = null;
  if (!wanted) return;
  if (wanted.kind === "dots") wait(event.timeStamp, times.dots, marked);
  else {
    const square = document.querySelector(`[data-square="${wanted.to}"]`);
    wait(event.timeStamp, times.shown, () => !square.ariaLabel.includes("empty"));
    const panel = document.querySelector("[data-about]");
    if (panel && wanted.engine) wait(event.timeStamp, times.fresh, () => Number(panel.dataset.about) === wanted.ply);
  }
}, { capture: true });
"""


@contextmanager
def served() -> Iterator[str]:
    """A server of its own with an empty store; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("plyground")), "serve", "--no-browser", "--port", str(port)]
        server = subprocess.Popen(  # noqa: S603
            [*command, "--store", str(Path(folder) / "store.sqlite")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(300):
                try:
                    httpx.get(f"{address}/api/catalog")
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            yield address
        finally:
            server.terminate()
            server.wait(20)


@contextmanager
def busy(address: str) -> Iterator[None]:
    """Another visitor's search that keeps both cores at work."""
    cookie = httpx.get(f"{address}/api/catalog").cookies["plyground"]
    headers = {"Cookie": f"plyground={cookie}"}
    with connect(address.replace("http", "ws") + "/api/socket", additional_headers=headers, max_size=None) as tab:
        wish = {"type": "analyse", "id": "load", "game": "checkers", "agent": "mcts(threads=2)", "seconds": 60}
        tab.send(json.dumps(wish))
        tab.recv(timeout=20)
        yield
        tab.send(json.dumps({"type": "stop", "id": "load"}))


def first_load(browser: Browser, address: str) -> int:
    """Bytes of script and style that Play needs, compressed."""
    page = browser.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address)
    page.get_by_role("grid").wait_for()
    page.wait_for_load_state("networkidle")
    needed = [answer for answer in answers if answer.request.resource_type in {"script", "stylesheet"}]
    total = sum(len(gzip.compress(answer.body(), 9)) for answer in needed)
    page.close()
    return total


def paints(browser: Browser, address: str, count: int) -> list[float]:
    """Milliseconds to the first paint, each time as a new visitor with an empty cache."""
    found = []
    for _ in range(count):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        page.get_by_role("grid").wait_for()
        found.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        context.close()
    return found


def open_game(browser: Browser, address: str) -> tuple[Page, str]:
    """A game of two people on the table, with the stopwatch running."""
    page = browser.new_context(base_url=address, viewport=SIZE).new_page()  # type: ignore[arg-type]
    page.add_init_script(STOPWATCH)
    made = page.request.post("/api/games", data={"game": "checkers", "people": 2}).json()
    page.goto(f"/play/{made['id']}")
    page.get_by_role("grid").wait_for()
    return page, str(made["id"])


def press(page: Page, kind: str, square: str, **more: Any) -> None:
    """A click on a square that the stopwatch takes the time of."""
    page.evaluate("wanted => { window.pressed = wanted }", {"kind": kind, "to": square, **more})
    page.locator(f'[data-square="{square}"]').click()


def play_moves(page: Page, game: str, count: int, engine: bool) -> None:
    """Plays moves by the mouse, in new games as they end."""
    played = 0
    for turn in range(count):
        told = page.request.get(f"/api/games/{game}").json()
        page.locator(f"[data-ply='{told['position']['ply']}'][data-turn=yours]").wait_for()
        moves = [move for move in told["position"]["moves"] if len(move["path"]) == 2]
        if not moves or (len(told["position"]["moves"]) == 1 and moves[0]["captures"]):
            page.request.post(f"/api/games/{game}/undo", data={})
            page.request.post(f"/api/games/{game}/undo", data={})
            continue
        move = moves[(turn * 7) % len(moves)]
        press(page, "dots", move["path"][0])
        page.wait_for_function("count => times.dots.length > count", arg=played)
        press(page, "shown", move["path"][1], ply=told["position"]["ply"] + 1, engine=engine)
        page.wait_for_function("count => times.shown.length > count", arg=played)
        page.locator(f".play[data-ply='{told['position']['ply'] + 1}']").wait_for()
        if engine:
            page.wait_for_function("count => times.fresh.length > count", arg=played)
        played += 1


def report_rate(page: Page, seconds: float) -> float:
    """Reports of the engine that change the panel in a second."""
    return float(
        page.evaluate(
            """async (seconds) => {
              let count = 0;
              const panel = document.querySelector("[data-about]");
              const watch = new MutationObserver(() => (count += 1));
              watch.observe(panel, { characterData: true, subtree: true, childList: true });
              await new Promise((done) => setTimeout(done, seconds * 1000));
              watch.disconnect();
              return count / seconds;
            }""",
            seconds,
        )
    )


def p95(values: list[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def main(
    moves: Annotated[int, typer.Option(help="Moves to play by the mouse.")] = 40,
    loads: Annotated[int, typer.Option(help="Visits with an empty cache.")] = 12,
) -> None:
    """Measure the page beside what it promises."""
    table = Table("promise", "at most", "measured")
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        table.add_row("script and style of Play, gzip", "80 KB", f"{first_load(browser, address) / 1000:.1f} KB")
        painted = paints(browser, address, loads)
        table.add_row("first paint", "400 ms", f"{statistics.median(painted):.0f} ms (p95 {p95(painted):.0f})")
        with busy(address):
            page, game = open_game(browser, address)
            play_moves(page, game, moves, engine=False)
            times = page.evaluate("times")
            table.add_row("click to legal dots, p95, both cores busy", "50 ms", f"{p95(times['dots']):.0f} ms")
            table.add_row("move shown, p95, both cores busy", "100 ms", f"{p95(times['shown']):.0f} ms")
            page.context.close()
        page, game = open_game(browser, address)
        page.keyboard.press(" ")
        page.locator("[data-about='0'] tbody tr").first.wait_for()
        play_moves(page, game, moves, engine=True)
        fresh = page.evaluate("times.fresh")
        shown = f"{p95(fresh):.0f} ms (median {statistics.median(fresh):.0f})"
        table.add_row("fresh statistics after a move, p95", "150 ms", shown)
        table.add_row("statistics shown a second", "10", f"{report_rate(page, 4):.1f}")
        browser.close()
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
