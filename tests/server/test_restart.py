"""Restarts: no acknowledged move is lost, and jobs and searches resume."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path
from typing import Any

import httpx

from server.conftest import MakeServer
from server.serving import FOREVER_S, Server, Visitor, eventually

KILLS, VISITORS = 7, 15


def play_until_killed(visitor: Visitor, game: Any, acknowledged: list[str]) -> None:
    """Play until the server dies or the game ends; `acknowledged` holds the moves in the latest response."""
    try:
        while not game["position"]["outcome"]:
            game = visitor.move(game)
            acknowledged[:] = [move["text"] for move in game["moves"]]
    except httpx.HTTPError:
        return


def test_kills_during_play_lose_no_acknowledged_move(tmp_path: Path) -> None:
    """Each SIGKILL hits several games at once; benchmarks/server_kills.py kills a server a hundred times."""
    server = Server(tmp_path / "store.sqlite", rate=5000, burst=5000, searches=2).start()
    rng = random.Random(1)
    visitors = [server.visitor() for _ in range(VISITORS)]
    games = [visitor.game("checkers", player="Medium") for visitor in visitors]
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
        time.sleep(rng.uniform(0, 0.05))  # kill at a random moment while moves are in progress
        server.kill()
        for player in players:
            player.join()
        server.start()
        for index, visitor in enumerate(visitors):
            visitor.reconnect()
            path = f"/games/{games[index]['id']}"
            moves = [move["text"] for move in visitor.get(path)["moves"]]
            assert moves[: len(acknowledged[index])] == acknowledged[index]
            game = eventually(lambda: not (one := visitor.get(path))["thinking"] and one)  # noqa: B023
            games[index] = visitor.game(player="Medium") if game["position"]["outcome"] else game
    server.stop()


def test_a_thinking_agent_resumes_after_a_restart(make_server: MakeServer) -> None:
    server = make_server(move_seconds=FOREVER_S)
    visitor = server.visitor()
    game = visitor.game("connect4", player=f"mcts(seconds={FOREVER_S})")
    visitor.move(game, "4", wait=0)
    server.kill()
    server.start()
    visitor.reconnect()
    assert visitor.get(f"/games/{game['id']}")["thinking"]
    visitor.post(f"/games/{game['id']}/move_now")
    moved = eventually(lambda: (one := visitor.get(f"/games/{game['id']}"))["position"]["ply"] == 2 and one)
    assert moved["moves"][0]["text"] == "4"
    assert visitor.get("/games/current", game="connect4")["id"] == game["id"]


def test_a_stored_review_survives_a_kill(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    game = visitor.game("tictactoe", humans=2)
    for move in ("b2", "b1", "c1"):
        game = visitor.move(game, move)
    game = visitor.post(f"/games/{game['id']}/resign")
    assert visitor.get(f"/library/{game['record_id']}/review") is None
    started = visitor.post("/reviews", 201, game_id=game["id"], seconds=0.05)
    done = eventually(lambda: (one := visitor.get(f"/reviews/{started['id']}"))["state"] == "done" and one)
    server.kill()
    server.start()
    visitor.reconnect()
    assert visitor.get(f"/reviews/{started['id']}")["plies"] == done["plies"]
    again = visitor.get(f"/library/{game['record_id']}/review")
    assert {**again, "record": None} == {**done, "record": None}
    assert again["record"]["id"] == game["record_id"]


def test_a_longer_review_replaces_the_stored_one(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", humans=2)
    for move in ("b2", "b1", "c1"):
        game = visitor.move(game, move)
    record_id = visitor.post(f"/games/{game['id']}/resign")["record_id"]
    first = visitor.post("/reviews", 201, record_id=record_id, seconds=0.05)["id"]
    eventually(lambda: visitor.get(f"/reviews/{first}")["state"] == "done")
    assert visitor.post("/reviews", 201, record_id=record_id, seconds=0.05)["id"] == first
    longer = visitor.post("/reviews", 201, record_id=record_id, seconds=0.1)["id"]
    assert longer != first
    eventually(lambda: visitor.get(f"/library/{record_id}/review")["id"] == longer)
    stranger = visitor.server.visitor()
    stranger.get(f"/reviews/{longer}", 404)
    stranger.get(f"/library/{record_id}/review", 404)
    visitor.post(f"/games/{game['id']}/undo")  # the game is in progress again, so its review is outdated
    assert visitor.get(f"/library/{record_id}/review") is None


def test_a_tournament_and_a_training_run_resume_after_a_kill(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    name = visitor.post(
        "/tournaments", 201, game="connect4", players=["mcts(simulations=1500)", "mcts(simulations=1000)"], games=20
    )["name"]
    run = visitor.post("/training/runs", 201, method="td", game="checkers", settings={"games": 3000})["id"]
    eventually(lambda: visitor.get(f"/tournaments/{name}")["job"]["done"] >= 2)
    eventually(lambda: visitor.get(f"/training/runs/{run}")["job"]["done"] >= 20)
    server.kill()
    server.start()
    visitor.reconnect()
    assert visitor.get(f"/tournaments/{name}")["job"]["state"] in ("queued", "running", "done")
    job = visitor.get(f"/training/runs/{run}")["job"]
    assert job["state"] in ("queued", "running", "done")
    assert job["done"] >= 20
    visitor.post(f"/training/runs/{run}/stop")
    eventually(lambda: visitor.get(f"/training/runs/{run}")["job"]["state"] in ("stopped", "done"))
    eventually(lambda: visitor.get(f"/tournaments/{name}")["job"]["state"] == "done")
    assert sum(one["games"] for one in visitor.get(f"/tournaments/{name}")["standings"]) == 40
