"""Games are private: only the owner can use a game, and for other visitors it does not exist."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from server.conftest import MakeServer
from server.serving import Server, eventually

GAME_OPERATIONS = [
    ("GET", "", None),
    ("DELETE", "", None),
    ("POST", "/moves", {"move": "11-15", "ply": 0}),
    ("POST", "/undo", {}),
    ("POST", "/redo", {}),
    ("POST", "/resign", {}),
    ("POST", "/draw", {}),
    ("POST", "/seats", {"player": "Hard"}),
    ("POST", "/coach", {"coach_enabled": True}),
    ("POST", "/playback", {"paused": True}),
    ("POST", "/hint", {"step": 1}),
    ("POST", "/move_now", None),
    ("POST", "/rematch", None),
    ("POST", "/share", None),
    ("GET", "/export", None),
    ("GET", "/picture.svg", None),
]


@pytest.mark.parametrize(("method", "path", "body"), GAME_OPERATIONS, ids=lambda value: str(value))
def test_other_visitors_cannot_use_a_game(server: Server, method: str, path: str, body: Any) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.game()
    stranger.get("/state")
    response = stranger.http.request(method, f"/api/games/{game['id']}{path}", json=body)
    assert response.status_code == 404
    assert owner.get(f"/games/{game['id']}")["version"] == 1


def test_the_list_of_game_operations_is_complete(server: Server) -> None:
    paths = server.visitor().get("/openapi.json")["paths"]
    found = {
        (method.upper(), path.removeprefix("/api/games/{game_id}"))
        for path, methods in paths.items()
        if path.startswith("/api/games/{game_id}")
        for method in methods
    }
    assert found == {(method, path) for method, path, _ in GAME_OPERATIONS}


def test_other_visitors_cannot_use_stored_games_and_reviews(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.move(owner.game())
    record = owner.post(f"/games/{game['id']}/resign")["record_id"]
    review = owner.post("/reviews", 201, record_id=record, seconds=0.01)["id"]
    for path in (f"/library/{record}", f"/library/{record}/export", f"/reviews/{review}"):
        owner.get(path)
        stranger.get(path, 404)
    stranger.post("/library/delete", 404, ids=[record])
    stranger.post(f"/library/{record}/share", 404)
    stranger.post("/reviews", 404, record_id=record)
    stranger.post("/reviews", 404, game_id=game["id"])
    assert stranger.http.put(f"/api/library/{record}/tags", json={"tags": ["x"]}).status_code == 404
    assert stranger.get("/library")["total"] == 0
    assert owner.get("/library")["total"] == 1


def test_other_visitors_cannot_subscribe_to_a_game(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.game()
    with stranger.tab() as tab:
        tab.send(type="subscribe", game_id=game["id"])
        assert tab.receive()["type"] == "error"


def test_a_share_link_is_read_only(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.game()
    link = owner.post(f"/games/{game['id']}/share", 201)
    shown = stranger.get(f"/shared/{link['token']}")["game"]
    assert (shown["your_side"], shown["read_only"], shown["position"]["ply"]) == (None, True, 0)
    with stranger.tab() as tab:
        tab.send(type="subscribe", token=link["token"])
        owner.move(game, "11-15")
        message = tab.receive("game", lambda message: message["game"]["position"]["ply"] == 2)
        assert message["game"]["read_only"]
    stranger.get("/shared/" + "x" * 22, 404)
    owner.delete(f"/games/{game['id']}")
    stranger.get(f"/shared/{link['token']}", 404)


def test_only_the_owner_can_stop_or_delete_a_tournament(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    made = owner.post("/tournaments", 201, game="tictactoe", players=["random", "Easy"], games=2)
    stranger.post(f"/tournaments/{made['name']}/stop", 403)
    stranger.delete(f"/tournaments/{made['name']}", 403)
    eventually(lambda: owner.get(f"/tournaments/{made['name']}")["job"]["state"] == "done")
    assert not stranger.get(f"/tournaments/{made['name']}")["job"]["is_owner"]


def test_tokens_are_stored_as_hashes_and_the_cookie_is_protected(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    cookie = visitor.http.post("/api/games", json={"game": "chess"}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    token = visitor.http.cookies["plyground"]
    assert len(token) >= 43
    share = visitor.post(f"/games/{visitor.get('/games')[0]['id']}/share")["token"]
    with closing(sqlite3.connect(server.store)) as connection:
        dump = "\n".join(connection.iterdump())
    assert token not in dump
    assert share not in dump
