"""Servers that end: nothing that was acknowledged is lost, and work goes on."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path
from typing import Any

import httpx

from server.conftest import MakeServer
from server.serving import Server, Visitor, eventually

KILLS, VISITORS = 7, 15


def play_until_killed(visitor: Visitor, game: Any, acknowledged: list[str]) -> None:
    """Play as fast as the server answers, noting every move that it said was played."""
    state = game
    try:
        while True:
            if state["position"]["outcome"]:
                return
            state = visitor.move(state, wait=1)
            acknowledged[:] = [move["text"] for move in state["moves"]]
    except (httpx.HTTPError, AssertionError):
        return


def test_a_hundred_games_killed_in_mid_play_lose_no_acknowledged_move(tmp_path: Path) -> None:
    """Each kill -9 hits several games at once; benchmarks/server_kills.py kills a hundred times."""
    server = Server(tmp_path / "store.sqlite", rate=5000, burst=5000, searches=2).start()
    rng = random.Random(1)
    visitors = [server.visitor() for _ in range(VISITORS)]
    games = [visitor.game("checkers", player="Medium") for visitor in visitors]
    moves = 0
    for _ in range(KILLS):
        acknowledged: list[list[str]] = [[move["text"] for move in game["moves"]] for game in games]
        before = sum(map(len, acknowledged))
        players = [
            threading.Thread(target=play_until_killed, args=one)
            for one in zip(visitors, games, acknowledged, strict=True)
        ]
        for player in players:
            player.start()
        eventually(lambda: sum(map(len, acknowledged)) >= before + VISITORS)  # noqa: B023
        time.sleep(rng.uniform(0, 0.05))
        server.kill()
        for player in players:
            player.join()
        server.start()
        moves += sum(map(len, acknowledged)) - before
        for number, visitor in enumerate(visitors):
            visitor.reconnect()
            address = f"/games/{games[number]['id']}"
            found = [move["text"] for move in visitor.get(address)["moves"]]
            assert found[: len(acknowledged[number])] == acknowledged[number]
            game = eventually(lambda: not (state := visitor.get(address))["thinking"] and state)  # noqa: B023
            games[number] = visitor.game(player="Medium") if game["position"]["outcome"] else game
    server.stop()
    assert moves > KILLS * VISITORS / 2  # the kills came in the midst of games


def test_an_agent_that_was_thinking_moves_after_a_restart(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    game = visitor.game("connect4", player="mcts(seconds=1)")
    visitor.move(game, "4", wait=0)
    server.kill()
    server.start()
    visitor.reconnect()
    assert visitor.get(f"/games/{game['id']}")["thinking"]
    answered = eventually(lambda: (found := visitor.get(f"/games/{game['id']}"))["position"]["ply"] == 2 and found)
    assert answered["moves"][0]["text"] == "4"
    assert visitor.get("/games/current", game="connect4")["id"] == game["id"]


def test_a_review_is_there_again_after_a_kill(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    game = visitor.game("tictactoe", people=2)
    for move in ("b2", "b1", "c1"):
        game = visitor.move(game, move)
    game = visitor.post(f"/games/{game['id']}/resign")
    assert visitor.get(f"/library/{game['record']}/review") is None
    asked = visitor.post("/reviews", 201, game_id=game["id"], seconds=0.05)
    done = eventually(lambda: (one := visitor.get(f"/reviews/{asked['id']}"))["state"] == "done" and one)
    server.kill()
    server.start()
    visitor.reconnect()
    assert visitor.get(f"/reviews/{asked['id']}")["plies"] == done["plies"]
    again = visitor.get(f"/library/{game['record']}/review")
    assert {**again, "record": None} == {**done, "record": None}
    assert again["record"]["id"] == game["record"]
    # It is not looked at again, unless for longer; what comes of that takes its place.
    assert visitor.post("/reviews", 201, record=game["record"], seconds=0.05)["id"] == asked["id"]
    longer = visitor.post("/reviews", 201, record=game["record"], seconds=0.1)["id"]
    assert longer != asked["id"]
    eventually(lambda: visitor.get(f"/library/{game['record']}/review")["id"] == longer)
    stranger = server.visitor()
    stranger.get(f"/reviews/{longer}", 404)
    stranger.get(f"/library/{game['record']}/review", 404)
    # The game goes on: what was said of its moves is old.
    visitor.post(f"/games/{game['id']}/undo")
    assert visitor.get(f"/library/{game['record']}/review") is None


def test_a_tournament_and_a_training_run_go_on_after_a_kill(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    name = visitor.post(
        "/tournaments", 201, game="connect4", players=["mcts(simulations=1500)", "mcts(simulations=1000)"], games=20
    )["name"]
    run = visitor.post("/training/runs", 201, method="td", game="checkers", settings={"games": 3000})["id"]
    eventually(lambda: visitor.get(f"/tournaments/{name}")["work"]["done"] >= 2, 60)
    eventually(lambda: visitor.get(f"/training/runs/{run}")["work"]["done"] >= 20, 60)
    server.kill()
    server.start()
    visitor.reconnect()
    assert visitor.get(f"/tournaments/{name}")["work"]["state"] in ("waiting", "running", "done")
    done = visitor.get(f"/training/runs/{run}")["work"]
    assert done["state"] in ("waiting", "running", "done")
    assert done["done"] >= 20
    visitor.post(f"/training/runs/{run}/stop")
    eventually(lambda: visitor.get(f"/training/runs/{run}")["work"]["state"] in ("stopped", "done"))
    eventually(lambda: visitor.get(f"/tournaments/{name}")["work"]["state"] == "done", 90)
    assert sum(one["games"] for one in visitor.get(f"/tournaments/{name}")["standings"]) == 40
