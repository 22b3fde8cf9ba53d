"""The WebSocket of a tab: analyses, search trees, subscriptions."""

from __future__ import annotations

from math import log

import pytest
from websockets.exceptions import InvalidStatus

from server.conftest import MakeServer
from server.serving import FOREVER_S, Visitor, eventually


def test_reports_are_in_order_and_end_with_a_final_one(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="connect4", simulations=20_000, exact=False)
        reports = [tab.receive("report")]
        while not reports[-1]["final"]:
            reports.append(tab.receive("report"))
    sequence = [report["sequence"] for report in reports]
    assert sequence == sorted(set(sequence))
    simulations = [report["analysis"]["simulations"] for report in reports]
    assert simulations == sorted(simulations)
    last = reports[-1]["analysis"]
    assert last["simulations"] == 20_000
    assert sum(move["visits"] for move in last["moves"]) > 0
    assert all(move["low"] <= move["value"] <= move["high"] for move in last["moves"])
    assert abs(sum(move["share"] for move in last["moves"]) - 1) < 0.01


def test_a_hidden_tab_receives_the_final_report(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="hidden", hidden=True)
        tab.send(type="analyse", id="a", game="connect4", simulations=1000, exact=False)
        assert tab.receive("report", lambda one: one["final"])["analysis"]["simulations"] == 1000


def test_an_analysis_includes_exact_values_from_the_solver(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="tictactoe", moves=["b2", "b1"], simulations=50)
        analysis = tab.receive("report", lambda message: message["analysis"]["exact"] is not None)["analysis"]
    assert analysis["exact"]["result"] == "win"
    assert {move["move"]: move["exact"]["result"] for move in analysis["moves"]}["c1"] == "win"


def test_endgame_tables_give_exact_values_in_checkers(visitor: Visitor) -> None:
    found = visitor.post("/exact", game="checkers", text="W:WK6,K7:BK32")
    assert found["exact"] == {"result": "win", "distance": found["exact"]["distance"], "source": "tables"}


def test_sends_the_tree_with_the_terms_of_the_selection_formula(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="checkers", simulations=20_000)
        tab.receive("report", lambda message: message["final"])
        tab.send(type="tree", id="a", top=40)
        tree = tab.receive("tree")["tree"]
        assert len(tree["parent"]) == len(tree["visits"]) == len(tree["exploration"]) == 40
        assert tree["parent"][0] == -1
        assert all(parent < row for row, parent in enumerate(tree["parent"]))
        for row, parent in enumerate(tree["parent"][1:], start=1):
            assert tree["visits"][row] <= tree["visits"][parent]
            expected = tree["formula"]["c"] * (log(max(1, tree["visits"][parent])) / tree["visits"][row]) ** 0.5
            assert tree["exploration"][row] == pytest.approx(expected, abs=0.02)
        tab.send(type="tree", id="a", top=30, path=[tree["move"][1]])
        detail = tab.receive("tree", lambda message: len(message["tree"]["parent"]) <= 30)["tree"]
        row = detail["move"].index(tree["move"][1])
        assert detail["parent"].count(row) > 1


def test_sends_the_tree_with_the_reports_if_requested(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="checkers", simulations=5000, tree=40)
        assert 1 <= len(tab.receive("tree")["tree"]["parent"]) <= 40


def test_runs_single_iterations(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        for number in range(1, 13):
            tab.send(type="step", id="s", game="tictactoe", seed=4)
            iteration = tab.receive("iteration")["iteration"]
            assert iteration["number"] == number
            assert iteration["tree"]["visits"][0] == number
            assert iteration["backup"][0]["row"] == iteration["new_row"]
            assert iteration["backup"][-1]["visits"] == number
            for step in iteration["selection"]:
                chosen = [one for one in step["candidates"] if one["chosen"]]
                assert not step["candidates"] or chosen[0]["score"] == max(one["score"] for one in step["candidates"])
        assert len(iteration["selection"]) == 2  # all nine moves are expanded, so the path goes through one of them
        tab.send(type="step", id="s", game="tictactoe", seed=4, restart=True)
        assert tab.receive("iteration")["iteration"]["number"] == 1


def test_closing_the_tab_ends_its_searches(make_server: MakeServer) -> None:
    visitor = make_server(searches=1, queue=1, search_seconds=FOREVER_S).visitor()
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="chess", seconds=FOREVER_S, agent="alphabeta")
        tab.receive("report")
        tab.send(type="analyse", id="b", game="chess", seconds=FOREVER_S)
        tab.send(type="analyse", id="c", game="chess", seconds=FOREVER_S)
        busy = tab.receive("busy")
        assert busy["id"] == "c"
        assert "busy" in busy["error"]["message"]
    with visitor.tab() as tab:

        def is_analysed() -> bool:
            tab.send(type="analyse", id="d", game="connect4", simulations=100, exact=False)
            return bool(tab.receive(until=lambda one: one["type"] in ("report", "busy"))["type"] == "report")

        eventually(is_analysed)


