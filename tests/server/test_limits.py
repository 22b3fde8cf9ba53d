"""Limits and checks that protect the server from untrusted visitors."""

from __future__ import annotations

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.conftest import MakeServer
from server.serving import FOREVER_S, Server, Visitor, eventually


def test_rejects_a_body_that_is_too_large(visitor: Visitor) -> None:
    large = "x" * 70_000
    assert visitor.http.post("/api/games", json={"game": large}).status_code == 413
    chunks = iter([b"x" * 40_000] * 3)  # chunked, so there is no content-length header
    response = visitor.http.post("/api/games", content=chunks, headers={"content-type": "application/json"})
    assert response.status_code == 413
    assert response.json()["error"]["kind"] == "TooLargeError"


def test_uploads_may_be_larger_than_other_bodies(visitor: Visitor) -> None:
    large = "x" * 70_000
    files = [{"name": "a.pgn", "text": large}]
    assert visitor.http.post("/api/library/import", json={"files": files}).status_code == 200
    assert visitor.http.post("/api/parse", json={"text": large}).status_code == 400


def test_closes_the_socket_after_a_message_that_is_too_large(visitor: Visitor) -> None:
    with pytest.raises(ConnectionClosed), visitor.tab() as tab:
        tab.socket.send("x" * 200_000)
        tab.receive()


def test_limits_the_request_rate_temporarily(make_server: MakeServer) -> None:
    visitor = make_server(rate=0.2, burst=3).visitor()
    visitor.get("/state")

    def status() -> int:
        return visitor.http.get("/api/legal_moves").status_code

    assert status() == 200
    eventually(lambda: status() == 429)
    eventually(lambda: status() == 200)


def test_limits_the_number_of_tabs_per_visitor(make_server: MakeServer) -> None:
    visitor = make_server(sockets=1).visitor()
    with visitor.tab(), pytest.raises((InvalidStatus, ConnectionClosed)), visitor.tab() as second:
        second.receive()


@pytest.mark.parametrize(
    "player",
    [
        "alphabeta(weights=/etc/passwd)",
        "alphabeta(weights=x.safetensors)",
        "tables(folder=somewhere)",
        "mcts(threads=4096)",
        "mcts(mebibytes=1000000)",
        "solver(mebibytes=1000000)",
        "tables(fallback=mcts(mebibytes=1000000))",
        "mcts(evaluator=alphabeta(weights=/etc/passwd))",
    ],
)
def test_rejects_specs_that_name_files_or_exceed_resource_limits(visitor: Visitor, player: str) -> None:
    error = visitor.post("/games", 400, game="checkers", player=player)["error"]
    assert "must be" in error["message"]
    visitor.post("/tournaments", 400, game="checkers", players=[player, "random"])


@pytest.mark.parametrize("player", ["uci", "uci(command=/bin/sh)", "mcts(evaluator=uci)", "syzygy(fallback=uci)"])
def test_rejects_agents_that_run_programs(visitor: Visitor, player: str) -> None:
    error = visitor.post("/games", 400, game="chess", player=player)["error"]
    assert "agent uci is not available on a server" in error["message"]
    visitor.post("/tournaments", 400, game="chess", players=[player, "random"])
    assert "uci" not in {agent["name"] for agent in visitor.get("/catalog")["agents"]}


def test_limits_the_thinking_time_per_move(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=0.3).visitor()
    game = visitor.game("chess", player=f"mcts(seconds={FOREVER_S})")
    assert visitor.move(game)["position"]["ply"] == 2


def test_rejects_other_origins_and_hosts(server: Server) -> None:
    evil = {"Origin": "http://evil.example"}
    assert httpx.post(f"{server.address}/api/games", json={"game": "chess"}, headers=evil).status_code == 403
    response = httpx.get(f"{server.address}/api/catalog", headers=evil)
    assert "access-control-allow-origin" not in response.headers
    response = httpx.get(f"{server.address}/api/catalog", headers={"Host": "evil.example"})
    assert response.status_code == 403


def test_sets_security_headers_on_every_response(visitor: Visitor) -> None:
    for path in ("/api/catalog", "/nowhere", "/api/nowhere"):
        headers = visitor.http.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert visitor.http.get("/api/catalog").headers["cache-control"] == "no-store"


def test_limits_the_number_of_jobs_per_visitor(make_server: MakeServer) -> None:
    visitor = make_server(jobs=1, tournament_games=100, training_games=1000).visitor()
    visitor.post("/training/runs", 429, method="td", game="checkers", settings={"games": 5000})
    visitor.post("/training/runs", 400, method="td", game="checkers", settings={"depth": 15})
    visitor.post("/training/runs", 400, method="td", game="checkers", settings={"start": "/etc/x.safetensors"})
    visitor.post("/tournaments", 429, game="chess", players=["random", "Easy", "Hard"], games=100)
    players = ["mcts(simulations=20000)", "mcts(simulations=10000)"]  # takes far longer than the next request
    visitor.post("/tournaments", 201, game="chess", players=players, games=4)
    visitor.post("/tournaments", 429, game="chess", players=players, games=4)
