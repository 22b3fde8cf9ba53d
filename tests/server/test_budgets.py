"""Searches and jobs respect their time limits, whatever visitors request and user games do."""

from __future__ import annotations

import re
from pathlib import Path

from server.conftest import MakeServer
from server.serving import FOREVER_S, Visitor, eventually

TRAP = """
import plyground

class Trap:
    id, title, sides = "trap", "Trap", ("left", "right")

    def start(self):
        return 0

    def turn(self, state):
        return state % 2

    def moves(self, state):
        while state >= 100:
            pass                                  # never returns
        return ["1", "2"] if state < 6 else []

    def play(self, state, move):
        return 100 if state == 3 or (move == "2" and state == 2) else state + 1

    def outcome(self, state):
        return 0

plyground.register(Trap())
"""


def trap_server(make_server: MakeServer, folder: Path) -> Visitor:
    file = folder / "trap.py"
    file.write_text(TRAP)
    return make_server(user_game=str(file), searches=1, move_seconds=1).visitor()


def agent_error(visitor: Visitor, player: str) -> str:
    """Return the error of an agent that must move in a position in which every move leads into the trap."""
    made = visitor.move(visitor.game("trap", player=player, moves=["1", "1"]), "1")
    return str(eventually(lambda: visitor.get(f"/games/{made['id']}")["agent_error"]))


def test_rules_that_never_return_are_an_error_and_the_game_stays_playable(
    make_server: MakeServer, tmp_path: Path
) -> None:
    visitor = trap_server(make_server, tmp_path)
    error = visitor.post("/positions", 503, game="trap", moves=["1", "1", "2"])["error"]
    assert error["kind"] == "UserGameTimeoutError"
    assert "took longer than 2 s" in error["message"]
    position = visitor.post("/positions", 200, game="trap", moves=["1", "1"])
    assert [move["text"] for move in position["moves"]] == ["1", "2"]


def test_a_search_that_calls_rules_that_never_return_is_killed(make_server: MakeServer, tmp_path: Path) -> None:
    visitor = trap_server(make_server, tmp_path)
    for player in ("mcts(simulations=100000)", "alphabeta", "plain-mcts"):
        # A search that finds no time to look at any move chooses one, whose rules then never return.
        assert re.search("did not return in time|took longer than 2 s", agent_error(visitor, player))
    assert visitor.move(visitor.game("checkers", player="mcts(simulations=20)"))["position"]["ply"] == 2


def test_the_tree_of_a_search_in_a_worker_process_is_shown(make_server: MakeServer, tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(Path("python/plyground/examples/nim.py").read_text())
    visitor = make_server(user_game=str(file)).visitor()
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="nim", simulations=5000, tree=50)
        tree = tab.receive("tree")["tree"]
    assert tree["parent"][0] == -1
    assert tree["total_nodes"] > 1


def test_plain_python_agents_respect_the_time_limit_of_the_server(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=0.5).visitor()
    made = visitor.move(visitor.game("chess", player=f"plain-mcts(simulations={10**15})"))
    assert made["position"]["ply"] == 2
    made = visitor.move(visitor.game("connect4", player="plain-minimax(depth=200)"))
    assert made["position"]["ply"] == 2


def test_an_agent_moves_early_only_if_nobody_is_waiting(make_server: MakeServer) -> None:
    server = make_server(move_seconds=FOREVER_S, absence_seconds=0.1, searches=2)
    waiting, absent, spectator = server.visitor(), server.visitor(), server.visitor()

    def start_search(visitor: Visitor) -> str:
        game = visitor.game("chess", player=f"mcts(seconds={FOREVER_S})")
        visitor.post(f"/games/{game['id']}/moves", move="e2e4", ply=0)
        return str(visitor.post(f"/games/{game['id']}/share", 201)["token"])

    def ply(token: str) -> int:
        return int(spectator.get(f"/shared/{token}")["game"]["position"]["ply"])

    with waiting.tab():
        watched = start_search(waiting)
        abandoned = start_search(absent)
        eventually(lambda: ply(abandoned) == 2)
        assert ply(watched) == 1


def test_a_tournament_stops_during_a_move(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=FOREVER_S).visitor()
    players = [f"mcts(seconds={9 * 10**8})", "random"]
    name = visitor.post("/tournaments", 201, game="chess", players=players, games=2)["name"]
    eventually(lambda: visitor.get(f"/tournaments/{name}")["job"]["state"] == "running")
    visitor.post(f"/tournaments/{name}/stop")
    eventually(lambda: visitor.get(f"/tournaments/{name}")["job"]["state"] == "stopped")


def test_no_move_of_a_tournament_takes_longer_than_the_limit_of_the_server(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=0.05).visitor()
    players = [f"mcts(seconds={9 * 10**8}, solver=false)", "random"]
    name = visitor.post("/tournaments", 201, game="tictactoe", players=players, games=2)["name"]
    eventually(lambda: visitor.get(f"/tournaments/{name}")["job"]["state"] == "done")


def test_a_training_run_stops(make_server: MakeServer) -> None:
    visitor = make_server().visitor()
    settings = {"games": 50_000, "depth": 6}
    run = visitor.post("/training/runs", 201, method="td", game="checkers", settings=settings)
    eventually(lambda: visitor.get(f"/training/runs/{run['id']}")["job"]["state"] == "running")
    visitor.post(f"/training/runs/{run['id']}/stop")
    eventually(lambda: visitor.get(f"/training/runs/{run['id']}")["job"]["state"] == "stopped")


def test_a_job_that_exceeds_the_time_limit_of_the_server_is_stopped_with_a_reason(make_server: MakeServer) -> None:
    visitor = make_server(job_seconds=0.2).visitor()
    players = [f"mcts(seconds={9 * 10**8})", "random"]
    name = visitor.post("/tournaments", 201, game="chess", players=players, games=2)["name"]
    job = eventually(lambda: (job := visitor.get(f"/tournaments/{name}")["job"])["state"] == "stopped" and job)
    assert "it can be resumed" in job["error"]
