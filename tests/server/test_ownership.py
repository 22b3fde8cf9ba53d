"""A game belongs to the visitor who made it; to everybody else it is not there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from server.conftest import MakeServer
from server.serving import Server, Visitor, eventually

GAME = [
    ("GET", "", None),
    ("DELETE", "", None),
    ("POST", "/moves", {"move": "11-15", "ply": 0}),
    ("POST", "/undo", {}),
    ("POST", "/redo", {}),
    ("POST", "/resign", {}),
    ("POST", "/draw", {}),
    ("POST", "/seats", {"player": "Hard"}),
    ("POST", "/coach", {"coach": True}),
    ("POST", "/pace", {"paused": True}),
    ("POST", "/hint", {"rung": 1}),
    ("POST", "/now", None),
    ("POST", "/rematch", None),
    ("POST", "/share", None),
    ("GET", "/export", None),
    ("GET", "/picture.svg", None),
]


@pytest.mark.parametrize(("method", "path", "body"), GAME, ids=lambda value: str(value))
def test_nobody_touches_somebody_else_s_game(server: Server, method: str, path: str, body: Any) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.game()
    stranger.get("/state")
    answer = stranger.http.request(method, f"/api/games/{game['id']}{path}", json=body)
    assert answer.status_code == 404
    assert owner.get(f"/games/{game['id']}")["version"] == 1


def test_every_operation_on_a_game_is_in_the_list_above(server: Server) -> None:
    paths = server.visitor().get("/openapi.json")["paths"]
    found = {
        (method.upper(), path.removeprefix("/api/games/{game_id}"))
        for path, methods in paths.items()
        if path.startswith("/api/games/{game_id}")
        for method in methods
    }
    assert found == {(method, path) for method, path, _ in GAME}


def test_kept_games_and_reviews_are_their_owner_s(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.move(owner.game())
    record = owner.post(f"/games/{game['id']}/resign")["record"]
    review = owner.post("/reviews", 201, record=record, seconds=0.01)["id"]
    for path in (f"/library/{record}", f"/library/{record}/export", f"/reviews/{review}"):
        owner.get(path)
        stranger.get(path, 404)
    stranger.post("/library/delete", 404, ids=[record])
    stranger.post(f"/library/{record}/share", 404)
    stranger.post("/reviews", 404, record=record)
    stranger.post("/reviews", 404, game_id=game["id"])
    assert stranger.http.put(f"/api/library/{record}/tags", json={"tags": ["x"]}).status_code == 404
    assert stranger.get("/library")["total"] == 0
    assert owner.get("/library")["total"] == 1


def test_the_socket_tells_of_own_games_only(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.game()
    with stranger.tab() as tab:
        tab.send(type="follow", game_id=game["id"])
        assert tab.hear()["type"] == "error"


def test_a_share_link_lets_look_and_nothing_else(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    game = owner.game()
    link = owner.post(f"/games/{game['id']}/share", 201)
    shown = stranger.get(f"/shared/{link['token']}")["game"]
    assert (shown["you"], shown["read_only"], shown["position"]["ply"]) == (None, True, 0)
    with stranger.tab() as tab:
        tab.send(type="follow", token=link["token"])
        owner.move(game, "11-15")
        assert tab.hear("game", lambda message: message["game"]["position"]["ply"] == 2)["game"]["read_only"]
    stranger.get("/shared/" + "x" * 22, 404)
    owner.delete(f"/games/{game['id']}")
    stranger.get(f"/shared/{link['token']}", 404)


def test_what_a_tournament_s_visitor_began_only_they_stop(server: Server) -> None:
    owner, stranger = server.visitor(), server.visitor()
    made = owner.post("/tournaments", 201, game="tictactoe", players=["random", "Easy"], games=2)
    stranger.post(f"/tournaments/{made['name']}/stop", 403)
    stranger.delete(f"/tournaments/{made['name']}", 403)
    eventually(lambda: owner.get(f"/tournaments/{made['name']}")["work"]["state"] == "done")
    assert not stranger.get(f"/tournaments/{made['name']}")["work"]["yours"]


def test_tokens_are_stored_hashed_and_the_cookie_is_guarded(make_server: MakeServer) -> None:
    server = make_server()
    visitor: Visitor = server.visitor()
    given = visitor.http.post("/api/games", json={"game": "chess"}).headers["set-cookie"]
    assert "HttpOnly" in given
    assert "SameSite=Lax" in given
    token = visitor.http.cookies["plyground"]
    assert len(token) >= 43
    with closing(sqlite3.connect(server._settings["store"])) as connection:
        text = "\n".join(connection.iterdump())
    assert token not in text
    share = visitor.post(f"/games/{visitor.get('/games')[0]['id']}/share")["token"]
    with closing(sqlite3.connect(server._settings["store"])) as connection:
        assert share not in "\n".join(connection.iterdump())
