"""Slow and half-open connections, host names, and shutdown."""

from __future__ import annotations

import json
import os
import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from plyground.server.settings import Settings
from server.conftest import MakeServer
from server.serving import FOREVER_S, TIMEOUT_S, Server, eventually

REQUEST = b"GET /api/catalog HTTP/1.1\r\nHost: localhost\r\n"
STUCK = '''
import threading
from plyground import register


class Stuck:
    """After one move, `moves` never returns."""

    id, title, sides = "stuck", "Stuck", ("a", "b")

    def start(self):
        return 0

    def turn(self, state):
        return state % 2

    def moves(self, state):
        if state:
            threading.Event().wait()
        return ["go"]

    def play(self, state, move):
        return state + 1

    def outcome(self, state):
        return "draw"


register(Stuck())
'''


def get(url: str, **headers: str) -> httpx.Response:
    return httpx.get(url, headers=headers, timeout=TIMEOUT_S)


def open_raw(server: Server) -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_S)
    raw.settimeout(TIMEOUT_S)
    return raw


def is_closed(raw: socket.socket) -> bool:
    """Wait until the server closes a connection; return False if it is still open after the timeout."""
    try:
        while raw.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


def test_closes_connections_that_do_not_send_a_request(make_server: MakeServer) -> None:
    server = make_server(header_seconds=2)
    with open_raw(server) as silent, open_raw(server) as partial, open_raw(server) as second_request:
        partial.sendall(REQUEST)
        second_request.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert second_request.recv(4096).startswith(b"HTTP/1.1 200")
        second_request.sendall(REQUEST)
        for raw in (silent, partial, second_request):
            assert is_closed(raw)


def test_half_open_connections_do_not_affect_other_visitors(make_server: MakeServer) -> None:
    server = make_server()
    with ExitStack() as stack:
        for number in range(300):
            raw = stack.enter_context(open_raw(server))
            if number % 2:
                raw.sendall(REQUEST)
        visitor = server.visitor()
        assert visitor.move(visitor.game(player="random"))["position"]["ply"] == 2


