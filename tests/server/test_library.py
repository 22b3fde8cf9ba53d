"""The library: importing, finding, tagging and exporting games."""

from __future__ import annotations

from typing import Any

from server.serving import Visitor, eventually


def test_an_import_reports_the_result_of_each_file(visitor: Visitor) -> None:
    good = '[Event "one"]\n\n1. e4 e5 *\n\n[Event "two"]\n\n1. d4 d5 *\n'
    files = [
        {"name": "good.pgn", "text": good},
        {"name": "half.pgn", "text": good.replace("1. d4 d5", "1. d4 Qd5")},
        {"name": "bad.json", "text": "{"},
        {"name": "draughts", "text": '[Event "x"]\n[GameType "21"]\n\n1. 11-15 23-18 *'},
        {"name": "notes.txt", "text": "no games"},
    ]
    report = visitor.post("/library/import", files=files, tags=["import"])["files"]
    assert [len(one["added"]) for one in report] == [2, 0, 0, 1, 0]
    assert len(report[1]["duplicates"]) == 1
    (failed,) = report[1]["failed"]
    assert failed["location"] == "game 2, move 1... Qd5, line 7"
    assert (failed["reason"], failed["legal_plies"]) == ('move "Qd5" is illegal', 1)
    assert "JSON" in report[2]["error"]
    assert report[4]["error"] == "notes.txt: unknown file format; supported formats: json, pdn, pgn"


def test_paginates_tags_shares_and_deletes_games(visitor: Visitor) -> None:
    text = "".join(f'[Event "{number}"]\n\n1. {move} *\n\n' for number, move in enumerate(("e4", "d4", "c4")))
    visitor.post("/library/import", files=[{"name": "a.pgn", "text": text}], tags=["import"])
    page = visitor.get("/library", tag="import", limit=2)
    assert (page["total"], len(page["games"]), page["tags"]) == (3, 2, {"import": 3})
    rest = visitor.get("/library", tag="import", limit=2, before=page["before"])
    assert (len(rest["games"]), rest["before"]) == (1, None)
    record_id = page["games"][0]["id"]
    response = visitor.http.put(f"/api/library/{record_id}/tags", json={"tags": ["mine"]})
    assert response.json()["tags"] == ["mine"]
    assert visitor.get("/library", game="chess")["total"] == 3
    link = visitor.post(f"/library/{record_id}/share", 201)["token"]
    assert visitor.server.visitor().get(f"/shared/{link}")["record"]["id"] == record_id
    visitor.post("/library/delete", 204, ids=[record_id])
    assert visitor.get("/library")["total"] == 2


ANNOTATED = '[Event "x"]\n\n{intro} 1. e4! {[%clk 0:01:30] best} e5 (1... c5 $14 (1... e6) 2. Nf3) 2. Nf3 *\n'


def import_annotated(visitor: Visitor) -> str:
    """Import an annotated game and return its ID."""
    report = visitor.post("/library/import", files=[{"name": "a.pgn", "text": ANNOTATED}])["files"][0]
    (record_id,) = report["added"]
    return str(record_id)


def test_comments_nags_and_variations_are_imported_changed_and_exported(visitor: Visitor) -> None:
    record_id = import_annotated(visitor)
    view = visitor.get(f"/library/{record_id}")
    tree = view["tree"]
    assert (view["opening"], tree["moves"]) == ({"eco": "C40", "name": "King's Knight Opening"}, view["moves"])
    assert tree["notes"]["1"] == {"comment": "[%clk 0:01:30] best", "nags": [1]}
    (variation,) = tree["variations"]["1"]
    assert (variation["moves"], variation["variations"]["0"][0]["moves"]) == (["c7c5", "g1f3"], ["e7e6"])
    boards = visitor.post("/game-trees", game="chess", **tree)
    (sicilian,) = boards["tree"]["variations"]["1"]
    assert sicilian["boards"][0]["opening"]["name"] == "Sicilian Defense"
    tree["notes"]["3"] = {"comment": "a  {new}\ncomment", "nags": [5, 1]}
    changed = visitor.http.put(f"/api/library/{record_id}/annotations", json=tree)
    assert changed.json()["tree"]["notes"]["3"] == {"comment": "a (new) comment", "nags": [1, 5]}
    text = visitor.http.get(f"/api/library/{record_id}/export", params={"format": "pgn"}).text
    assert '[Opening "King\'s Knight Opening"]' in text
    assert "2. Nf3 $1 $5 {a (new) comment}" in text.replace("\n", " ")
    exported = visitor.post("/exports", game="chess", format="pgn", headers={"Event": "x"}, **tree)
    assert "(1... c5 $14" in exported