def test_stop_ends_a_search_with_its_result_so_far(make_server: MakeServer) -> None:
    visitor = make_server(search_seconds=FOREVER_S).visitor()
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="chess", seconds=FOREVER_S)
        tab.receive("report")
        tab.send(type="stop", id="a")
        assert tab.receive("report", lambda message: message["final"])["analysis"]["simulations"] > 0


def test_a_game_move_preempts_an_analysis(make_server: MakeServer) -> None:
    visitor = make_server(searches=1, search_seconds=FOREVER_S).visitor()
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="connect4", seconds=FOREVER_S, exact=False)
        tab.receive("report")
        game = visitor.game("checkers", player="mcts(simulations=1000)")
        assert visitor.move(game)["position"]["ply"] == 2  # only possible if the analysis yields the search thread
        before = tab.receive("report")["analysis"]["simulations"]
        after = tab.receive("report", lambda one: not one["preempted"] and one["analysis"]["simulations"] > before)
        assert not after["final"]


def test_a_subscription_sends_the_game_and_every_change(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=FOREVER_S).visitor()
    game = visitor.game("connect4", player=f"mcts(seconds={FOREVER_S})")
    with visitor.tab() as tab:
        tab.send(type="subscribe", game_id=game["id"])
        assert tab.receive("game")["game"]["version"] == 1
        visitor.move(game, "4", wait=0)
        assert tab.receive("game", lambda one: one["game"]["position"]["ply"] == 1)["game"]["thinking"]
        assert tab.receive("report", lambda one: one["id"] == game["id"])["analysis"]["ply"] == 1
        visitor.post(f"/games/{game['id']}/move_now")
        moved = tab.receive("game", lambda one: one["game"]["position"]["ply"] == 2)
        assert moved["game"]["moves"][1]["value_first"] is not None
    with visitor.tab() as tab:  # after reconnecting, the tab receives everything again
        tab.send(type="subscribe", game_id=game["id"])
        assert tab.receive("game")["game"]["position"]["ply"] == 2
        assert tab.receive("report")["final"]
        visitor.delete(f"/games/{game['id']}")
        assert tab.receive("game_deleted")["game_id"] == game["id"]


def test_plays_a_game_between_agents_for_a_subscriber(visitor: Visitor) -> None:
    game = visitor.game("connect4", humans=0, player="Easy", second="Medium", move_delay=0.02, paused=True)
    assert game["your_side"] is None
    with visitor.tab() as tab:
        tab.send(type="subscribe", game_id=game["id"])
        tab.receive("game")
        assert not visitor.post(f"/games/{game['id']}/playback", step=True)["position"]["outcome"]
        stepped = tab.receive("game", lambda one: one["game"]["position"]["ply"] == 1)["game"]
        assert (stepped["playback"]["paused"], stepped["thinking"]) == (True, False)
        visitor.post(f"/games/{game['id']}/playback", paused=False)
        tab.receive("game", lambda one: one["game"]["position"]["ply"] >= 4)
        taken = visitor.post(f"/games/{game['id']}/seats", side="red", player=None)
        assert taken["your_side"] == "red"
        state = eventually(lambda: not (one := visitor.get(f"/games/{game['id']}"))["thinking"] and one)
        assert state["position"]["outcome"] or visitor.move(state)["position"]["ply"] == state["position"]["ply"] + 2


def test_a_game_between_agents_waits_for_a_subscriber(make_server: MakeServer) -> None:
    visitor = make_server(searches=1).visitor()
    watched = visitor.game("tictactoe", humans=0, player="Easy", second="Easy", move_delay=0)
    other = visitor.game("tictactoe")
    # The only search thread runs the hint after all queued moves, which have higher priority.
    visitor.post(f"/games/{other['id']}/hint", step=1)
    assert visitor.get(f"/games/{watched['id']}")["position"]["ply"] == 0


def test_invalid_messages_get_an_error_and_keep_the_socket_open(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        for text in ("", "{", "[]", '{"type": "analyse"}', '{"type": "stop", "id": "x", "more": 1}', "\x00"):
            tab.socket.send(text)
            assert tab.receive()["type"] == "error"
        for request in (
            {"agent": "mcts(threads=100000)"},
            {"agent": "tables(folder=/etc)"},
            {"moves": ["zz"]},
            {"text": "x"},
        ):
            tab.send(type="analyse", id="a", game="chess", **request)
            message = tab.receive()
            assert (message["type"], message["id"]) == ("error", "a")
        tab.send(type="analyse", id="over", game="connect4", text="1212121")
        assert "over" in tab.receive()["error"]["message"]
        tab.send(type="tree", id="unknown", top=10)
        assert tab.receive()["error"]["message"] == "no analysis or subscribed game has the ID 'unknown'"
        tab.send(type="analyse", id="good", game="tictactoe", simulations=10, exact=False)
        assert tab.receive("report")["id"] == "good"


def test_rejects_a_socket_from_another_origin(visitor: Visitor) -> None:
    with pytest.raises(InvalidStatus), visitor.tab(origin="http://evil.example"):
        pass
    with visitor.tab(origin=visitor.server.address) as tab:
        tab.send(type="hidden", hidden=False)
