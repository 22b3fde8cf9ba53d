"""Games of a visitor over the API."""

from __future__ import annotations

import time

import pytest

from server.serving import Visitor, eventually


@pytest.mark.parametrize("game", ["checkers", "connect4", "tictactoe", "chess"])
def test_a_game_of_each_kind_is_played_and_kept(visitor: Visitor, game: str) -> None:
    state = visitor.game(game, player="Easy")
    assert (state["you"], state["position"]["ply"], state["version"]) == (state["position"]["turn"], 0, 1)
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
    kept = visitor.get(f"/library/{state['record']}")
    assert kept["moves"] == [move["text"] for move in state["moves"]]
    assert kept["yours"]


def test_the_same_move_at_the_same_ply_again_changes_nothing(visitor: Visitor) -> None:
    game = visitor.game()
    first = visitor.move(game, "11-15")
    again = visitor.move(game, "11-15")
    assert again["version"] == first["version"]
    assert again["moves"] == first["moves"]
    visitor.post(f"/games/{game['id']}/moves", 409, move="9-13", ply=0)


def test_an_illegal_move_is_refused_and_changes_nothing(visitor: Visitor) -> None:
    game = visitor.game()
    error = visitor.post(f"/games/{game['id']}/moves", 409, move="11-22", ply=0)["error"]
    assert error["kind"] == "IllegalMoveError"
    assert visitor.post(f"/games/{game['id']}/moves", 400, move="what", ply=0)["error"]["kind"] == "ParseError"
    assert visitor.get(f"/games/{game['id']}")["version"] == 1


def test_forced_captures_are_said_in_words(visitor: Visitor) -> None:
    position = visitor.post("/positions", game="checkers", text="W:W22,32:B18,17,1")
    assert position["forced"] == "White must capture: 22x13 or 22x15"
    assert {tuple(move["captures"]) for move in position["moves"]} == {("17",), ("18",)}
    assert position["can_pick"] == ["22"]


def test_promotions_of_one_path_are_told_apart(visitor: Visitor) -> None:
    position = visitor.post("/positions", game="chess", text="8/P6k/8/8/8/8/7K/8 w - - 0 1")
    choices = {move["choice"] for move in position["moves"] if move["path"] == ["a7", "a8"]}
    assert choices == {"queen", "rook", "bishop", "knight"}


def test_taking_back_leads_to_the_own_turn_and_can_be_undone(visitor: Visitor) -> None:
    game = visitor.move(visitor.move(visitor.game()))
    back = visitor.post(f"/games/{game['id']}/undo", ply=4)
    assert back["position"]["ply"] == 2
    assert back["redo"] == [move["text"] for move in game["moves"][2:]]
    visitor.post(f"/games/{game['id']}/undo", 409, ply=4)
    forth = visitor.post(f"/games/{game['id']}/redo", ply=2)
    assert [move["text"] for move in forth["moves"]] == [move["text"] for move in game["moves"]]


def test_a_resignation_can_be_taken_back(visitor: Visitor) -> None:
    game = visitor.move(visitor.game())
    assert visitor.post(f"/games/{game['id']}/resign")["position"]["outcome"]["winner"] == "white"
    back = visitor.post(f"/games/{game['id']}/undo")
    assert (back["position"]["outcome"], back["position"]["ply"]) == (None, 2)
    assert visitor.get(f"/library/{back['record']}")["outcome"] is None


def test_the_level_changes_in_mid_game(visitor: Visitor) -> None:
    game = visitor.move(visitor.game(player="Easy"))
    changed = visitor.post(f"/games/{game['id']}/seats", player="random")
    assert changed["seats"]["white"]["name"] == "random"
    assert visitor.move(changed)["position"]["ply"] == 4
    visitor.post(f"/games/{game['id']}/seats", 404, player="nobody")


def test_who_begins_second_is_answered_at_once(visitor: Visitor) -> None:
    game = visitor.game("connect4", side="yellow")
    eventually(lambda: visitor.get(f"/games/{game['id']}")["position"]["ply"] == 1)