def test_annotations_of_other_moves_other_owners_and_beyond_the_limits_are_rejected(visitor: Visitor) -> None:
    record_id = import_annotated(visitor)
    path = f"/api/library/{record_id}/annotations"
    moves = ["e2e4", "e7e5", "g1f3"]
    assert visitor.server.visitor().http.put(path, json={"moves": moves}).status_code == 404
    for body, reason in (
        ({"moves": moves[:2]}, "moves must be the 3 moves of the stored game"),
        ({"moves": moves, "variations": {"3": [{"moves": ["b8c6"]}]}}, "a key of variations must be from 0 to 2"),
        ({"moves": moves, "variations": {"0": [{"moves": ["e7e5"]}]}}, "variations.0[0].moves[0]"),
        ({"moves": moves, "notes": {"1": {"nags": [256]}}}, "255"),
        ({"moves": moves, "variations": {"0": [{"moves": ["d2d4"] * 4000}] * 2}}, "at most 5000 moves"),
    ):
        response = visitor.http.put(path, json=body)
        assert 400 <= response.status_code < 500
        assert reason in response.json()["error"]["message"]
    nested: dict[str, Any] = {"moves": ["d2d4"]}
    for _ in range(60):
        nested = {"moves": ["d2d4"], "variations": {"0": [nested]}}
    response = visitor.http.post("/api/game-trees", json={"game": "chess", **nested})
    assert response.json()["error"]["message"] == "variations must be nested at most 40 deep"
    assert visitor.get(f"/library/{record_id}")["tree"]["notes"]["0"]["comment"] == "intro"


def test_games_in_the_library_and_in_progress_name_their_opening(visitor: Visitor) -> None:
    import_annotated(visitor)
    (brief,) = visitor.get("/library")["games"]
    assert brief["opening"]["eco"] == "C40"
    game = visitor.post("/games", 201, game="chess", humans=2, moves=["c2c4"])
    assert game["opening"] == {"eco": "A10", "name": "English Opening"}


def add_games(visitor: Visitor, count: int, name: str = "games") -> list[Any]:
    """Import chess games of different players with the tag `name`, and return their IDs."""
    text = "".join(
        f'[Event "{name} {number}"]\n[White "W{number}"]\n[Black "Ben"]\n\n1. e4 e5 *\n\n' for number in range(count)
    )
    report = visitor.post("/library/import", files=[{"name": "a.pgn", "text": text}], tags=[name])
    ids: list[Any] = report["files"][0]["added"]
    assert len(ids) == count
    return ids


def test_all_matching_games_are_exported_as_one_file(visitor: Visitor) -> None:
    add_games(visitor, 60)
    visitor.post("/library/import", files=[{"name": "b.pdn", "text": '[Event "x"]\n\n1. 11-15 *'}])
    assert visitor.post("/library/export", game="chess", format="pgn").count("[Event ") == 60
    everything = visitor.post("/library/export")
    assert len(everything["games"]) == 61
    assert len(visitor.post("/library/export", text="w5")["games"]) == 11
    assert visitor.post("/library/export", agent="W7", format="pgn").count('[White "W7"]') == 1
    assert visitor.get("/library")["formats"] == ["json"]
    assert visitor.get("/library", game="chess")["formats"] == ["json", "pgn"]
    visitor.post("/library/export", 400, format="pgn")
    assert visitor.server.visitor().post("/library/export")["games"] == []


def test_chosen_games_are_exported_as_one_file(visitor: Visitor) -> None:
    ids = add_games(visitor, 3)
    assert visitor.post("/library/export", ids=ids[:2], format="pgn").count("[Event ") == 2
    assert visitor.post("/library/export", ids=ids[:1])["format"] == "plyground-game"
    visitor.server.visitor().post("/library/export", 404, ids=ids[:1])


