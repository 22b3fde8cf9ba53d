"""The socket of a tab: reports while searches go on, and an end to them when the tab goes away."""

from __future__ import annotations

import time

import pytest
from websockets.exceptions import InvalidStatus

from server.conftest import MakeServer
from server.serving import Visitor, eventually


def test_reports_come_ten_a_second_in_order_and_end_with_a_final_one(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        began = time.monotonic()
        tab.send(type="analyse", id="a", game="connect4", seconds=1.2, exact=False)
        heard = [tab.hear("report")]
        first = time.monotonic() - began
        while not heard[-1]["final"]:
            heard.append(tab.hear("report"))
    assert first < 5
    assert 3 <= len(heard) <= 15
    sequence = [message["sequence"] for message in heard]
    assert sequence == sorted(set(sequence))
    simulations = [message["thought"]["simulations"] for message in heard]
    assert simulations == sorted(simulations)
    last = heard[-1]["thought"]
    assert sum(move["visits"] for move in last["moves"]) > 0
    assert all(move["low"] <= move["value"] <= move["high"] for move in last["moves"])
    assert abs(sum(move["share"] for move in last["moves"]) - 1) < 0.01


def test_a_hidden_tab_hears_once_a_second(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="hidden", hidden=True)
        tab.send(type="analyse", id="a", game="connect4", seconds=2.2, exact=False)
        heard = [tab.hear("report")]
        while not heard[-1]["final"]:
            heard.append(tab.hear("report"))
    assert len(heard) <= 5


def test_exact_values_stand_beside_belief(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="tictactoe", moves=["b2", "b1"], simulations=50)
        thought = tab.hear("report", lambda message: message["thought"]["exact"] is not None)["thought"]
    assert thought["exact"]["known"] == "win"
    assert {move["move"]: move["exact"]["known"] for move in thought["moves"]}["c1"] == "win"


def test_endgame_tables_are_asked_in_checkers(visitor: Visitor) -> None:
    found = visitor.post("/exact", game="checkers", text="W:WK6,K7:BK32")
    assert found["exact"] == {"known": "win", "distance": found["exact"]["distance"], "source": "tables"}


def test_the_tree_comes_with_the_terms_of_its_formula(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="checkers", simulations=20_000, tree=40)
        tree = tab.hear("tree")["tree"]
        assert len(tree["parent"]) == len(tree["visits"]) == len(tree["bonus"]) <= 40
        assert tree["parent"][0] == -1
        assert all(parent < row for row, parent in enumerate(tree["parent"]))
        for row, parent in enumerate(tree["parent"][1:], start=1):
            assert tree["visits"][row] <= tree["visits"][parent]
            expected = tree["formula"]["c"] * (_ln(tree["visits"][parent]) / tree["visits"][row]) ** 0.5
            assert tree["bonus"][row] == pytest.approx(expected, abs=0.02)
        tab.send(type="tree", id="a", top=30, path=[tree["move"][1]])
        closer = tab.hear("tree", lambda message: len(message["tree"]["parent"]) <= 30)["tree"]
        below = closer["move"].index(tree["move"][1])
        assert closer["parent"].count(below) > 1


def _ln(number: int) -> float:
    from math import log

    return log(max(1, number))


def test_iterations_can_be_made_one_at_a_time(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        for number in range(1, 13):
            tab.send(type="step", id="s", game="tictactoe", seed=4)
            step = tab.hear("iteration")["iteration"]
            assert step["number"] == number
            assert step["tree"]["visits"][0] == number
            assert step["backup"][0]["row"] == step["new_row"]
            assert step["backup"][-1]["visits"] == number
            for look in step["selection"]:
                chosen = [one for one in look["candidates"] if one["chosen"]]
                assert not look["candidates"] or chosen[0]["score"] == max(one["score"] for one in look["candidates"])
        assert len(step["selection"]) == 2  # past the nine first moves the way leads through one of them
        tab.send(type="step", id="s", game="tictactoe", seed=4, again=True)
        assert tab.hear("iteration")["iteration"]["number"] == 1


def test_searches_end_when_the_tab_goes_away(make_server: MakeServer) -> None:
    server = make_server(searches=1, queue=1)
    visitor = server.visitor()
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="chess", seconds=50, agent="alphabeta")
        tab.hear("report")
        tab.send(type="analyse", id="b", game="chess", seconds=50)
        time.sleep(0.3)
        tab.send(type="analyse", id="c", game="chess", seconds=50)
        busy = tab.hear("busy")
        assert busy["id"] == "c"
        assert "busy" in busy["message"]
    with visitor.tab() as tab:  # the only worker and the whole queue are free again
        tab.send(type="analyse", id="d", game="connect4", simulations=100, exact=False)
        assert tab.hear("report", seconds=40)["thought"]["simulations"] > 0  # the others would have taken 100


def test_stop_ends_a_search_and_what_it_found_stays(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="chess", seconds=50)
        tab.hear("report")
        began = time.monotonic()
        tab.send(type="stop", id="a")
        last = tab.hear("report", lambda message: message["final"])
        assert time.monotonic() - began < 20
        assert last["thought"]["simulations"] > 0


def test_an_analysis_stands_aside_for_the_move_of_a_game(make_server: MakeServer) -> None:
    visitor = make_server(searches=1).visitor()
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="connect4", seconds=30, exact=False)
        tab.hear("report")
        game = visitor.game("checkers", player="mcts(seconds=0.3)")
        began = time.monotonic()
        assert visitor.move(game)["position"]["ply"] == 2
        assert time.monotonic() - began < 20
        before = tab.hear("report")["thought"]["simulations"]
        after = tab.hear("report", lambda one: not one["waiting"] and one["thought"]["simulations"] > before)
        assert not after["final"]  # and then it goes on from its tree


