"""Visitor tokens, and limits per visitor and per address."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from plyground.records import Record
from plyground.server.errors import TooManyError
from plyground.server.security.quotas import Quotas, Slots, client_address
from plyground.server.security.tokens import VisitorTokens
from plyground.server.settings import Settings
from plyground.store import Store, VisitorGame
from server.conftest import MakeServer
from server.serving import TIMEOUT_S, Server, Visitor, eventually

ENDLESS = ["mcts(simulations=20000)", "mcts(simulations=10000)"]
"""Players for tournaments that take far longer than the tests."""


def get(server: Server, path: str, **headers: str) -> httpx.Response:
    """Make a GET request without a visitor's cookies."""
    return httpx.get(f"{server.address}/api{path}", headers=headers, timeout=TIMEOUT_S)


def test_only_tokens_with_the_servers_signature_are_valid() -> None:
    tokens = VisitorTokens("s" * 16)
    token = tokens.issue()
    assert tokens.read(token) == token.partition(".")[0]
    assert len(token.partition(".")[0]) == 43
    for forged in ("", "x", "." * 200, secrets.token_urlsafe(32), token[:-1], VisitorTokens("t" * 16).issue()):
        assert tokens.read(forged) is None


def test_forged_cookies_are_treated_as_no_cookie(make_server: MakeServer) -> None:
    server = make_server(rate=0.01, burst=4)

    def status(cookie: str) -> httpx.Response:
        return get(server, "/legal_moves", Cookie=f"plyground={cookie}")

    answers = [status(secrets.token_urlsafe(32)) for _ in range(2)]
    answers += [status(VisitorTokens("guess" * 5).issue()) for _ in range(3)]
    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    assert "set-cookie" in answers[0].headers
    rejected = answers[-1]
    assert rejected.status_code == 429
    assert rejected.json()["error"]["kind"] == "TooManyError"
    assert int(rejected.headers["retry-after"]) > 0


def test_a_visitor_keeps_the_games_of_an_unsigned_cookie(make_server: MakeServer) -> None:
    """Earlier versions issued unsigned cookies."""
    server = make_server()
    token = secrets.token_urlsafe(32)
    owner = hashlib.sha256(token.encode()).hexdigest()
    with Store(str(server.store)) as store:
        store.records.add(Record("checkers", ("11-15",)), owner=owner)
    answer = get(server, "/library", Cookie=f"plyground={token}")
    assert answer.json()["total"] == 1
    signed = answer.cookies["plyground"]
    assert signed.startswith(f"{token}.")
    assert get(server, "/library", Cookie=f"plyground={signed}").json()["total"] == 1