def test_tags_of_several_games_change_in_one_request(visitor: Visitor) -> None:
    ids = add_games(visitor, 3)
    visitor.post("/library/tags", 204, ids=ids[:2], add=["study", "games"], remove=["old"])
    visitor.post("/library/tags", 204, ids=ids[1:], remove=["games"])
    assert visitor.get("/library")["tags"] == {"games": 1, "study": 2}
    stranger = visitor.server.visitor()
    own = add_games(stranger, 1, "mine")
    stranger.post("/library/tags", 404, ids=[*own, ids[0]], add=["stolen"])
    assert stranger.get("/library")["tags"] == {"mine": 1}
    visitor.post("/library/tags", 422, ids=[], add=["x"])


def test_opponents_are_sorted_by_number_of_games(visitor: Visitor) -> None:
    add_games(visitor, 3)
    game = visitor.game("tictactoe", player="Easy")
    visitor.post(f"/games/{game['id']}/resign")
    opponents = visitor.get("/library/opponents")
    assert opponents[0] == {"name": "Ben", "games": 3}
    assert [one["name"] for one in opponents[1:]] == ["Easy", "W0", "W1", "W2"]
    assert visitor.server.visitor().get("/library/opponents") == []


def test_tournament_games_keep_the_names_of_the_players(visitor: Visitor) -> None:
    players = ["Ada=random", "Bob=mcts(simulations=2)"]
    name = visitor.post("/tournaments", 201, game="checkers", players=players, games=1)["name"]
    (game,) = eventually(lambda: visitor.get(f"/tournaments/{name}/games")["games"])
    view = visitor.get(f"/library/{game['record_id']}")
    sides = {"black": game["first"], "white": game["second"]}
    assert view["tournament"] == {"name": name, "players": sides}
    assert set(sides.values()) == {"Ada", "Bob"}
    pdn = visitor.get(f"/library/{game['record_id']}/export", format="pdn")
    assert f'[Black "{sides["black"]}"]' in pdn
    assert f'[Event "{name}"]' in pdn
    token = visitor.post(f"/library/{game['record_id']}/share", 201)["token"]
    assert visitor.get(f"/shared/{token}")["record"]["tournament"]["name"] == name


def test_finds_games_by_text(visitor: Visitor) -> None:
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


def test_parses_pasted_text(visitor: Visitor) -> None:
    for text, game, moves in [
        ("1. e4 e5 2. Nf3", "chess", ["e2e4", "e7e5", "g1f3"]),
        ("11-15 23-18", "checkers", ["11-15", "23-18"]),
        ("W:WK3:B10", "checkers", []),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "chess", []),
    ]:
        (record,) = visitor.post("/parse", text=text)["records"]
        assert (record["game"], record["moves"]) == (game, moves)
    visitor.post("/parse", 400, text="what is this")


def test_pasted_games_with_an_error_include_the_moves_before_it(visitor: Visitor) -> None:
    result = visitor.post("/parse", text='[White "Ada"]\n\n1. e4 e5 2. Sf3 Sc6 *\n')
    (failed,) = result["failed"]
    assert (result["records"], failed["location"]) == ([], "game 1, move 2. Sf3, line 3")
    assert failed["beginning"]["moves"] == ["e2e4", "e7e5"]
    assert failed["beginning"]["players"] == {"white": "Ada"}


def test_pasting_too_many_games_gives_a_warning(visitor: Visitor) -> None:
    result = visitor.post("/parse", text="".join(f'[Event "{number}"]\n\n1. e4 *\n\n' for number in range(205)))
    assert len(result["records"]) == 200
    assert "the first 200 of 205 games" in result["warnings"][0]


def test_an_exported_line_can_be_parsed_again(visitor: Visitor) -> None:
    text = visitor.post("/exports", game="chess", moves=["e2e4", "e7e5"], players={"white": "Ada"}, format="pgn")
    (record,) = visitor.post("/parse", text=text)["records"]
    assert (record["moves"], record["players"]["white"]) == (["e2e4", "e7e5"], "Ada")
    visitor.post("/exports", 400, game="chess", moves=["e2e4"], format="pdn")


def test_a_line_has_a_board_for_every_ply(visitor: Visitor) -> None:
    boards = visitor.post("/lines", game="connect4", moves=["4", "4", "3"])["boards"]
    assert [board["ply"] for board in boards] == [0, 1, 2, 3]
    assert boards[3]["last_move"]["text"] == "3"
