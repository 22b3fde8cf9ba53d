"""Accessibility checks with axe-core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from browser.conftest import DESKTOP, PHONE

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
FINISH_TRANSITIONS = """() => Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime < 10_000)
    .map((animation) => animation.finished))"""


def violations(page: Page) -> list[str]:
    """Return the violations that axe-core finds once colour transitions have finished."""
    page.evaluate(FINISH_TRANSITIONS)
    page.evaluate(f"() => {{ {AXE.read_text()} }}")
    result: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def next_frame(page: Page) -> None:
    """Wait until pending changes have been rendered."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def each_layout(page: Page) -> Iterator[bool]:
    """Show a page in light and dark mode at desktop and phone size; yield whether it is phone size."""
    for size in (DESKTOP, PHONE):
        for scheme in ("light", "dark"):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(
                "scheme => matchMedia(`(prefers-color-scheme: ${scheme})`).matches && "
                "document.documentElement.dataset.theme === scheme",
                arg=scheme,
            )
            next_frame(page)
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), (
                "the page scrolls horizontally"
            )
            yield size == PHONE
