"""Tournaments, training and reviews of the page."""

from __future__ import annotations

from typing import Any

from server.serving import Visitor, eventually

BLUNDER = {"game": "tictactoe", "moves": ["b2", "b1", "c1", "a3", "a1", "c3", "c2"]}


def test_a_tournament_is_played_and_its_table_follows(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        made = visitor.post("/tournaments", 201, game="tictactoe", players=["random", "Easy", "P=solver"], games=4)
        tab.send(type="follow_work", kind="tournament", key=made["name"])
        last = tab.hear("work", lambda one: one["work"]["state"] == "done", 120)["work"]
    assert (last["done"], last["total"], last["yours"]) == (12, 12, True)
    shown = visitor.get(f"/tournaments/{made['name']}")
    assert shown["standings"][0]["name"] == "P"
    assert all(one["low"] <= one["rating"] <= one["high"] for one in shown["standings"])
    assert [row[at] for at, row in enumerate(shown["cross"])] == [None, None, None]
    games = visitor.get(f"/tournaments/{made['name']}/games", first="P", second="random")
    assert games["total"] == 4
    assert visitor.get(f"/library/{games['games'][0]['record']}")["players"]
    assert visitor.get("/library", tournament=made["name"])["total"] == 12
    visitor.delete(f"/tournaments/{made['name']}")
    visitor.get(f"/tournaments/{made['name']}", 404)


def test_a_tournament_is_stopped_and_gone_on_with(visitor: Visitor) -> None:
    players = ["mcts(simulations=1500)", "mcts(simulations=1000)"]
    name = visitor.post("/tournaments", 201, game="connect4", players=players, games=20)["name"]
    eventually(lambda: visitor.get(f"/tournaments/{name}")["work"]["done"] >= 1, 120)
    visitor.post(f"/tournaments/{name}/stop")
    stopped = eventually(
        lambda: (one := visitor.get(f"/tournaments/{name}"))["work"]["state"] in ("stopped", "done") and one, 60
    )
    visitor.post(f"/tournaments/{name}/resume")
    done = eventually(lambda: (one := visitor.get(f"/tournaments/{name}"))["work"]["state"] == "done" and one, 120)
    assert done["work"]["done"] == 20 >= stopped["work"]["done"]


def test_the_samuel_roster_is_offered(visitor: Visitor) -> None:
    rosters = visitor.get("/rosters")
    assert len(next(one for one in rosters if one["name"] == "samuel")["players"]) == 7
    assert {one["game"] for one in rosters if one["name"] == "levels"} >= {"checkers", "chess"}


def test_a_run_learns_and_can_be_played_against(visitor: Visitor) -> None:
    methods = {one["name"]: one for one in visitor.get("/training/methods")}
    assert "checkers" in methods["td"]["games"]
    assert next(one for one in methods["td"]["settings"] if one["name"] == "rate")["words"]
    run = visitor.post("/training/runs", 201, method="td", game="checkers", settings={"games": 60, "rate": 0.01})
    done = eventually(lambda: (one := visitor.get(f"/training/runs/{run['id']}"))["work"]["state"] == "done" and one)
    score = next(one for one in done["curves"] if one["name"] == "score")
    assert score["steps"] == [20, 40, 60]
    assert any(one["before"] != one["after"] for one in done["weights"])
    assert [one["step"] for one in done["checkpoints"]] == [20, 40, 60]
    file = visitor.http.get(f"/api/training/runs/{run['id']}/weights?step=40")
    assert file.headers["content-type"] == "application/octet-stream"
    game = visitor.game("checkers", player=done["checkpoints"][0]["player"])
    assert visitor.move(game)["position"]["ply"] == 2
    visitor.post("/games", 404, game="checkers", player="checkpoint 999999/1")
    visitor.delete(f"/training/runs/{run['id']}")


def test_checkpoints_of_a_run_play_in_a_tournament(visitor: Visitor) -> None:
    run = visitor.post("/training/runs", 201, method="td", game="checkers", settings={"games": 40})["id"]
    eventually(lambda: visitor.get(f"/training/runs/{run}")["work"]["state"] == "done")
    listed = next(one for one in visitor.get("/training/runs") if one["id"] == run)
    assert [one["player"] for one in listed["checkpoints"]] == [f"checkpoint {run}/20", f"checkpoint {run}/40"]
    players = [f"checkpoint {run}/20", f"Latest=checkpoint {run}", "random"]
    name = visitor.post("/tournaments", 201, game="checkers", players=players, games=2)["name"]
    shown = eventually(lambda: (one := visitor.get(f"/tournaments/{name}"))["work"]["state"] == "done" and one)
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


def test_a_run_is_stopped_and_gone_on_with_to_the_same_weights(visitor: Visitor) -> None:
    settings = {"games": 400, "depth": 2}
    runs = [visitor.post("/training/runs", 201, method="td", game="checkers", settings=settings)["id"] for _ in "ab"]
    eventually(lambda: visitor.get(f"/training/runs/{runs[0]}")["work"]["done"] >= 20)
    visitor.post(f"/training/runs/{runs[0]}/stop")
    eventually(lambda: visitor.get(f"/training/runs/{runs[0]}")["work"]["state"] in ("stopped", "done"))
    visitor.post(f"/training/runs/{runs[0]}/resume")
    for run in runs:
        eventually(lambda: visitor.get(f"/training/runs/{run}")["work"]["state"] == "done", 120)  # noqa: B023
    first, second = (visitor.get(f"/training/runs/{run}")["weights"] for run in runs)
    assert first == second


def test_a_review_marks_what_was_given_away_exactly_where_that_is_known(visitor: Visitor) -> None:
    review = visitor.post("/reviews", 201, **BLUNDER, seconds=0.05)
    with visitor.tab() as tab:
        tab.send(type="follow_work", kind="review", key=review["id"])
        tab.hear("work", lambda one: one["work"]["state"] == "done")
    done = visitor.get(f"/reviews/{review['id']}")
    marked = {one["ply"]: one for one in done["plies"] if one["mark"]}
    assert marked[1]["mark"] == "??"
    assert marked[1]["exact"]["known"] == "draw"
    assert marked[1]["words"].startswith("gave away a draw")
    assert all(abs(one["win"] + one["draw"] + one["loss"] - 1) < 0.001 for one in done["plies"])
    assert done["sides"]["o"]["marks"]["??"] >= 1
    assert done["total"] == 7


def test_the_library_takes_files_and_tells_of_each(visitor: Visitor) -> None:
    good = '[Event "one"]\n\n1. e4 e5 *\n\n[Event "two"]\n\n1. d4 d5 *\n'
    files = [
        {"name": "good.pgn", "text": good},
        {"name": "half.pgn", "text": good.replace("1. d4 d5", "1. d4 Qd5")},
        {"name": "bad.json", "text": "{"},
        {"name": "draughts", "text": '[Event "x"]\n[GameType "21"]\n\n1. 11-15 23-18 *'},
    ]
    report = visitor.post("/library/import", files=files, tags=["import"])["files"]
    assert [len(one["added"]) for one in report] == [2, 0, 0, 1]
    assert len(report[1]["already"]) == 1
    assert report[1]["broken"][0]["where"].startswith("line")
    assert "JSON" in report[2]["error"]
    page = visitor.get("/library", tag="import", limit=2)
    assert (page["total"], len(page["games"]), page["tags"]) == (3, 2, {"import": 3})
    rest = visitor.get("/library", tag="import", limit=2, before=page["before"])
    assert (len(rest["games"]), rest["before"]) == (1, None)
    number = page["games"][0]["id"]
    answer = visitor.http.put(f"/api/library/{number}/tags", json={"tags": ["mine"]})
    assert answer.json()["tags"] == ["mine"]
    assert visitor.get("/library", game="chess")["total"] == 2
    link = visitor.post(f"/library/{number}/share", 201)["token"]
    assert visitor.server.visitor().get(f"/shared/{link}")["record"]["id"] == number
    visitor.post("/library/delete", 204, ids=[number])
    assert visitor.get("/library")["total"] == 2


def test_the_library_finds_texts(visitor: Visitor) -> None:
    text = "\n".join(
        f'[Event "{number}"]\n[White "{white}"]\n[Black "{black}"]\n\n{moves} *\n'
        for number, (white, black, moves) in enumerate(
            [("Anna", "Ben", "1. e4 e5"), ("Carl", "Anna", "1. d4 d5"), ("Dan", "Eve", "1. e4 c5")]
        )
    )
    visitor.post("/library/import", files=[{"name": "a.pgn", "text": text}], tags=["spring"])

    def found(text: str, **which: Any) -> set[str]:
        page = visitor.get("/library", text=text, **which)
        assert page["total"] == len(page["games"])
        return {one["players"]["white"] for one in page["games"]}

    assert found("anna") == {"Anna", "Carl"}
    assert found("spring") == found("") == {"Anna", "Carl", "Dan"}
    assert found("e4") == found("1. e4") == found("e2e4", game="chess") == {"Anna", "Dan"}
    assert found("anna 1. e4 e5") == {"Anna"}
    assert found("e4", game="checkers") == found("e4", game="nonesuch") == found("%") == set()
    first = visitor.get("/library", text="anna", limit=1)
    rest = visitor.get("/library", text="anna", limit=1, before=first["before"])
    assert (first["total"], rest["before"]) == (2, None)
    assert visitor.server.visitor().get("/library", text="anna")["total"] == 0
    visitor.get("/library", 422, text="a" * 201)
    visitor.get("/library", 400, text="a\0b")


def test_pasted_texts_are_read(visitor: Visitor) -> None:
    for text, game, moves in [
        ("1. e4 e5 2. Nf3", "chess", ["e2e4", "e7e5", "g1f3"]),
        ("11-15 23-18", "checkers", ["11-15", "23-18"]),
        ("W:WK3:B10", "checkers", []),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "chess", []),
    ]:
        (record,) = visitor.post("/readings", text=text)["records"]
        assert (record["game"], record["moves"]) == (game, moves)
    visitor.post("/readings", 400, text="what is this")


def test_any_line_becomes_a_file_that_is_read_again(visitor: Visitor) -> None:
    text = visitor.post("/exports", game="chess", moves=["e2e4", "e7e5"], players={"white": "Ada"}, format="pgn")
    (record,) = visitor.post("/readings", text=text)["records"]
    assert (record["moves"], record["players"]["white"]) == (["e2e4", "e7e5"], "Ada")
    visitor.post("/exports", 400, game="chess", moves=["e2e4"], format="pdn")


def test_a_line_gives_every_board(visitor: Visitor) -> None:
    boards = visitor.post("/lines", game="connect4", moves=["4", "4", "3"])["boards"]
    assert [board["ply"] for board in boards] == [0, 1, 2, 3]
    assert boards[3]["last"]["text"] == "3"
