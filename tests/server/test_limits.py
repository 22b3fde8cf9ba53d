"""What strangers may not do."""

from __future__ import annotations

import time

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.conftest import MakeServer
from server.serving import Server, Visitor


def test_a_body_that_is_too_large_is_refused(visitor: Visitor) -> None:
    large = "x" * 70_000
    assert visitor.http.post("/api/games", json={"game": large}).status_code == 413
    chunks = iter([b"x" * 40_000] * 3)  # of a length that is not told before
    answer = visitor.http.post("/api/games", content=chunks, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["error"]["kind"] == "TooLargeError"
    assert (
        visitor.http.post("/api/library/import", json={"files": [{"name": "a.pgn", "text": large}]}).status_code == 200
    )


def test_a_message_that_is_too_large_ends_the_socket(visitor: Visitor) -> None:
    with pytest.raises(ConnectionClosed), visitor.tab() as tab:
        tab.socket.send("x" * 200_000)
        tab.hear()


def test_too_many_requests_are_refused_and_later_ones_are_not(make_server: MakeServer) -> None:
    visitor = make_server(rate=1, burst=20).visitor()
    visitor.get("/state")
    statuses = [visitor.http.get("/api/legal_moves").status_code for _ in range(60)]
    assert 429 in statuses
    assert statuses[0] == 200
    time.sleep(1.2)
    assert visitor.http.get("/api/legal_moves").status_code == 200


def test_a_visitor_has_so_many_tabs(make_server: MakeServer) -> None:
    visitor = make_server(sockets=1).visitor()
    with visitor.tab(), pytest.raises((InvalidStatus, ConnectionClosed)), visitor.tab() as second:
        second.hear()


@pytest.mark.parametrize(
    "player",
    [
        "alphabeta(weights=/etc/passwd)",
        "alphabeta(weights=x.safetensors)",
        "tables(folder=somewhere)",
        "mcts(threads=4096)",
        "mcts(mebibytes=1000000)",
        "solver(mebibytes=1000000)",
        "tables(otherwise=mcts(mebibytes=1000000))",
        "mcts(evaluator=alphabeta(weights=/etc/passwd))",
    ],
)
def test_specs_of_strangers_name_no_files_and_spend_no_more_than_they_may(visitor: Visitor, player: str) -> None:
    error = visitor.post("/games", 400, game="checkers", player=player)["error"]
    assert "accepted" in error["message"]
    visitor.post("/tournaments", 400, game="checkers", players=[player, "random"])


def test_a_search_of_a_game_ends_in_time(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=0.3).visitor()
    game = visitor.game("chess", player="mcts(seconds=1000)")
    assert visitor.move(game, wait=10)["position"]["ply"] == 2


def test_other_sites_change_nothing_and_other_names_get_nothing(server: Server) -> None:
    evil = {"Origin": "http://evil.example"}
    assert httpx.post(f"{server.address}/api/games", json={"game": "chess"}, headers=evil).status_code == 403
    answer = httpx.get(f"{server.address}/api/catalog", headers=evil)
    assert "access-control-allow-origin" not in answer.headers
    named = httpx.get(f"{server.address}/api/catalog", headers={"Host": "evil.example"})
    assert named.status_code == 403


def test_every_answer_carries_its_policy(visitor: Visitor) -> None:
    for path in ("/api/catalog", "/nowhere", "/api/nowhere"):
        headers = visitor.http.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert visitor.http.get("/api/catalog").headers["cache-control"] == "no-store"


def test_works_of_a_visitor_are_bounded(make_server: MakeServer) -> None:
    visitor = make_server(works=1, tournament_games=100, training_games=1000).visitor()
    visitor.post("/training/runs", 429, method="td", game="checkers", settings={"games": 5000})
    visitor.post("/training/runs", 400, method="td", game="checkers", settings={"depth": 15})
    visitor.post("/training/runs", 400, method="td", game="checkers", settings={"start": "/etc/x.safetensors"})
    visitor.post("/tournaments", 429, game="chess", players=["random", "Easy", "Hard"], games=100)
    players = ["mcts(simulations=20000)", "mcts(simulations=10000)"]
    visitor.post("/tournaments", 201, game="chess", players=players, games=4)
    visitor.post("/tournaments", 429, game="chess", players=players, games=4)
