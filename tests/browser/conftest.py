"""A server, Debian's Chromium, and pages that fail the test on console errors or requests to other hosts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from browser.seat import Seat
from server.serving import Server, serving

FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
TIMEOUT = 60_000
"""Timeout in milliseconds; generous, because test machines may be busy."""
expect.set_options(timeout=TIMEOUT)

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server shared by all tests in a process."""
    with serving(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The installed Chromium."""
    executable = shutil.which("chromium")
    assert executable, "Chromium is not installed; run `make chromium`"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield running
        running.close()


class PageMonitor:
    """Collects console errors and requests to other hosts."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.errors: list[str] = []
        self.server_down = False
        """Whether the test has stopped the server, so that connection errors are expected."""
        self.expect_rejection = False
        """Whether the test sends invalid requests, whose 4xx responses Chromium logs as errors."""

    def follow(self, page: Page) -> None:
        """Monitor a page."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"uncaught error: {error}"))
        page.on("request", lambda request: self._request(request.url))

    def _console(self, message: ConsoleMessage) -> None:
        is_connection_error = "ERR_CONNECTION" in message.text or "WebSocket connection" in message.text
        is_rejection = "responded with a status of 4" in message.text
        expected = (self.server_down and is_connection_error) or (self.expect_rejection and is_rejection)
        if message.type in {"error", "warning"} and not expected:
            self.errors.append(f"console: {message.text} ({message.location.get('url')})")

    def _request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.netloc != self.host:
            self.errors.append(f"request to another host: {url}")


@pytest.fixture
def monitor(server: Server) -> Iterator[PageMonitor]:
    """Fail the test if one of its pages has an error."""
    monitor = PageMonitor(urlsplit(server.address).netloc)
    yield monitor
    assert monitor.errors == []


@pytest.fixture
def open_context(browser: Browser, server: Server, monitor: PageMonitor) -> Iterator[Callable[..., BrowserContext]]:
    """Open a browser context for a new visitor; `address` selects another server."""
    contexts: list[BrowserContext] = []

    def create(
        size: dict[str, int] = DESKTOP,
        *,
        dark: bool = False,
        touch: bool = False,
        address: str = server.address,
        **options: Any,
    ) -> BrowserContext:
        monitor.host = urlsplit(address).netloc
        context = browser.new_context(
            base_url=address,
            viewport=size,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            is_mobile=touch,
            **options,
        )
        context.set_default_timeout(TIMEOUT)
        context.on("page", monitor.follow)
        contexts.append(context)
        return context

    yield create
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(open_context: Callable[..., BrowserContext]) -> OpenPage:
    """Open a path as a new visitor; None opens an empty page."""

    def create(path: str | None = "/", **options: Any) -> Page:
        page = open_context(**options).new_page()
        if path is not None:
            page.goto(path)
        return page

    return create


@pytest.fixture
def seat(open_page: OpenPage) -> Seat:
    """A new visitor on the Play page, which starts with checkers against Medium."""
    return Seat(open_page("/")).ready()


def wait_until(page: Page, condition: Callable[[], object]) -> None:
    """Process page events until a condition holds."""
    deadline = time.monotonic() + TIMEOUT / 1000
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true"
        page.wait_for_timeout(20)
