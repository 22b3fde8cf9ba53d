"""`plyground serve`, the default command: serves the web UI."""

from __future__ import annotations

import contextlib
import gc
import socket
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import PlygroundError
from plyground.cli.game_file import load_games, preparation
from plyground.cli.options import StoreOption

if TYPE_CHECKING:
    from plyground.server.settings import Settings

HostOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address to listen on. 0.0.0.0 accepts connections from other machines.",
        show_default="127.0.0.1",
    ),
]
PortOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65_535, help="Port to listen on. 0 chooses a free port.", show_default="5050"),
]
AllowHostOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="Host name that visitors use to reach the server, such as chess.example or *.example. Repeatable.",
    ),
]
BrowserOption = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the web UI in the browser.")]
GamesOption = Annotated[
    Path | None,
    typer.Option("--games", metavar="FILE", callback=load_games, help="Python file that registers user games."),
]


class PortTakenError(PlygroundError):
    """The port is already in use."""

    exit_code = 1


def serve(
    context: typer.Context,
    host: HostOption = None,
    port: PortOption = None,
    allow_host: AllowHostOption = None,
    store: StoreOption = None,
    browser: BrowserOption = True,
    games: GamesOption = None,
) -> None:
    """Serve the web UI on http://localhost:5050 and open it in the browser.

    Settings can also come from environment variables such as PLYGROUND_PORT, PLYGROUND_HOST and PLYGROUND_STORE; see
    docs/server.md.
    """
    from functools import partial

    from plyground.server.settings import Settings

    options: dict[str, Any] = {"host": host, "port": port, "hosts": allow_host, "store": store}
    prepare = preparation(context) if games is None else partial(load_games, games.absolute())
    run(
        Settings(**{key: value for key, value in options.items() if value is not None}, prepare=prepare),
        browser=browser,
    )


def run(settings: Settings, *, browser: bool) -> None:
    """Serve until interrupted with Ctrl-C."""
    from plyground.server.app import make_app
    from plyground.server.process import serve as serve_app
    from plyground.server.security.hosts import is_loopback
    from plyground.server.web_ui import is_built

    listener = _listen(settings)
    port = listener.getsockname()[1]
    display_host = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else settings.host  # noqa: S104
    address = f"http://{display_host}:{port}"
    app = make_app(settings.model_copy(update={"port": port}))
    if not is_built(settings.static):
        typer.echo(
            f"The web UI is not built ({settings.static} is missing); run make play. The API works without it.",
            err=True,
        )
    typer.echo(f"Plyground is running at {address} (press Ctrl-C to stop)")
    if not is_loopback(settings.host) and not settings.hosts:
        typer.echo("Other machines can open it by IP address. To allow a host name as well: --allow-host NAME")
    if browser:
        threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
    # Exclude long-lived objects from garbage collection: full collections paused the server for 60 ms.
    gc.collect()
    gc.freeze()
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(listener):
        serve_app(app, settings, listener)


def _listen(settings: Settings) -> socket.socket:
    """Return a listening socket, or raise an error that suggests another port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is given explicitly.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise PortTakenError(
            f"{settings.host}:{settings.port}: {error.strerror}. If Plyground is already running, open "
            f"http://localhost:{settings.port}; otherwise use another port: plyground serve --port {settings.port + 1}"
        ) from error
    return listener


def _open_browser(address: str) -> None:
    """Open the browser once the server responds."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/api/catalog", timeout=2).close()  # noqa: S310
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(address)
            return
        time.sleep(0.1)