def test_a_followed_game_is_told_at_once_and_after_every_move(visitor: Visitor) -> None:
    game = visitor.game("connect4", player="mcts(simulations=300000)")
    with visitor.tab() as tab:
        tab.send(type="follow", game_id=game["id"])
        assert tab.hear("game")["game"]["version"] == 1
        visitor.move(game, "4", wait=0)
        assert tab.hear("game", lambda one: one["game"]["position"]["ply"] == 1)["game"]["thinking"]
        assert tab.hear("report", lambda one: one["id"] == game["id"])["thought"]["ply"] == 1
        assert tab.hear("game", lambda one: one["game"]["position"]["ply"] == 2)["game"]["moves"][1]["value_first"]
    with visitor.tab() as tab:  # after a lost connection everything is told again
        tab.send(type="follow", game_id=game["id"])
        assert tab.hear("game")["game"]["position"]["ply"] == 2
        assert tab.hear("report")["final"]
        visitor.delete(f"/games/{game['id']}")
        assert tab.hear("gone")["game_id"] == game["id"]


def test_agents_play_each_other_while_somebody_looks_on(visitor: Visitor) -> None:
    game = visitor.game("connect4", people=0, player="Easy", second="Medium", seconds=0.02, paused=True)
    assert game["you"] is None
    with visitor.tab() as tab:
        tab.send(type="follow", game_id=game["id"])
        tab.hear("game")
        assert not visitor.post(f"/games/{game['id']}/pace", one=True)["position"]["outcome"]
        tab.hear("game", lambda one: one["game"]["position"]["ply"] == 1)
        time.sleep(0.3)
        assert visitor.get(f"/games/{game['id']}")["position"]["ply"] == 1
        visitor.post(f"/games/{game['id']}/pace", paused=False)
        tab.hear("game", lambda one: one["game"]["position"]["ply"] >= 4)
        taken = visitor.post(f"/games/{game['id']}/seats", side="red", player=None)
        assert taken["you"] == "red"
        state = eventually(lambda: not (one := visitor.get(f"/games/{game['id']}"))["thinking"] and one)
        assert state["position"]["outcome"] or visitor.move(state)["position"]["ply"] == state["position"]["ply"] + 2


def test_nobody_looking_on_makes_a_watched_game_wait(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", people=0, player="Easy", second="Easy", seconds=0)
    time.sleep(0.3)
    assert visitor.get(f"/games/{game['id']}")["position"]["ply"] == 0


def test_what_makes_no_sense_is_answered_and_the_socket_stays(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        for text in ("", "{", "[]", '{"type": "analyse"}', '{"type": "stop", "id": "x", "more": 1}', "\x00"):
            tab.socket.send(text)
            assert tab.hear()["type"] == "error"
        for wish in (
            {"agent": "mcts(threads=100000)"},
            {"agent": "tables(folder=/etc)"},
            {"moves": ["zz"]},
            {"text": "x"},
        ):
            tab.send(type="analyse", id="a", game="chess", **wish)
            assert tab.hear()["id"] == "a"
        tab.send(type="analyse", id="over", game="connect4", text="1212121")
        assert "over" in tab.hear()["message"]
        tab.send(type="analyse", id="good", game="tictactoe", simulations=10, exact=False)
        assert tab.hear("report")["id"] == "good"


def test_a_page_of_another_site_gets_no_socket(visitor: Visitor) -> None:
    with pytest.raises(InvalidStatus), visitor.tab(origin="http://evil.example"):
        pass
    with visitor.tab(origin=visitor.server.address) as tab:
        tab.send(type="hidden", hidden=False)
