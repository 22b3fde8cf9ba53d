"""The page's files, its addresses, the command that serves it, and games of one's own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from server.conftest import MakeServer
from server.serving import eventually, free_port

NIM = Path(__file__).parents[2] / "python/plyground/examples/nim.py"


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A built page."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>built</title>")
    (folder / "assets" / "index-abc123.js").write_text("console.log(1)")
    (folder / "favicon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


def test_copied_addresses_open_the_page(make_server: MakeServer, static: Path) -> None:
    http = make_server(static=str(static)).visitor().http
    for path in ("/", "/play/checkers", "/games/abc", "/shared/xyz", "/index.html"):
        answer = http.get(path)
        assert (answer.status_code, "built" in answer.text) == (200, True)
        assert answer.headers["cache-control"] == "no-cache"
    assert "plyground" in http.cookies  # the first request of all makes the visitor
    asset = http.get("/assets/index-abc123.js")
    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers["content-type"].startswith("text/javascript")
    assert asset.headers["content-encoding"] == "gzip"
    assert asset.text == "console.log(1)"
    plain = http.get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert http.get("/assets/index-old.js").status_code == 404
    assert http.get("/favicon.svg").text == "<svg/>"
    assert "operationId" not in http.get("/api/docs").text
    assert http.get("/api/nothing").json()["error"]["kind"] == "UnknownNameError"


def test_nothing_outside_the_page_is_served(make_server: MakeServer, static: Path) -> None:
    server = make_server(static=str(static))
    for path in ("/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda: raw.recv(65536), b""))
        assert b"secret" not in answer.split(b"\r\n\r\n", 1)[1]


def test_a_page_that_was_not_built_says_so(make_server: MakeServer, tmp_path: Path) -> None:
    answer = make_server(static=str(tmp_path / "none")).visitor().http.get("/")
    assert answer.status_code == 503
    assert "make play" in answer.text


def test_a_game_of_one_s_own_is_everywhere(make_server: MakeServer) -> None:
    server = make_server(own_game=str(NIM))
    visitor = server.visitor()
    facts = next(one for one in visitor.get("/catalog")["games"] if one["id"] == "nim")
    assert facts["own"]
    assert facts["look"] in ("grid", "list")
    game = visitor.game("nim", player="mcts(simulations=200)")
    game = visitor.move(game)
    assert game["position"]["ply"] == 2
    assert visitor.post(f"/games/{game['id']}/hint", rung=2)["move"]
    record = visitor.post(f"/games/{game['id']}/resign")["record"]
    review = visitor.post("/reviews", 201, record=record, seconds=0.02)
    assert eventually(lambda: visitor.get(f"/reviews/{review['id']}")["state"] == "done")
    assert visitor.http.get(f"/api/games/{game['id']}/picture.svg").text.startswith("<svg")
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="nim", simulations=500)
        assert tab.hear("report", lambda one: one["final"])["thought"]["moves"]
        tab.send(type="step", id="s", game="nim")
        assert tab.hear("iteration")["iteration"]["number"] == 1
    made = visitor.post("/tournaments", 201, game="nim", players=["random", "mcts(simulations=100)"], games=2)
    assert eventually(lambda: visitor.get(f"/tournaments/{made['name']}")["work"]["state"] == "done", 60)


@contextmanager
def command(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    program = [sys.executable, "-m", "plyground.cli.main", *arguments]
    told = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=told) as running:
        try:
            yield running
        finally:
            running.kill()


def test_plyground_alone_serves_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    port = free_port()
    environment = {"PLYGROUND_PORT": str(port), "PLYGROUND_STORE": str(tmp_path / "s.sqlite"), "BROWSER": "true"}
    with command(**environment) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == f"Plyground is at http://localhost:{port} (Ctrl-C ends it)\n"
        assert httpx.get(f"http://localhost:{port}/api/state", timeout=90).status_code == 200
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with command("serve", "--no-browser", "--port", port, "--store", str(tmp_path / "s.sqlite")) as running:
            _, error = running.communicate(timeout=90)
    assert running.returncode == 1
    assert error.startswith(f"error: 127.0.0.1:{port}: Address already in use")
    assert "--port" in error
