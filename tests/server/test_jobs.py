"""Tournaments, training runs and reviews."""

from __future__ import annotations

from plyground.networks.network import from_bytes
from server.serving import Visitor, eventually

BLUNDER = {"game": "tictactoe", "moves": ["b2", "b1", "c1", "a3", "a1", "c3", "c2"]}


def test_plays_a_tournament_and_shows_its_standings(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        made = visitor.post("/tournaments", 201, game="tictactoe", players=["random", "Easy", "P=solver"], games=4)
        tab.send(type="subscribe_job", kind="tournament", key=made["name"])
        last = tab.receive("job", lambda one: one["job"]["state"] == "done")["job"]
    assert (last["done"], last["total"], last["is_owner"]) == (12, 12, True)
    shown = visitor.get(f"/tournaments/{made['name']}")
    assert shown["standings"][0]["name"] == "P"
    assert all(one["low"] <= one["rating"] <= one["high"] for one in shown["standings"])
    assert [row[index] for index, row in enumerate(shown["cross"])] == [None, None, None]
    games = visitor.get(f"/tournaments/{made['name']}/games", first="P", second="random")
    assert games["total"] == 4
    assert visitor.get(f"/library/{games['games'][0]['record_id']}")["players"]
    assert visitor.get("/library", tournament=made["name"])["total"] == 12
    visitor.delete(f"/tournaments/{made['name']}")
    visitor.get(f"/tournaments/{made['name']}", 404)


def test_stops_and_resumes_a_tournament(visitor: Visitor) -> None:
    players = ["mcts(simulations=1500)", "mcts(simulations=1000)"]
    name = visitor.post("/tournaments", 201, game="connect4", players=players, games=20)["name"]
    eventually(lambda: visitor.get(f"/tournaments/{name}")["job"]["done"] >= 1)
    visitor.post(f"/tournaments/{name}/stop")
    stopped = eventually(
        lambda: (one := visitor.get(f"/tournaments/{name}"))["job"]["state"] in ("stopped", "done") and one
    )
    visitor.post(f"/tournaments/{name}/resume")
    done = eventually(lambda: (one := visitor.get(f"/tournaments/{name}"))["job"]["state"] == "done" and one)
    assert done["job"]["done"] == 20 >= stopped["job"]["done"]


def test_lists_the_rosters(visitor: Visitor) -> None:
    rosters = visitor.get("/rosters")
    assert len(next(one for one in rosters if one["name"] == "samuel")["players"]) == 7
    assert {one["game"] for one in rosters if one["name"] == "levels"} >= {"checkers", "chess"}


def test_a_tournament_requires_two_players_or_a_roster(visitor: Visitor) -> None:
    error = visitor.post("/tournaments", 400, game="chess", players=["random"])["error"]
    assert error["message"] == "a tournament requires a game and at least two players, or a roster"
    visitor.post("/tournaments", 400, players=["random", "Easy"])
    made = visitor.post("/tournaments", 201, game="tictactoe", roster="levels", games=1)
    assert made["name"].startswith("tictactoe")
    assert len(made["players"]) >= 2
    visitor.delete(f"/tournaments/{made['name']}")


def test_trains_weights_and_plays_against_a_checkpoint(visitor: Visitor) -> None:
    methods = {one["name"]: one for one in visitor.get("/training/methods")}
    assert next(one for one in methods["td"]["settings"] if one["name"] == "learning_rate")["description"]
    run = visitor.post(
        "/training/runs", 201, method="td", game="checkers", settings={"games": 60, "learning_rate": 0.01}
    )
    done = eventually(lambda: (one := visitor.get(f"/training/runs/{run['id']}"))["job"]["state"] == "done" and one)
    score = next(one for one in done["curves"] if one["name"] == "score")
    assert score["steps"] == [20, 40, 60]
    assert any(one["initial"] != one["learned"] for one in done["weights"])
    assert [one["step"] for one in done["checkpoints"]] == [20, 40, 60]
    file = visitor.http.get(f"/api/training/runs/{run['id']}/weights?step=40")
    assert file.headers["content-type"] == "application/octet-stream"
    game = visitor.game("checkers", player=done["checkpoints"][0]["player"])
    assert visitor.move(game)["position"]["ply"] == 2
    visitor.post("/games", 404, game="checkers", player="checkpoint 999999/1")
    visitor.delete(f"/training/runs/{run['id']}")
    visitor.get(f"/training/runs/{run['id']}", 404)


def test_learns_q_values_within_visitor_limits_and_plays_by_them(visitor: Visitor) -> None:
    method = next(one for one in visitor.get("/training/methods") if one["name"] == "qlearning")
    table_bits = next(one for one in method["settings"] if one["name"] == "table_bits")
    assert table_bits["maximum"] == 18
    request = {"method": "qlearning", "game": "connect4"}
    error = visitor.post("/training/runs", 400, **request, settings={"table_bits": 19})["error"]
    assert error["message"] == "table_bits must be at most 18, got 19"
    run = visitor.post("/training/runs", 201, **request, settings={"games": 40, "table_bits": 10})
    path = f"/training/runs/{run['id']}"
    done = eventually(lambda: (one := visitor.get(path))["job"]["state"] == "done" and one)
    curves = {curve["name"]: curve for curve in done["curves"]}
    assert curves["random_score"]["steps"] == list(range(2, 41, 2))
    assert "random player" in curves["random_score"]["description"]
    game = visitor.game("connect4", player=f"checkpoint {run['id']}/20")
    assert visitor.move(game)["position"]["ply"] == 2


def test_trains_a_network_that_can_be_played_and_downloaded(visitor: Visitor) -> None:
    settings = {"games": 10, "generation": 5, "depth": 1, "epochs": 1, "width": 16, "hidden": 8, "match_games": 0}
    run = visitor.post("/training/runs", 201, method="network", game="tictactoe", settings=settings)
    path = f"/training/runs/{run['id']}"
    done = eventually(lambda: (one := visitor.get(path))["job"]["state"] in ("done", "failed") and one)
    assert (done["job"]["error"], done["learned"]) == (None, "network")
    assert [one["step"] for one in done["checkpoints"]] == [10]
    network = from_bytes(visitor.http.get(f"/api{path}/weights").content)
    assert (network.game, network.games) == ("tictactoe", 10)
    game = visitor.game("tictactoe", player=done["checkpoints"][0]["player"])
    assert visitor.move(game)["position"]["ply"] == 2


def test_a_run_shows_its_strength_and_when_its_opponent_changed(visitor: Visitor) -> None:
    settings = {"games": 240, "depth": 1, "random_fraction": 0.5, "refresh_games": 50}
    run = visitor.post("/training/runs", 201, method="td", game="tictactoe", settings=settings)
    path = f"/training/runs/{run['id']}"
    done = eventually(lambda: (one := visitor.get(path))["job"]["state"] == "done" and one)
    curves = {curve["name"]: curve for curve in done["curves"]}
    assert curves["strength"]["steps"] == [100, 200, 240]
    assert "initial weights" in curves["strength"]["description"]
    assert done["opponent_changes"] == [120, 170, 220]
    assert not any("opponent" in name for name in curves)


def test_checkpoints_play_in_a_tournament(visitor: Visitor) -> None:
    run = visitor.post("/training/runs", 201, method="td", game="checkers", settings={"games": 40})["id"]
    eventually(lambda: visitor.get(f"/training/runs/{run}")["job"]["state"] == "done")
    listed = next(one for one in visitor.get("/training/runs") if one["id"] == run)
    assert [one["player"] for one in listed["checkpoints"]] == [f"checkpoint {run}/20", f"checkpoint {run}/40"]
    players = [f"checkpoint {run}/20", f"Latest=checkpoint {run}", "random"]
    name = visitor.post("/tournaments", 201, game="checkers", players=players, games=2)["name"]
    shown = eventually(lambda: (one := visitor.get(f"/tournaments/{name}"))["job"]["state"] == "done" and one)
    specs = {one["name"]: one["spec"] for one in shown["standings"]}
    assert specs == {
        f"checkpoint {run}/20": f"alphabeta(weights=run-{run}-20, depth=5)",
        "Latest": f"alphabeta(weights=run-{run}-40, depth=5)",
        "random": "random",
    }
    assert all(one["games"] == 4 for one in shown["standings"])
    for wrong, status in (
        (f"checkpoint {run}/30", 404),
        ("checkpoint 999999", 404),
        ("mcts(weights=/etc/x)", 400),
    ):
        visitor.post("/tournaments", status, game="checkers", players=["random", wrong], games=2)
    visitor.post("/tournaments", 400, game="chess", players=["random", f"checkpoint {run}"], games=2)


def test_a_resumed_run_learns_the_same_weights(visitor: Visitor) -> None:
    settings = {"games": 400, "depth": 2}
    runs = [visitor.post("/training/runs", 201, method="td", game="checkers", settings=settings)["id"] for _ in "ab"]
    eventually(lambda: visitor.get(f"/training/runs/{runs[0]}")["job"]["done"] >= 20)
    visitor.post(f"/training/runs/{runs[0]}/stop")
    eventually(lambda: visitor.get(f"/training/runs/{runs[0]}")["job"]["state"] in ("stopped", "done"))
    visitor.post(f"/training/runs/{runs[0]}/resume")
    for run in runs:
        eventually(lambda: visitor.get(f"/training/runs/{run}")["job"]["state"] == "done")  # noqa: B023
    first, second = (visitor.get(f"/training/runs/{run}")["weights"] for run in runs)
    assert first == second


def test_a_review_marks_blunders(visitor: Visitor) -> None:
    review = visitor.post("/reviews", 201, **BLUNDER, seconds=0.05)
    with visitor.tab() as tab:
        tab.send(type="subscribe_job", kind="review", key=review["id"])
        tab.receive("job", lambda one: one["job"]["state"] == "done")
    done = visitor.get(f"/reviews/{review['id']}")
    marked = {one["ply"]: one for one in done["plies"] if one["mark"]}
    assert marked[1]["mark"] == "??"
    assert marked[1]["exact"]["result"] == "draw"
    assert marked[1]["summary"] == "gave away a draw"
    assert all(abs(one["win_first"] + one["draw"] + one["loss_first"] - 1) < 0.001 for one in done["plies"])
    assert done["sides"]["o"]["marks"]["??"] >= 1
    assert done["total"] == 7
