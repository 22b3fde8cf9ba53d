"""Playing games over the HTTP API."""

from __future__ import annotations

import pytest

from server.conftest import MakeServer
from server.serving import FOREVER_S, Visitor, eventually


@pytest.mark.parametrize("game", ["checkers", "connect4", "tictactoe", "chess"])
def test_plays_and_stores_each_game(visitor: Visitor, game: str) -> None:
    state = visitor.game(game, player="Easy")
    assert (state["your_side"], state["position"]["ply"], state["version"]) == (state["position"]["turn"], 0, 1)
    for _ in range(12):
        if state["position"]["outcome"]:
            break
        before = state["position"]["ply"]
        state = visitor.move(state)
        assert state["position"]["ply"] == before + 2 or state["position"]["outcome"]
        assert not state["thinking"]
    if not state["position"]["outcome"]:
        state = visitor.post(f"/games/{state['id']}/resign")
        assert state["position"]["outcome"]["reason"] == "resignation"
    assert state["position"]["moves"] == []
    record = visitor.get(f"/library/{state['record_id']}")
    assert record["moves"] == [move["text"] for move in state["moves"]]
    assert record["is_owner"]


def test_repeating_a_move_at_the_same_ply_has_no_effect(visitor: Visitor) -> None:
    game = visitor.game()
    first = visitor.move(game, "11-15")
    again = visitor.move(game, "11-15")
    assert again["version"] == first["version"]
    assert again["moves"] == first["moves"]
    visitor.post(f"/games/{game['id']}/moves", 409, move="9-13", ply=0)


def test_rejects_an_illegal_move(visitor: Visitor) -> None:
    game = visitor.game()
    error = visitor.post(f"/games/{game['id']}/moves", 409, move="11-22", ply=0)["error"]
    assert error["kind"] == "IllegalMoveError"
    assert visitor.post(f"/games/{game['id']}/moves", 400, move="what", ply=0)["error"]["kind"] == "ParseError"
    assert visitor.get(f"/games/{game['id']}")["version"] == 1


def test_explains_forced_captures(visitor: Visitor) -> None:
    position = visitor.post("/positions", game="checkers", text="W:W22,32:B18,17,1")
    assert position["forced_reason"] == "White must capture: 22x13 or 22x15"
    assert {tuple(move["captures"]) for move in position["moves"]} == {("17",), ("18",)}
    assert position["movable"] == ["22"]


def test_distinguishes_promotions_with_the_same_path(visitor: Visitor) -> None:
    position = visitor.post("/positions", game="chess", text="8/P6k/8/8/8/8/7K/8 w - - 0 1")
    choices = {move["choice"] for move in position["moves"] if move["path"] == ["a7", "a8"]}
    assert choices == {"queen", "rook", "bishop", "knight"}


def test_undo_returns_to_the_humans_turn_and_can_be_redone(visitor: Visitor) -> None:
    game = visitor.move(visitor.move(visitor.game()))
    undone = visitor.post(f"/games/{game['id']}/undo", ply=4)
    assert undone["position"]["ply"] == 2
    assert undone["redo"] == [move["text"] for move in game["moves"][2:]]
    visitor.post(f"/games/{game['id']}/undo", 409, ply=4)
    redone = visitor.post(f"/games/{game['id']}/redo", ply=2)
    assert [move["text"] for move in redone["moves"]] == [move["text"] for move in game["moves"]]


def test_a_resignation_can_be_undone(visitor: Visitor) -> None:
    game = visitor.move(visitor.game())
    assert visitor.post(f"/games/{game['id']}/resign")["position"]["outcome"]["winner"] == "white"
    undone = visitor.post(f"/games/{game['id']}/undo")
    assert (undone["position"]["outcome"], undone["position"]["ply"]) == (None, 2)
    assert visitor.get(f"/library/{undone['record_id']}")["outcome"] is None


def test_changes_the_level_during_a_game(visitor: Visitor) -> None:
    game = visitor.move(visitor.game(player="Easy"))
    changed = visitor.post(f"/games/{game['id']}/seats", player="random")
    assert changed["seats"]["white"]["name"] == "random"
    assert visitor.move(changed)["position"]["ply"] == 4
    visitor.post(f"/games/{game['id']}/seats", 404, player="nobody")


