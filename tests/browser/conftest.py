"""A real server, Debian's Chromium, and pages that fail a test by themselves when something is wrong with them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from browser.hands import Seat
from server.serving import Server, serving

FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE = 20_000
"""Milliseconds; the machine may be busy with other tests."""

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for the tests that ask nothing special of it."""
    with serving(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium as the system has it: nothing is downloaded."""
    found = shutil.which("chromium")
    assert found, "Chromium is missing: make chromium"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()


class Watch:
    """What goes wrong on a page without anybody looking: errors in the console, requests to other hosts."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.faults: list[str] = []
        self.away = False
        """Whether the server is away on purpose; then failed connections are no fault."""
        self.refused = False
        """Whether the server refuses something on purpose; the browser notes each such answer as an error."""

    def follow(self, page: Page) -> None:
        """Watch a page from now on."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"error on the page: {error}"))
        page.on("request", lambda request: self._request(request.url))

    def _console(self, message: ConsoleMessage) -> None:
        expected = (self.away and ("ERR_CONNECTION" in message.text or "WebSocket connection" in message.text)) or (
            self.refused and "responded with a status of 4" in message.text
        )
        if message.type in {"error", "warning"} and not expected:
            self.faults.append(f"console: {message.text} ({message.location.get('url')})")

    def _request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.netloc != self.host:
            self.faults.append(f"a request to another host: {url}")


@pytest.fixture
def watch(server: Server) -> Iterator[Watch]:
    """Fails the test where a page of it was at fault."""
    watching = Watch(urlsplit(server.address).netloc)
    yield watching
    assert watching.faults == []


@pytest.fixture
def open_context(browser: Browser, server: Server, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Opens browsers of new visitors; `address` is of another server than the usual one."""
    contexts: list[BrowserContext] = []

    def make(
        size: dict[str, int] = DESK,
        *,
        dark: bool = False,
        touch: bool = False,
        address: str = server.address,
        **options: Any,
    ) -> BrowserContext:
        watch.host = urlsplit(address).netloc
        context = browser.new_context(
            base_url=address,
            viewport=size,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            is_mobile=touch,
            **options,
        )
        context.set_default_timeout(PATIENCE)
        context.on("page", watch.follow)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(open_context: Callable[..., BrowserContext]) -> OpenPage:
    """Opens a path as a new visitor; None leaves the page empty."""

    def make(path: str | None = "/", **options: Any) -> Page:
        page = open_context(**options).new_page()
        if path is not None:
            page.goto(path)
        return page

    return make


@pytest.fixture
def seat(open_page: OpenPage) -> Seat:
    """A new visitor at the table, as `/` puts it: checkers against Medium."""
    return Seat(open_page("/")).ready()


@pytest.fixture(scope="session")
def web() -> Path:
    """The folder of the page's sources."""
    return Path(__file__).parents[2] / "web"
