"""Real servers for the tests: processes of their own, which can be killed."""

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
PATIENCE = 90
"""Seconds; machines that run tests may be busy."""


def _serve(settings: dict[str, Any], own_game: str | None) -> None:
    from plyground.cli.serve import run
    from plyground.server.settings import Settings

    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  for as long as the process lives
    sys.stderr = sys.stdout
    prepare: Callable[[], object] | None = None
    if own_game is not None:
        from functools import partial

        from plyground.cli.game_file import load_games

        prepare = partial(load_games, Path(own_game))
        prepare()
    run(Settings(**settings, prepare=prepare), browser=False)


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server that can be killed and started again at the same address, with the same store."""

    def __init__(self, store: Path, own_game: str | None = None, **settings: Any) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._settings = {"store": str(store), "port": self.port, **settings}
        self._own_game = own_game
        self._process: Any = None
        self._visitors: list[Visitor] = []

    def start(self) -> Server:
        """Start it and wait until it answers."""
        self._process = FORKSERVER.Process(target=_serve, args=(self._settings, self._own_game))
        self._process.start()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            assert self._process.is_alive(), "the server ended"
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.005)
                continue
            return self
        raise TimeoutError

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        for visitor in self._visitors:
            visitor.http.close()
        if self._process is not None and self._process.is_alive():
            os.kill(self._process.pid, signal.SIGINT)
            self._process.join(10)
            if self._process.is_alive():
                self.kill()

    def visitor(self) -> Visitor:
        """Somebody new."""
        self._visitors.append(Visitor(self))
        return self._visitors[-1]


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server with a store of its own, and no bound on requests that a test would meet."""
    running = Server(folder / "store.sqlite", rate=5000, burst=5000).start()
    try:
        yield running
    finally:
        running.stop()


class Visitor:
    """A browser of its own: a cookie, requests, sockets."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.address, timeout=PATIENCE)

    def reconnect(self) -> None:
        """Leave the connections of a server that ended."""
        self.http.close()
        self.http = httpx.Client(base_url=self.server.address, timeout=PATIENCE, cookies=self.http.cookies)

    def get(self, path: str, status: int = 200, **params: Any) -> Any:
        """The answer to a GET."""
        return self._read(self.http.get(f"/api{path}", params=params), status)

    def post(self, path: str, status: int | None = None, **body: Any) -> Any:
        """The answer to a POST; success where no status is expected."""
        return self._read(self.http.post(f"/api{path}", json=body), status)

    def delete(self, path: str, status: int = 204) -> None:
        """A DELETE."""
        self._read(self.http.delete(f"/api{path}"), status)

    def _read(self, answer: httpx.Response, status: int | None) -> Any:
        expected = (200, 201, 204) if status is None else (status,)
        assert answer.status_code in expected, f"{answer.request.url}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content and "json" in answer.headers["content-type"] else answer.text

    def game(self, game: str = "checkers", **wanted: Any) -> Any:
        """A new game."""
        return self.post("/games", 201, game=game, **wanted)

    def move(self, game: Any, move: str | None = None, wait: float = 20) -> Any:
        """Play a move, or the first one, and wait for the answer."""
        chosen = move or game["position"]["moves"][0]["text"]
        return self.post(f"/games/{game['id']}/moves", 200, move=chosen, ply=game["position"]["ply"], wait=wait)

    @contextmanager
    def tab(self, origin: str | None = None) -> Iterator[Tab]:
        """A socket."""
        if not self.http.cookies:
            self.get("/state")
        told = {"Cookie": f"plyground={self.http.cookies['plyground']}"}
        address = self.server.address.replace("http", "ws") + "/api/socket"
        with connect(address, additional_headers=told, origin=origin, max_size=None) as socket:  # type: ignore[arg-type]
            yield Tab(socket)


class Tab:
    """One socket."""

    def __init__(self, socket: Connection) -> None:
        self.socket = socket

    def send(self, **message: Any) -> None:
        """Say something."""
        self.socket.send(json.dumps(message))

    def hear(
        self, kind: str | None = None, until: Callable[[Any], bool] = lambda _: True, seconds: float = PATIENCE
    ) -> Any:
        """The next message, of a kind, for which something holds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            message = json.loads(self.socket.recv(timeout=left))
            if (kind is None or message["type"] == kind) and until(message):
                return message
        raise TimeoutError(f"no {kind} was sent")


def eventually(question: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """The first true answer to a question that is asked again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := question():
            return answer
        time.sleep(0.03)
    raise TimeoutError("it did not come true")