def test_the_agent_moves_first_if_the_human_plays_second(visitor: Visitor) -> None:
    game = visitor.game("connect4", side="yellow")
    eventually(lambda: visitor.get(f"/games/{game['id']}")["position"]["ply"] == 1)


def test_two_humans_share_a_board(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", humans=2)
    assert game["your_side"] == "both"
    for move in ("b2", "a1", "c1"):
        game = visitor.move(game, move)
    undone = visitor.post(f"/games/{game['id']}/undo")
    assert undone["position"]["ply"] == 2
    drawn = visitor.post(f"/games/{game['id']}/draw")
    assert drawn["accepted"]
    assert drawn["game"]["position"]["outcome"]["reason"] == "agreement"


def test_each_hint_step_reveals_only_its_part(visitor: Visitor) -> None:
    game = visitor.game("checkers", position="W:WK6,K7:BK32", side="white")
    piece, move, pv, analysis = (visitor.post(f"/games/{game['id']}/hint", step=step) for step in (1, 2, 3, 4))
    assert (piece["move"], piece["path"], piece["pv"], piece["moves"]) == (None, [], [], [])
    assert piece["square"] == move["path"][0]
    assert (move["pv"], move["moves"]) == ([], [])
    assert pv["pv"][0] == move["move"]
    assert pv["moves"] == []
    assert {one["exact"]["result"] for one in analysis["moves"]} <= {"win", "draw", "loss"}
    assert next(one for one in analysis["moves"] if one["move"] == move["move"])["exact"]["result"] == "win"


def test_the_coach_is_silent_after_a_good_move(make_server: MakeServer) -> None:
    visitor = make_server(searches=1).visitor()
    game = visitor.game("tictactoe", coach_enabled=True, player="random", moves=["b2", "b1"], seed=3)
    assert visitor.move(game, "a3")["coach_enabled"]  # wins by force
    # The only search thread runs the hint after the coach's check, which was queued earlier with the same priority.
    visitor.post(f"/games/{game['id']}/hint", step=1)
    assert visitor.get(f"/games/{game['id']}")["coach_message"] is None


def test_the_coach_message_stays_after_the_agents_reply(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", coach_enabled=True, side="o", player="Medium", position="x../.o./..x", seed=1)
    assert game["position"]["turn"] == "o"
    visitor.move(game, "a1")  # loses by force, as does every corner
    found = eventually(lambda: (one := visitor.get(f"/games/{game['id']}"))["coach_message"] and one)
    assert found["coach_message"]["ply"] == 0
    assert found["position"]["ply"] == 2


def test_the_coach_warns_after_a_mistake_until_it_is_undone(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", coach_enabled=True, humans=2, moves=["b2"])
    visitor.move(game, "b1")  # loses by force
    message = eventually(lambda: visitor.get(f"/games/{game['id']}")["coach_message"])
    assert message == {"ply": 1, "text": "That move was a mistake. Undo it?"}
    assert visitor.post(f"/games/{game['id']}/undo")["coach_message"] is None


def test_an_agent_in_a_better_position_declines_a_draw(visitor: Visitor) -> None:
    game = visitor.game("checkers", position="W:WK6,K7:BK32", side="black", player="Easy")
    eventually(lambda: not visitor.get(f"/games/{game['id']}")["thinking"])
    assert not visitor.post(f"/games/{game['id']}/draw")["accepted"]


def test_the_clock_starts_after_the_first_move(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", humans=2, clock={"seconds": 10_000})
    assert game["clock"]["running"] is None
    assert visitor.move(game, "b2")["clock"]["running"] == "o"


def test_loses_on_time(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", humans=2, clock={"seconds": 0.3})
    visitor.move(game, "b2")
    ended = eventually(lambda: (one := visitor.get(f"/games/{game['id']}"))["position"]["outcome"] and one)
    assert ended["position"]["outcome"] == {"winner": "x", "reason": "time", "text": "x wins: time"}
    assert ended["clock"]["remaining"]["o"] == 0


def test_move_now_ends_the_agents_search(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=FOREVER_S).visitor()
    game = visitor.game("connect4", player=f"mcts(seconds={FOREVER_S})")
    assert visitor.move(game, "4", wait=0)["thinking"]
    visitor.post(f"/games/{game['id']}/move_now")
    eventually(lambda: visitor.get(f"/games/{game['id']}")["position"]["ply"] == 2)


def test_undo_cancels_the_agents_search(make_server: MakeServer) -> None:
    visitor = make_server(move_seconds=FOREVER_S, searches=1).visitor()
    game = visitor.game("connect4", player=f"mcts(seconds={FOREVER_S})")
    visitor.move(game, "4", wait=0)
    undone = visitor.post(f"/games/{game['id']}/undo")
    assert (undone["position"]["ply"], undone["thinking"]) == (0, False)
    changed = visitor.post(f"/games/{game['id']}/seats", player="Easy")
    assert visitor.move(changed, "4")["position"]["ply"] == 2


def test_the_same_seed_gives_the_same_moves(visitor: Visitor) -> None:
    games = [visitor.game("checkers", seed=7, player="Medium") for _ in range(2)]
    for _ in range(3):
        games = [visitor.move(game) for game in games]
    first, second = ([move["text"] for move in game["moves"]] for game in games)
    assert len(first) == 6
    assert first == second


def test_a_rematch_swaps_the_sides(visitor: Visitor) -> None:
    game = visitor.game("connect4", player="Hard")
    again = visitor.post(f"/games/{game['id']}/rematch", 201)
    assert again["your_side"] == "yellow"
    assert again["seats"]["red"]["name"] == "Hard"


def test_sets_up_a_position_from_cells(visitor: Visitor) -> None:
    position = visitor.post("/positions", game="checkers", cells={"1": "b", "32": "W"}, turn="white")
    assert position["text"].startswith("W:WK32:B1")
    game = visitor.game("checkers", position=position["text"], side="white")
    assert game["position"]["cells"] == {"1": "b", "32": "W"}
    chess = {"e1": "K", "h1": "R", "e8": "k"}
    position = visitor.post("/positions", game="chess", cells=chess, turn="white")
    assert position["text"].split()[:3] == ["4k3/8/8/8/8/8/8/4K2R", "w", "K"]


def test_explains_why_a_position_cannot_be_set_up(visitor: Visitor) -> None:
    def message(**request: object) -> str:
        text: str = visitor.post("/positions", 400, **request)["error"]["message"]
        return text

    assert message(game="tictactoe", cells={"a1": "x", "a2": "x"}, turn="o").startswith("it cannot be o's turn with 2")
    assert message(game="chess", cells={"z9": "K"}, turn="white") == "cells: unknown square 'z9' for chess"
    assert message(game="chess", cells={"a1": "X"}, turn="white").startswith(
        "cells: unknown piece 'X' on a1; available"
    )
    assert message(game="chess", cells={}, text="x") == "text and cells are mutually exclusive"


def test_the_current_game_is_the_most_recently_changed_one_with_a_human(visitor: Visitor) -> None:
    assert visitor.get("/games/current", game="chess") is None
    first, second = visitor.game("chess"), visitor.game("chess")
    visitor.game("chess", humans=0, paused=True)
    assert visitor.get("/games/current", game="chess")["id"] == second["id"]
    visitor.move(first)
    assert visitor.get("/games/current", game="chess")["id"] == first["id"]
    assert len(visitor.get("/games", game="chess")) == 3


def test_exports_a_game_as_an_image_and_a_file(visitor: Visitor) -> None:
    game = visitor.move(visitor.game("checkers"), "11-15")
    picture = visitor.http.get(f"/api/games/{game['id']}/picture.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.count("<circle") == 24
    assert "11-15" in visitor.http.get(f"/api/games/{game['id']}/export?format=pdn").text
    assert visitor.http.get(f"/api/games/{game['id']}/export?format=pgn").status_code == 400


def test_the_short_endpoints_play_the_current_checkers_game(visitor: Visitor) -> None:
    state = visitor.get("/state")
    assert (len(state["board"]), state["turn"], state["you"]) == (24, "black", "black")
    assert visitor.get("/legal_moves") == state["moves"]
    played = visitor.post("/make_move", move="11-15")
    assert played["played"] == "11-15"
    assert played["history"] == ["11-15", played["answer"]]
    assert visitor.get("/state")["history"] == played["history"]
    assert visitor.post("/new_game")["history"] == []
    assert visitor.http.post("/api/new_game").status_code == 200  # the body is optional
    trained = visitor.post("/train", games=20)
    assert trained["games"] == 20
    assert set(trained["weights"]) >= {"piece_count", "king_count"}
    assert "leaderboard" in visitor.get("/arena/results")