def test_cookies_stay_valid_after_a_restart_and_depend_on_the_secret(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    game = visitor.game()
    server.stop()
    visitor.server = again = make_server()
    visitor.reconnect()
    assert visitor.get(f"/games/{game['id']}")["id"] == game["id"]
    again.stop()
    visitor.server = make_server(secret="x" * 32)
    visitor.reconnect()
    visitor.get(f"/games/{game['id']}", 404)


def test_limits_requests_per_address_despite_many_cookies(make_server: MakeServer) -> None:
    server = make_server(address_rate=0.1, address_burst=10)
    visitors = [server.visitor() for _ in range(5)]
    for visitor in visitors:
        visitor.get("/state")
        visitor.get("/legal_moves")
    for visitor in visitors:
        assert "from your address" in visitor.get("/legal_moves", 429)["error"]["message"]
    assert visitors[0].http.get("/healthz").status_code == 200  # health checks are not limited


def test_limits_new_games_per_address(make_server: MakeServer) -> None:
    server = make_server(address_games=3)
    game = server.visitor().game()
    server.visitor().post("/new_game", 200)
    third = server.visitor()
    third.get("/state")
    third.get("/state")  # returns the same game
    for path, body in (("/games", {"game": "chess"}), ("/new_game", {}), (f"/games/{game['id']}/rematch", {})):
        assert "too many games from your address" in third.post(path, 429, **body)["error"]["message"]
    server.visitor().get("/legal_moves", 429)


def test_limits_active_jobs_per_address(make_server: MakeServer) -> None:
    server = make_server(address_jobs=1)
    first, second = server.visitor(), server.visitor()
    request: dict[str, Any] = {"game": "chess", "players": ENDLESS, "games": 4}
    made = first.post("/tournaments", 201, **request)
    assert "active tournaments from your address" in second.post("/tournaments", 429, **request)["error"]["message"]
    run = second.post("/training/runs", 201, method="td", game="checkers", settings={"games": 100_000})
    first.post("/train", 429)
    first.delete(f"/tournaments/{made['name']}")
    other = second.post("/tournaments", 201, **request)
    first.post(f"/tournaments/{other['name']}/resume", 429)
    second.post(f"/training/runs/{run['id']}/stop", 200)


def test_limits_active_reviews_per_visitor(make_server: MakeServer) -> None:
    visitor = make_server(jobs=1, searches=1).visitor()
    moves = ["11-15", "23-18", "8-11", "26-23", "4-8"]
    made = visitor.post("/reviews", 201, game="checkers", moves=moves, seconds=10)
    visitor.post("/reviews", 429, game="checkers", moves=moves[:1], seconds=10)
    visitor.post(f"/reviews/{made['id']}/stop", 200)
    eventually(lambda: visitor.get(f"/reviews/{made['id']}")["state"] in ("stopped", "done"))
    visitor.post("/reviews", 201, game="checkers", moves=moves[:1], seconds=0.01)


def test_limits_open_tabs_per_address(make_server: MakeServer) -> None:
    server = make_server(address_sockets=1)
    with server.visitor().tab():
        with pytest.raises(InvalidStatus) as refused, server.visitor().tab() as second:
            second.receive()
        response = refused.value.response
        assert response.status_code == 429
        assert b"open tabs from your address" in (response.body or b"")

    def opens() -> bool:
        try:
            with server.visitor().tab():
                return True
        except InvalidStatus:
            return False

    assert eventually(opens)


def test_limits_uploads_and_the_size_of_a_library(make_server: MakeServer) -> None:
    server = make_server(address_import_bytes=4096, library_games=2)
    visitor = server.visitor()

    def upload(count: int, comment: str = "") -> Any:
        text = "".join(f'[Event "{secrets.token_hex(4)}"]\n\n1. e4 {comment} *\n\n' for _ in range(count))
        return visitor.http.post("/api/library/import", json={"files": [{"name": "a.pgn", "text": text}]})

    assert len(upload(1).json()["files"][0]["added"]) == 1
    assert "exceed the limit of 2" in upload(2).json()["files"][0]["error"]
    assert upload(1, "{" + 5000 * "x" + "}").status_code == 429
    assert visitor.get("/library")["total"] == 1


def test_a_slot_is_released_when_its_holder_finishes() -> None:
    slots, active = Slots(1, "jobs"), {"a": True}
    with slots.hold("address") as slot:
        slot.keep_while(lambda: active["a"])
    with pytest.raises(TooManyError, match="too many jobs: at most 1"), slots.hold("address"):
        pass
    with slots.hold("other"):
        active["a"] = False
        with slots.hold("address"):
            pass


def test_a_failed_request_releases_its_slot() -> None:
    slots = Slots(1, "jobs")
    with pytest.raises(RuntimeError), slots.hold("address"):
        raise RuntimeError
    with slots.hold("address"):
        pass


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix", "unix"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(client: str, address: str) -> None:
    assert client_address((client, 1)) == address


def test_requests_per_visitor_and_per_address_are_counted_separately() -> None:
    quotas = Quotas(Settings(rate=1, burst=3, address_rate=1, address_burst=5))
    for _ in range(3):
        quotas.take_request("ann", "192.0.2.1")
    with pytest.raises(TooManyError, match="too many requests: at most 3 per 3 seconds"):
        quotas.take_request("ann", "192.0.2.2")
    quotas.take_request("bob", "192.0.2.1")
    with pytest.raises(TooManyError, match="from your address: at most 5 per 5 seconds"):
        for _ in range(2):
            quotas.take_request("eve", "192.0.2.1")


def test_a_forwarded_address_counts_only_behind_a_known_proxy(make_server: MakeServer) -> None:
    def statuses(server: Server) -> list[int]:
        return [
            get(server, "/legal_moves", **{"X-Forwarded-For": f"192.0.2.{number}"}).status_code for number in range(4)
        ]

    assert statuses(make_server(rate=0.01, burst=2)) == [200, 200, 429, 429]
    assert statuses(make_server(rate=0.01, burst=2, proxies=["127.0.0.1"])) == [200] * 4


def test_stored_games_cannot_be_enumerated(visitor: Visitor) -> None:
    made = visitor.post("/tournaments", 201, game="tictactoe", players=["random", "Easy"], games=2)
    games = eventually(
        lambda: (page := visitor.get(f"/tournaments/{made['name']}/games"))["total"] == 2 and page["games"]
    )
    stranger = visitor.server.visitor()
    for number in range(1, 30):
        stranger.get(f"/library/{number}", 404)
        stranger.get(f"/library/{number}/export", 404)
        stranger.post(f"/library/{number}/share", 404)
    ids = [game["record_id"] for game in games]
    assert all(len(public_id) == 16 for public_id in ids)
    assert stranger.get(f"/library/{ids[0]}")["id"] == ids[0]
    first = stranger.get("/library", tournament=made["name"], limit=1)
    rest = stranger.get("/library", tournament=made["name"], before=first["before"])
    assert {first["games"][0]["id"], rest["games"][0]["id"]} == set(ids)
    assert stranger.get("/library")["total"] == 0


def test_a_visitor_with_a_game_in_progress_is_an_owner(tmp_path: Any) -> None:
    with Store(str(tmp_path / "store.sqlite")) as store:
        assert not store.visitor_games.is_owner("f00")
        store.visitor_games.add(VisitorGame("one", "f00", "checkers", {}))
        assert store.visitor_games.is_owner("f00")
