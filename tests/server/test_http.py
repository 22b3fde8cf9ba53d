"""HTTP: content types, methods, documentation, the health check, and a common format for all errors."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from server.conftest import MakeServer
from server.serving import Visitor
from server.test_user_game_errors import RULES


def test_a_body_without_content_type_is_read_as_json(visitor: Visitor) -> None:
    visitor.get("/state")
    response = visitor.http.post("/api/make_move", content=b'{"move": "11-15"}')
    assert "content-type" not in response.request.headers
    assert response.status_code == 200
    assert response.json()["played"] == "11-15"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/api/state", "GET"),
        ("GET", "/api/make_move", "POST"),
        ("GET", "/api/train", "POST"),
        ("PUT", "/api/games", "GET, POST"),
        ("PATCH", "/api/games/abc", "DELETE, GET"),
        ("GET", "/api/games/abc/moves", "POST"),
        ("DELETE", "/play/checkers", "GET, HEAD"),
        ("POST", "/healthz", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_not_allowed(visitor: Visitor, method: str, path: str, allowed: str) -> None:
    response = visitor.http.request(method, path)
    assert response.status_code == 405
    assert response.headers["allow"] == allowed
    assert response.json()["error"]["kind"] == "MethodNotAllowedError"


def test_the_api_documentation_loads_nothing_from_other_sites(visitor: Visitor) -> None:
    for path, start in (("/docs", "<!doctype html>"), ("/openapi.json", '{"openapi"')):
        response = visitor.http.get(path, follow_redirects=True)
        assert response.status_code == 200
        assert response.text.startswith(start)
        assert "https://" not in response.text.replace("https://json-schema.org", "")


def test_head_requests_are_answered(visitor: Visitor) -> None:
    response = visitor.http.head("/")
    assert response.status_code == 200
    assert response.text == ""


def test_the_health_check_sets_no_cookie(visitor: Visitor) -> None:
    response = httpx.get(f"{visitor.server.address}/healthz")
    assert response.json()["status"] == "ok"
    assert "set-cookie" not in response.headers


def test_all_errors_have_the_same_format(make_server: MakeServer, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(RULES)
    visitor = make_server(user_game=str(tmp_path / "broken.py"), body_bytes=1000, sockets=0, jobs=0).visitor()
    http, game = visitor.http, visitor.game()
    responses = {
        400: http.post("/api/positions", json={"game": "chess(", "moves": []}),
        403: http.post("/api/games", json={"game": "chess"}, headers={"Origin": "http://evil.example"}),
        404: http.get("/api/games/unknown"),
        405: http.get("/api/make_move"),
        409: http.post(f"/api/games/{game['id']}/moves", json={"move": "11-15", "ply": 5}),
        413: http.post("/api/positions", content=b" " * 2000),
        422: http.post("/api/make_move", json={"moves": 1}),
        429: http.post("/api/train"),
        500: http.post("/api/positions", json={"game": "broken", "moves": ["1"] * 5}),
    }
    assert {status: response.status_code for status, response in responses.items()} == {key: key for key in responses}
    responses[0] = http.get("/assets/missing.js")
    responses[1] = http.get("/api/nothing")
    kinds = {status: form(response.json()) for status, response in responses.items()}
    assert kinds[0] == kinds[1] == kinds[404] == "UnknownNameError"
    assert (kinds[413], kinds[422], kinds[429]) == ("TooLargeError", "ParseError", "TooManyError")
    assert kinds[500] == "WorkerError"
    for response in responses.values():
        assert response.headers["content-type"] == "application/json"
        assert "default-src 'self'" in response.headers["content-security-policy"]
        assert len(response.headers["x-request-id"]) == 16
    with pytest.raises(InvalidStatus) as refused, visitor.tab():
        pass
    assert refused.value.response.status_code == 429
    assert b'"TooManyError"' in (refused.value.response.body or b"")


def form(body: Any) -> str:
    """Return the kind of an error after checking its format."""
    assert set(body) == {"error"}
    assert set(body["error"]) == {"kind", "message"}
    assert body["error"]["message"]
    return str(body["error"]["kind"])


def test_socket_errors_have_the_format_of_http_errors(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="stop")
        assert tab.receive("error")["error"]["kind"] == "ParseError"
        tab.send(type="subscribe", game_id="unknown")
        assert tab.receive("error")["error"] == {"kind": "UnknownNameError", "message": "game not found"}


def is_done(key: str, message: Any) -> bool:
    """Whether a message reports that a job is done."""
    return bool(message["job"]["key"] == key and message["job"]["state"] == "done")


def test_arena_results_are_those_of_the_latest_tournament_of_any_game(make_server: MakeServer) -> None:
    visitor = make_server().visitor()
    assert visitor.get("/arena/results")["leaderboard"] == []
    with visitor.tab() as tab:
        for game in ("checkers", "tictactoe"):
            made = visitor.post("/tournaments", 201, game=game, players=["random", "flat(playouts=1)"], games=2)
            tab.send(type="subscribe_job", kind="tournament", key=made["name"])
            tab.receive("job", partial(is_done, made["name"]))
            results = visitor.get("/arena/results")
            assert (results["game"], results["tournament"]) == (game, made["name"])
            assert {row["name"] for row in results["leaderboard"]} == {"random", "flat(playouts=1)"}


def test_the_six_short_endpoints_work(visitor: Visitor) -> None:
    assert visitor.get("/state")["turn"] == "black"
    assert visitor.post("/new_game", 200, level="Easy", side="black")["history"] == []
    moves = visitor.get("/legal_moves")
    answered = visitor.post("/make_move", 200, move=moves[0])
    assert answered["history"] == [moves[0], answered["answer"]]
    trained = visitor.post("/train", 200, games=2)
    assert trained["games"] == 2
    assert set(visitor.get("/arena/results")) == {"tournament", "game", "leaderboard"}
