"""Servers in separate processes, and clients of their API."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import connect
from websockets.sync.connection import Connection

FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(["plyground.server.app", "plyground.cli.serve", "uvicorn"])
TIMEOUT_S = 180
"""Timeout for everything a test waits for; generous, because test machines may be busy."""
FOREVER_S = 3600
"""Time limit of searches that end only when they are stopped or preempted."""


def _serve(settings: dict[str, Any], user_game: str | None) -> None:
    from plyground.cli.serve import run
    from plyground.server.settings import Settings

    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  open until the process ends
    sys.stderr = sys.stdout
    prepare: Callable[[], object] | None = None
    if user_game is not None:
        from functools import partial

        from plyground.cli.game_file import load_games

        prepare = partial(load_games, Path(user_game))
        prepare()
    run(Settings(**settings, prepare=prepare), browser=False)


def free_port() -> int:
    """Return a port that is not in use."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server process that can be killed and restarted at the same address with the same store."""

    def __init__(self, store: Path, user_game: str | None = None, **settings: Any) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.store = store
        self._settings = {"store": str(store), "port": self.port, **settings}
        self._user_game = user_game
        self._process: Any = None
        self._visitors: list[Visitor] = []

    def start(self) -> Server:
        """Start the process and wait until it accepts connections."""
        self._process = FORKSERVER.Process(target=_serve, args=(self._settings, self._user_game))
        self._process.start()

        def is_listening() -> bool:
            assert self._process.is_alive(), "the server process has died"
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                return False
            return True

        eventually(is_listening, interval=0.005)
        return self

    @property
    def pid(self) -> int:
        """The ID of the process."""
        return int(self._process.pid)

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return bool(self._process.is_alive())

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()

    def stop(self) -> None:
        """Stop the process with SIGINT, like Ctrl-C; uvicorn handles it even if this process ignores SIGINT."""
        for visitor in self._visitors:
            visitor.http.close()
        if self._process is not None and self._process.is_alive():
            os.kill(self._process.pid, signal.SIGINT)
            self._process.join(30)
            if self._process.is_alive():
                self.kill()

    def visitor(self) -> Visitor:
        """Return a new visitor."""
        self._visitors.append(Visitor(self))
        return self._visitors[-1]


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Run a server with a new store and with per-visitor and per-address limits that no test reaches."""
    many = 10**6
    limits: dict[str, Any] = {"rate": 5000, "burst": 5000, "address_rate": 5000, "address_burst": 5000}
    running = Server(folder / "store.sqlite", address_games=many, address_jobs=many, **limits).start()
    try:
        yield running
    finally:
        running.stop()


class Visitor:
    """An API client with its own cookie."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.address, timeout=TIMEOUT_S)

    def reconnect(self) -> None:
        """Replace the HTTP client after a server restart, keeping the cookies."""
        self.http.close()
        self.http = httpx.Client(base_url=self.server.address, timeout=TIMEOUT_S, cookies=self.http.cookies)

    def get(self, path: str, status: int = 200, **params: Any) -> Any:
        """Return the response to a GET request."""
        return self._read(self.http.get(f"/api{path}", params=params), status)

    def post(self, path: str, status: int | None = None, **body: Any) -> Any:
        """Return the response to a POST request; without `status`, any success status is accepted."""
        return self._read(self.http.post(f"/api{path}", json=body), status)

    def delete(self, path: str, status: int = 204) -> None:
        """Send a DELETE request."""
        self._read(self.http.delete(f"/api{path}"), status)

    def _read(self, response: httpx.Response, status: int | None) -> Any:
        expected = (200, 201, 204) if status is None else (status,)
        text = f"{response.request.url}: {response.status_code} {response.text[:500]}"
        assert response.status_code in expected, text
        return response.json() if response.content and "json" in response.headers["content-type"] else response.text

    def game(self, game: str = "checkers", **request: Any) -> Any:
        """Start a game."""
        return self.post("/games", 201, game=game, **request)

    def move(self, game: Any, move: str | None = None, wait: float = 60) -> Any:
        """Play a move, by default the first legal one, and wait for the agent's reply."""
        chosen = move or game["position"]["moves"][0]["text"]
        return self.post(f"/games/{game['id']}/moves", 200, move=chosen, ply=game["position"]["ply"], wait=wait)

    @contextmanager
    def tab(self, origin: str | None = None) -> Iterator[Tab]:
        """Open a WebSocket."""
        if not self.http.cookies:
            self.get("/state")
        headers = {"Cookie": f"plyground={self.http.cookies['plyground']}"}
        address = self.server.address.replace("http", "ws") + "/api/socket"
        with connect(address, additional_headers=headers, origin=origin, max_size=None) as socket:  # type: ignore[arg-type]
            yield Tab(socket)


class Tab:
    """A WebSocket connection."""

    def __init__(self, socket: Connection) -> None:
        self.socket = socket

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(message))

    def receive(self, kind: str | None = None, until: Callable[[Any], bool] = lambda _: True) -> Any:
        """Return the next message of the given type that satisfies `until`, skipping all others."""
        deadline = time.monotonic() + TIMEOUT_S
        while (remaining := deadline - time.monotonic()) > 0:
            message = json.loads(self.socket.recv(timeout=remaining))
            if (kind is None or message["type"] == kind) and until(message):
                return message
        raise TimeoutError(f"no {kind} message was received")


def eventually(condition: Callable[[], Any], *, interval: float = 0.03) -> Any:
    """Call `condition` until it returns a true value, and return that value."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(interval)
    raise TimeoutError("the condition did not become true")
