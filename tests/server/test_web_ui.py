"""The web UI's files, the command that serves them, and user games."""

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
from server.serving import TIMEOUT_S, eventually, free_port

NIM = Path(__file__).parents[2] / "python/plyground/examples/nim.py"


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A folder with a minimal web UI, next to a secret file."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>built</title>")
    (folder / "assets" / "index-abc123.js").write_text("console.log(1)")
    (folder / "favicon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


def test_every_path_of_the_web_ui_opens_the_index_page(make_server: MakeServer, static: Path) -> None:
    http = make_server(static=str(static)).visitor().http
    for path in ("/", "/play/checkers", "/games/abc", "/shared/xyz", "/index.html"):
        response = http.get(path)
        assert (response.status_code, "built" in response.text) == (200, True)
        assert response.headers["cache-control"] == "no-cache"
    assert "plyground" in http.cookies  # set by the first response


def test_assets_are_cached_and_compressed(make_server: MakeServer, static: Path) -> None:
    http = make_server(static=str(static)).visitor().http
    asset = http.get("/assets/index-abc123.js")
    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers["content-type"].startswith("text/javascript")
    assert asset.headers["content-encoding"] == "gzip"
    assert asset.text == "console.log(1)"
    plain = http.get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert http.get("/assets/index-old.js").status_code == 404
    assert http.get("/favicon.svg").text == "<svg/>"


def test_the_api_documentation_lists_the_operations(make_server: MakeServer, static: Path) -> None:
    http = make_server(static=str(static)).visitor().http
    text = http.get("/api/docs").text
    assert "<code>/api/games/{game_id}/moves</code>" in text
    assert "<code>play_move</code>" in text
    assert http.get("/api/nothing").json()["error"]["kind"] == "UnknownNameError"


def test_serves_no_files_outside_the_folder(make_server: MakeServer, static: Path) -> None:
    server = make_server(static=str(static))
    for path in ("/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            response = b"".join(iter(lambda: raw.recv(65536), b""))
        assert response.startswith(b"HTTP/1.1 ")
        assert b"secret" not in response.split(b"\r\n\r\n", 1)[1]


def test_explains_how_to_build_a_missing_web_ui(make_server: MakeServer, tmp_path: Path) -> None:
    response = make_server(static=str(tmp_path / "none")).visitor().http.get("/")
    assert response.status_code == 503
    assert "make play" in response.text


def test_a_user_game_works_in_every_feature(make_server: MakeServer) -> None:
    visitor = make_server(user_game=str(NIM)).visitor()
    facts = next(one for one in visitor.get("/catalog")["games"] if one["id"] == "nim")
    assert facts["is_user_game"]
    assert facts["style"] in ("grid", "list")
    game = visitor.game("nim", player="mcts(simulations=200)")
    game = visitor.move(game)
    assert game["position"]["ply"] == 2
    assert visitor.post(f"/games/{game['id']}/hint", step=2)["move"]
    record = visitor.post(f"/games/{game['id']}/resign")["record_id"]
    review = visitor.post("/reviews", 201, record_id=record, seconds=0.02)
    assert eventually(lambda: visitor.get(f"/reviews/{review['id']}")["state"] == "done")
    assert visitor.http.get(f"/api/games/{game['id']}/picture.svg").text.startswith("<svg")
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="nim", simulations=500)
        assert tab.receive("report", lambda one: one["final"])["analysis"]["moves"]
        tab.send(type="step", id="s", game="nim")
        assert tab.receive("iteration")["iteration"]["number"] == 1
    made = visitor.post("/tournaments", 201, game="nim", players=["random", "mcts(simulations=100)"], games=2)
    assert eventually(lambda: visitor.get(f"/tournaments/{made['name']}")["job"]["state"] == "done")


@contextmanager
def command(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    program = [sys.executable, "-m", "plyground.cli.main", *arguments]
    variables = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables) as running:
        try:
            yield running
        finally:
            running.kill()


def test_plyground_without_arguments_serves_until_ctrl_c(tmp_path: Path) -> None:
    port = free_port()
    environment = {"PLYGROUND_PORT": str(port), "PLYGROUND_STORE": str(tmp_path / "s.sqlite"), "BROWSER": "true"}
    with command(**environment) as running:
        assert running.stdout is not None
        assert f"http://localhost:{port}" in running.stdout.readline()
        assert httpx.get(f"http://localhost:{port}/api/state", timeout=TIMEOUT_S).status_code == 200
        running.send_signal(signal.SIGINT)
        assert running.wait(TIMEOUT_S) == 0


def test_a_port_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with command("serve", "--no-browser", "--port", port, "--store", str(tmp_path / "s.sqlite")) as running:
            _, error = running.communicate(timeout=TIMEOUT_S)
    assert running.returncode == 1
    assert error.startswith(f"error: 127.0.0.1:{port}: Address already in use")
    assert "--port" in error
    assert error.count("\n") == 1
