"""Moves that agents propose, for comparing them."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest

from plyground import game
from server.conftest import MakeServer
from server.serving import TIMEOUT_S, Visitor, eventually

THREAT: dict[str, Any] = {"game": "connect4", "text": None, "moves": list("4455")}
"""Red wins with 3 or 6."""


def test_an_agent_proposes_a_move_with_its_exact_value(visitor: Visitor) -> None:
    found = visitor.post("/proposals", 200, **THREAT, agent="alphabeta(depth=5)")
    assert found["agent"] == "alphabeta(depth=5)"
    assert found["move"] in ("3", "6")
    assert found["path"] == game("connect4").position(None, THREAT["moves"]).path(found["move"])
    assert found["pv"][0] == found["move"]
    assert (found["value"], found["proven"]) == (1.0, "win")
    assert found["exact"] == {"result": "win", "distance": 3, "source": "solver"}
    assert found["exact_move"] == {"result": "win", "distance": 3, "source": "solver"}


def test_a_level_keeps_its_own_limit_unless_a_time_is_given(visitor: Visitor) -> None:
    assert visitor.post("/proposals", 200, **THREAT, agent="Easy")["simulations"] == 20
    assert visitor.post("/proposals", 200, **THREAT, agent="mcts(simulations=30, solver=false)")["simulations"] == 30
    long = visitor.post("/proposals", 200, game="checkers", agent="Easy", seconds=0.3)
    assert long["simulations"] > 20


def test_a_game_without_exact_values_has_none(visitor: Visitor) -> None:
    found = visitor.post("/proposals", 200, game="chess", agent="alphabeta(depth=2)")
    assert (found["exact"], found["exact_move"]) == (None, None)
    assert len(found["path"]) == 2


def test_an_agent_in_a_worker_proposes_a_move(visitor: Visitor) -> None:
    found = visitor.post("/proposals", 200, **THREAT, agent="committee(members=plain-flat(playouts=5)+flat)")
    assert found["move"] in list("1234567")


@pytest.mark.parametrize(
    ("request_body", "status"),
    [
        ({**THREAT, "agent": "nobody"}, 404),
        ({**THREAT, "agent": "mcts(weights=/etc/x.safetensors)"}, 400),
        ({**THREAT, "agent": "committee(members=mcts(threads=9999)+flat)"}, 400),
        ({**THREAT, "agent": "flat", "seconds": 0}, 422),
        ({**THREAT, "agent": "flat", "seconds": 1e6}, 422),
        ({"game": "connect4", "moves": list("1212121"), "agent": "flat"}, 409),
        ({"game": "connect4", "moves": ["9"], "agent": "flat"}, 400),
    ],
)
def test_invalid_requests_are_rejected(visitor: Visitor, request_body: dict[str, object], status: int) -> None:
    visitor.post("/proposals", status, **request_body)


def test_the_time_is_limited_by_that_of_a_move(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=0.2).visitor()
    found = visitor.post("/proposals", 200, game="checkers", agent="mcts", seconds=60)
    assert found["simulations"] > 0


def test_a_visitor_can_run_few_comparisons_and_leaving_ends_them(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=3600, analyses=1, searches=1).visitor()
    visitor.get("/state")

    def propose(agent: str, timeout: float) -> int:
        request = {"game": "checkers", "agent": agent}
        return visitor.http.post("/api/proposals", json=request, timeout=timeout).status_code

    def ask_and_leave() -> None:
        with pytest.raises(httpx.ReadTimeout):
            propose("alphabeta(depth=90)", 3)

    thread = threading.Thread(target=ask_and_leave)
    thread.start()
    eventually(lambda: propose("random", TIMEOUT_S) == 429)
    thread.join()
    # The client has disconnected, so its search ends and another one is possible.
    eventually(lambda: propose("random", TIMEOUT_S) == 200)
