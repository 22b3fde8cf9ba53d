"""How many frames a second the tree view draws with 2,000 nodes, at rest and while the search goes on.

python benchmarks/tree_view.py                  tree and icicle, about half a minute
python benchmarks/tree_view.py --seconds 10     longer
"""

from __future__ import annotations

import shutil
import statistics
from typing import Annotated, Any

import typer
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.table import Table

from page import FLAGS, served

SIZES = {"desk": {"width": 1280, "height": 800}, "wide": {"width": 1920, "height": 1080}}
NODES = 2000
PROMISED = 30
ADDRESS = "/analyse?game=checkers&view=tree"

# The picture is pushed to and fro with every frame, so that every frame is drawn anew.
FRAMES = """async seconds => {
  const canvas = document.querySelector("[data-nodes] canvas");
  const times = [];
  const began = performance.now();
  let last = began, step = 0;
  while (performance.now() - began < seconds * 1000) {
    step += 1;
    const push = { deltaY: step % 20 < 10 ? 2 : -2, shiftKey: true, bubbles: true, cancelable: true };
    canvas.dispatchEvent(new WheelEvent("wheel", push));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  const nodes = Number(canvas.parentElement.dataset.nodes);
  return { times: times.slice(2), nodes, seen: Number(canvas.dataset.seen) };
}"""


def measure(page: Page, seconds: float) -> dict[str, Any]:
    """Frames of the tree as it is now."""
    found: dict[str, Any] = page.evaluate(FRAMES, seconds)
    times = sorted(found["times"])
    return {
        "fps": 1000 / statistics.mean(times),
        "median": statistics.median(times),
        "p95": times[int(0.95 * (len(times) - 1))],
        "nodes": found["nodes"],
        "seen": found["seen"],
    }


def main(seconds: Annotated[float, typer.Option(help="For each figure.")] = 4.0) -> None:
    """Measure in headless Chromium without a graphics card."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise typer.BadParameter("Chromium is missing: make chromium")
    table = Table("", "nodes", "in sight", "frames a second", "median ms", "p95 ms")
    slow = []
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for size, pixels in SIZES.items():
            page = browser.new_context(base_url=address, viewport=pixels).new_page()  # type: ignore[arg-type]
            page.goto(ADDRESS)
            page.get_by_label("Nodes at most").select_option(str(NODES))
            page.wait_for_function(
                "n => Number(document.querySelector('[data-nodes]')?.dataset.nodes ?? 0) >= n", arg=NODES
            )
            page.wait_for_timeout(3000)
            figures = {f"{size}, tree, search running": measure(page, seconds)}
            page.keyboard.press(" ")
            page.wait_for_timeout(500)
            figures[f"{size}, tree"] = measure(page, seconds)
            page.get_by_text("Icicle", exact=True).click()
            page.wait_for_timeout(300)
            figures[f"{size}, icicle"] = measure(page, seconds)
            for name, one in figures.items():
                table.add_row(
                    name,
                    str(one["nodes"]),
                    str(one["seen"]),
                    f"{one['fps']:.1f}",
                    f"{one['median']:.1f}",
                    f"{one['p95']:.1f}",
                )
                if one["fps"] < PROMISED:
                    slow.append(name)
            page.context.close()
        browser.close()
    console = Console()
    console.print(table)
    console.print(f"promised: {PROMISED} frames a second with {NODES} nodes; below it: {', '.join(slow) or 'none'}")


if __name__ == "__main__":
    typer.run(main)
