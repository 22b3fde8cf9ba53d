"""`plyground serve`, which is also `plyground` alone: the page on this machine."""

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
    typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets others in.", show_default="127.0.0.1"),
]
PortOption = Annotated[
    int | None, typer.Option(metavar="N", min=0, max=65_535, help="0 takes a free one.", show_default="5050")
]
BrowserOption = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")]
GamesOption = Annotated[
    Path | None,
    typer.Option("--games", metavar="FILE", callback=load_games, help="Run this Python file: it registers your games."),
]


class PortTakenError(PlygroundError):
    """Another program listens where the server should."""

    exit_code = 1


def serve(
    context: typer.Context,
    host: HostOption = None,
    port: PortOption = None,
    store: StoreOption = None,
    browser: BrowserOption = True,
    games: GamesOption = None,
) -> None:
    """Serve the page on http://localhost:5050 and open it in the browser.

    Everything can also be set in the environment: PLYGROUND_PORT, PLYGROUND_HOST, PLYGROUND_STORE and more, see
    docs/server.md.
    """
    from functools import partial

    from plyground.server.settings import Settings

    given: dict[str, Any] = {"host": host, "port": port, "store": store}
    prepare = preparation(context) if games is None else partial(load_games, games.absolute())
    run(Settings(**{key: value for key, value in given.items() if value is not None}, prepare=prepare), browser=browser)


def run(settings: Settings, *, browser: bool) -> None:
    """Serve until Ctrl-C."""
    import uvicorn

    from plyground.server.app import make_app
    from plyground.server.pages import is_built

    listener = _listen(settings)
    port = listener.getsockname()[1]
    shown = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else settings.host  # noqa: S104
    address = f"http://{shown}:{port}"
    app = make_app(settings.model_copy(update={"port": port}))
    if not is_built(settings.static):
        typer.echo(
            f"The page was not built ({settings.static}): make play builds it. The API works without it.", err=True
        )
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws_max_size=settings.message_bytes,
        ws_max_queue=32,
        timeout_graceful_shutdown=2,
        server_header=False,
        lifespan="on",
    )
    typer.echo(f"Plyground is at {address} (Ctrl-C ends it)")
    if browser:
        threading.Thread(target=_open, args=(address,), daemon=True).start()
    # What is there by now stays: looking through it again and again for garbage would stop everybody for 60 ms.
    gc.collect()
    gc.freeze()
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(listener):
        uvicorn.Server(config).run(sockets=[listener])


def _listen(settings: Settings) -> socket.socket:
    """The socket to listen at, taken before anything else is done."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sends small answers at once (TCP_NODELAY) only where the protocol is named.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise PortTakenError(
            f"{settings.host}:{settings.port}: {error.strerror}. If Plyground runs already, open "
            f"http://localhost:{settings.port}; else choose another port: plyground serve --port {settings.port + 1}"
        ) from error
    return listener


def _open(address: str) -> None:
    """Open the browser as soon as the server answers."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/api/catalog", timeout=2).close()  # noqa: S310
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(address)
            return
        time.sleep(0.1)