def test_rejects_a_body_that_is_sent_too_slowly(make_server: MakeServer) -> None:
    server = make_server(body_seconds=0.3)
    with open_raw(server) as raw:
        raw.sendall(b"POST /api/positions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        head, _, body = b"".join(iter(lambda: raw.recv(65536), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["error"]["kind"] == "SlowRequestError"


def test_a_request_that_is_not_http_is_answered_like_every_error(server: Server) -> None:
    with open_raw(server) as raw:
        raw.sendall(b"nonsense\r\n\r\n")
        head, _, body = b"".join(iter(lambda: raw.recv(65536), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"]["kind"] == "ParseError"


def test_limits_the_connections_of_an_address(make_server: MakeServer) -> None:
    server = make_server(address_connections=2)
    with open_raw(server), open_raw(server) as second:
        third = get(f"{server.address}/healthz")
        assert third.status_code == 503
        assert third.json()["error"]["kind"] == "BusyError"
        second.close()
        assert eventually(lambda: get(f"{server.address}/healthz").status_code == 200)


def test_limits_all_connections(make_server: MakeServer) -> None:
    server = make_server(connections=1)
    with open_raw(server):
        assert eventually(lambda: get(f"{server.address}/healthz").status_code == 503)


def test_closes_connections_that_do_not_read_their_response(make_server: MakeServer, tmp_path: Path) -> None:
    static = tmp_path / "static"
    static.mkdir()
    (static / "large.bin").write_bytes(bytes(64_000_000))
    server = make_server(static=str(static), write_seconds=0.3, address_connections=1)
    with open_raw(server) as raw:
        raw.sendall(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        raw.recv(1)
        assert eventually(lambda: get(f"{server.address}/healthz").status_code == 200)


def test_says_how_to_allow_an_unknown_host_name(make_server: MakeServer) -> None:
    server = make_server(host="0.0.0.0")  # noqa: S104

    def get_as(host: str, path: str = "/api/catalog", **headers: str) -> httpx.Response:
        return get(f"{server.address}{path}", Host=host, **headers)

    refused = get_as("Chess.example:5050")
    assert refused.status_code == 403
    assert refused.json()["error"]["kind"] == "ForbiddenError"
    for hint in ("--allow-host chess.example", "PLYGROUND_HOSTS=chess.example"):
        assert hint in refused.json()["error"]["message"]
    assert "set-cookie" not in refused.headers
    page = get_as("<b>.example", "/", Accept="text/html,*/*")
    assert (page.status_code, page.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert "&lt;b&gt;.example" in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]
    for host in ("localhost", "127.0.0.1:5050", "192.168.1.20", "[2001:db8::1]:5050", "a.localhost"):
        assert get_as(host).status_code == 200, host
    assert get_as("chess.example", "/healthz").json()["status"] == "ok"
    with open_raw(server) as raw, pytest.raises(InvalidStatus) as error:
        connect(f"ws://chess.example:{server.port}/api/socket", sock=raw)
    assert b"--allow-host" in (error.value.response.body or b"")


def test_accepts_the_named_hosts_only(make_server: MakeServer) -> None:
    server = make_server(hosts=["chess.example", "*.club.example"])
    statuses = {
        host: get(f"{server.address}/api/catalog", Host=host).status_code
        for host in ("chess.example", "a.club.example", "club.example", "x.chess.example", "192.168.1.20", "localhost")
    }
    assert statuses == {
        "chess.example": 200,
        "a.club.example": 200,
        "club.example": 403,
        "x.chess.example": 403,
        "192.168.1.20": 403,
        "localhost": 200,
    }


@pytest.mark.parametrize("text", ["Chess.example, *.club.example", '["Chess.example", "*.club.example"]'])
def test_hosts_may_be_a_comma_separated_list_or_json(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PLYGROUND_HOSTS", text)
    assert Settings().hosts == ["chess.example", "*.club.example"]


@pytest.mark.parametrize("host", ["http://chess.example", "chess.example:80", "a*.example", ""])
def test_rejects_hosts_that_are_not_names(host: str) -> None:
    with pytest.raises(ValueError, match="a host must be a name"):
        Settings(hosts=[host])


def process_of(server: Server) -> Any:
    return server._process


def test_a_training_request_ends_with_its_connection(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    with open_raw(server) as raw:
        raw.sendall(b'POST /api/train HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{"games": 2000}')
        eventually(lambda: [run["job"]["state"] for run in visitor.get("/training/runs")] == ["running"])
    eventually(lambda: [run["job"]["state"] for run in visitor.get("/training/runs")] == ["stopped"])


def test_sigterm_stops_a_server_under_load(make_server: MakeServer, tmp_path: Path) -> None:
    """The load is a search, jobs, an open tab and a request to a user game that never returns."""
    (tmp_path / "stuck.py").write_text(STUCK)
    server = make_server(user_game=str(tmp_path / "stuck.py"), shutdown_seconds=3)
    visitor = server.visitor()
    visitor.game("chess", player=f"mcts(seconds={FOREVER_S})", side="black")
    players = ["mcts(simulations=20000)", "mcts(simulations=10000)"]
    visitor.post("/tournaments", 201, game="chess", players=players, games=4)
    visitor.post("/training/runs", 201, method="td", game="checkers", settings={"games": 100_000})
    with visitor.tab() as tab, open_raw(server) as stuck, open_raw(server) as parked:
        tab.send(type="analyse", id="a", game="chess")
        tab.receive("report")
        for raw, path, body in (
            (stuck, "positions", {"game": "stuck", "moves": ["go"]}),
            (parked, "train", {"games": 2000}),
        ):
            text = json.dumps(body)
            head = f"POST /api/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(text)}\r\n\r\n"
            raw.sendall(head.encode() + text.encode())
        eventually(lambda: len(visitor.get("/training/runs")) == 2)
        process = process_of(server)
        os.kill(process.pid, signal.SIGTERM)
        process.join(TIMEOUT_S)
        assert not process.is_alive()