def test_two_people_share_a_board(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", people=2)
    assert game["you"] == "both"
    for move in ("b2", "a1", "c1"):
        game = visitor.move(game, move)
    back = visitor.post(f"/games/{game['id']}/undo")
    assert back["position"]["ply"] == 2
    drawn = visitor.post(f"/games/{game['id']}/draw")
    assert drawn["accepted"]
    assert drawn["game"]["position"]["outcome"]["reason"] == "agreement"


def test_each_rung_of_the_ladder_says_no_more_than_it_should(visitor: Visitor) -> None:
    game = visitor.game("checkers", position="W:WK6,K7:BK32", side="white")
    which, arrow, line, numbers = (visitor.post(f"/games/{game['id']}/hint", rung=rung) for rung in (1, 2, 3, 4))
    assert (which["move"], which["path"], which["line"], which["moves"]) == (None, [], [], [])
    assert which["square"] == arrow["path"][0]
    assert (arrow["line"], arrow["moves"]) == ([], [])
    assert line["line"][0] == arrow["move"]
    assert line["moves"] == []
    assert {move["exact"]["known"] for move in numbers["moves"]} <= {"win", "draw", "loss"}
    assert next(move for move in numbers["moves"] if move["move"] == arrow["move"])["exact"]["known"] == "win"


def test_the_coach_speaks_after_a_blunder_and_only_then(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", coach=True, player="random", moves=["b2", "b1"], seed=3)
    good = visitor.move(game, "a3")  # wins by force
    time.sleep(1)
    assert visitor.get(f"/games/{game['id']}")["coach"] is None
    assert good["coaching"]
    warned = visitor.game("tictactoe", coach=True, side="o", player="Medium", position="x../.o./..x", seed=1)
    if warned["position"]["turn"] == "o":
        visitor.move(warned, "a1")  # a corner loses here; the agent's answer does not take the word away
        assert eventually(lambda: visitor.get(f"/games/{warned['id']}")["coach"])["ply"] == 0
    other = visitor.game("tictactoe", coach=True, people=2, moves=["b2"])
    visitor.move(other, "b1")  # loses by force
    told = eventually(lambda: visitor.get(f"/games/{other['id']}")["coach"])
    assert told == {"ply": 1, "text": "That loses something. Take it back?"}
    assert visitor.post(f"/games/{other['id']}/undo")["coach"] is None


def test_an_agent_that_stands_better_takes_no_draw(visitor: Visitor) -> None:
    game = visitor.game("checkers", position="W:WK6,K7:BK32", side="black", player="Easy")
    eventually(lambda: not visitor.get(f"/games/{game['id']}")["thinking"])
    assert not visitor.post(f"/games/{game['id']}/draw")["accepted"]


def test_a_clock_that_runs_out_loses_the_game(visitor: Visitor) -> None:
    game = visitor.game("tictactoe", people=2, clock={"seconds": 0.3})
    assert game["clock"]["running"] is None
    game = visitor.move(game, "b2")
    assert game["clock"]["running"] == "o"
    ended = eventually(lambda: (found := visitor.get(f"/games/{game['id']}"))["position"]["outcome"] and found)
    assert ended["position"]["outcome"] == {"winner": "x", "reason": "time", "text": "x wins: time"}
    assert ended["clock"]["left"]["o"] == 0


def test_a_move_is_answered_now_when_asked(visitor: Visitor) -> None:
    game = visitor.game("connect4", player="mcts(seconds=15)")
    visitor.move(game, "4", wait=0)
    began = time.monotonic()
    time.sleep(0.2)
    visitor.post(f"/games/{game['id']}/now")
    eventually(lambda: visitor.get(f"/games/{game['id']}")["position"]["ply"] == 2)
    assert time.monotonic() - began < 12


def test_taking_back_while_an_agent_thinks_ends_its_search(visitor: Visitor) -> None:
    game = visitor.game("connect4", player="mcts(seconds=15)")
    visitor.move(game, "4", wait=0)
    back = visitor.post(f"/games/{game['id']}/undo")
    assert (back["position"]["ply"], back["thinking"]) == (0, False)
    changed = visitor.post(f"/games/{game['id']}/seats", player="Easy")
    assert visitor.move(changed, "4")["position"]["ply"] == 2


def test_the_same_seed_gives_the_same_answers(visitor: Visitor) -> None:
    games = [visitor.game("checkers", seed=7, player="Medium") for _ in range(2)]
    for _ in range(3):
        games = [visitor.move(game) for game in games]
    assert games[0]["moves"][-1]["text"] == games[1]["moves"][-1]["text"]
    assert [move["text"] for move in games[0]["moves"]] == [move["text"] for move in games[1]["moves"]]


def test_a_rematch_swaps_the_sides(visitor: Visitor) -> None:
    game = visitor.game("connect4", player="Hard")
    again = visitor.post(f"/games/{game['id']}/rematch", 201)
    assert again["you"] == "yellow"
    assert again["seats"]["red"]["name"] == "Hard"


def test_a_position_can_be_set_up_from_cells_and_played(visitor: Visitor) -> None:
    position = visitor.post("/positions", game="checkers", cells={"1": "b", "32": "W"}, turn="white")
    assert position["text"].startswith("W:WK32:B1")
    game = visitor.game("checkers", position=position["text"], side="white")
    assert game["position"]["cells"] == {"1": "b", "32": "W"}
    chess = {"e1": "K", "h1": "R", "e8": "k"}
    assert visitor.post("/positions", game="chess", cells=chess, turn="white")["text"].split()[:3] == [
        "4k3/8/8/8/8/8/8/4K2R",
        "w",
        "K",
    ]
    visitor.post("/positions", 400, game="tictactoe", cells={"a1": "x", "a2": "x"}, turn="o")


def test_current_is_the_latest_game_of_a_person(visitor: Visitor) -> None:
    assert visitor.get("/games/current", game="chess") is None
    first, second = visitor.game("chess"), visitor.game("chess")
    visitor.game("chess", people=0, paused=True)
    assert visitor.get("/games/current", game="chess")["id"] == second["id"]
    visitor.move(first)
    assert visitor.get("/games/current", game="chess")["id"] == first["id"]
    assert len(visitor.get("/games", game="chess")) == 3


def test_a_picture_and_files_of_a_game(visitor: Visitor) -> None:
    game = visitor.move(visitor.game("checkers"), "11-15")
    picture = visitor.http.get(f"/api/games/{game['id']}/picture.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.count("<circle") == 24
    assert "11-15" in visitor.http.get(f"/api/games/{game['id']}/export?format=pdn").text
    assert visitor.http.get(f"/api/games/{game['id']}/export?format=pgn").status_code == 400


def test_the_six_short_endpoints_play_the_current_checkers_game(visitor: Visitor) -> None:
    state = visitor.get("/state")
    assert (len(state["board"]), state["turn"], state["you"]) == (24, "black", "black")
    assert visitor.get("/legal_moves") == state["moves"]
    played = visitor.post("/make_move", move="11-15")
    assert played["played"] == "11-15"
    assert played["history"] == ["11-15", played["answer"]]
    assert visitor.get("/state")["history"] == played["history"]
    assert visitor.post("/new_game")["history"] == []
    assert visitor.http.post("/api/new_game").status_code == 200  # also without a body
    trained = visitor.post("/train", games=20)
    assert trained["games"] == 20
    assert set(trained["weights"]) >= {"piece_count", "king_count"}
    assert "leaderboard" in visitor.get("/arena/results")
