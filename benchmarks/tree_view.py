"""Frame rate of the tree view with 2,000 nodes, in headless Chromium without a GPU."""

from __future__ import annotations

import statistics

from playwright.sync_api import Page, sync_playwright

from figures import Figures
from local_server import running_server
from web_ui import launch

VIEWPORTS = {"1280x800": {"width": 1280, "height": 800}, "1920x1080": {"width": 1920, "height": 1080}}
NODES = 2000
ADDRESS = "/analyse?game=checkers&view=tree"

# Pans back and forth so that every frame is drawn.
FRAME_TIMES = """async seconds => {
  const canvas = document.querySelector("[data-nodes] canvas");
  const times = [];
  const start = performance.now();
  let last = start, step = 0;
  while (performance.now() - start < seconds * 1000) {
    step += 1;
    const pan = { deltaY: step % 20 < 10 ? 2 : -2, shiftKey: true, bubbles: true, cancelable: true };
    canvas.dispatchEvent(new WheelEvent("wheel", pan));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times.slice(2);
}"""


def tree_view(effort: float) -> Figures:
    """Return frames per second at two window sizes: the tree during and after a search, and the icicle chart."""
    seconds = max(1.0, 4 * effort)
    figures: Figures = {}
    with running_server() as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for size, viewport in VIEWPORTS.items():
            page = browser.new_context(base_url=address, viewport=viewport).new_page()  # type: ignore[arg-type]
            page.goto(ADDRESS)
            page.get_by_label("Maximum nodes").select_option(str(NODES))
            page.wait_for_function(
                "n => Number(document.querySelector('[data-nodes]')?.dataset.nodes ?? 0) >= n", arg=NODES
            )
            page.wait_for_timeout(3000)
            figures[f"{size}, tree, searching"] = frame_rate(page, seconds)
            page.keyboard.press(" ")
            page.wait_for_timeout(500)
            figures[f"{size}, tree"] = frame_rate(page, seconds)
            page.get_by_text("Icicle", exact=True).click()
            page.wait_for_timeout(300)
            figures[f"{size}, icicle"] = frame_rate(page, seconds)
            page.context.close()
        browser.close()
    return figures


def frame_rate(page: Page, seconds: float) -> float:
    """Return the mean number of frames per second."""
    times: list[float] = page.evaluate(FRAME_TIMES, seconds)
    return 1000 / statistics.mean(times)
