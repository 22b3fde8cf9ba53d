"""Hints, the coach, reviews and draw offers agree with each other and report only computed values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground import Position, game
from plyground.agents.analysis import RESULT_VALUE
from plyground.exact import Solver
from plyground.review import MISTAKES
from plyground.server.play.advisor import HINT_MOVES, Assessment
from plyground.server.search.exact import ExactAnalysis
from plyground.server.services import Services
from plyground.server.settings import Settings
from server.serving import Visitor, eventually

FORCED = "W:W18,21,26,27,28,32:B3,5,8,10,11,19"
"""26-23 hangs a man: black's only reply is 19x26."""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """The server's services, without HTTP."""
    made = Services(Settings(store=str(Path(tmp_path_factory.mktemp("hints")) / "store.sqlite"), searches=1))
    yield made
    made.close()


def hints(visitor: Visitor, name: str, **request: Any) -> list[Any]:
    """Return the four steps of the hint for a new game."""
    made = visitor.game(name, humans=2, **request)
    return [visitor.post(f"/games/{made['id']}/hint", step=step) for step in (1, 2, 3, 4)]


def check_agreement(steps: list[Any], position: Position) -> None:
    """Check that all steps of a hint are about the same move and that it has the highest value."""
    piece, move, line, values = steps
    best = values["moves"][0]
    notation = position.notation(best["move"])
    assert move["move"] == line["move"] == line["pv"][0] == best["move"]
    assert move["text"] in (f"{notation} is best.", f"{notation} is the only move.")
    assert values["text"].startswith(f"{notation}: ")
    assert piece["square"] in (None, move["path"][0])
    position_after = position
    for ply in line["pv"]:
        position_after = position_after.play(ply)
    assert line["text"] == f"Best play: {' '.join(position_after.history_notation[position.ply :])}"
    assert best["value"] == max(one["value"] for one in values["moves"])
    assert all(one["bound"] is None and one["value"] is not None for one in values["moves"])


@pytest.mark.parametrize(
    "moves",
    ["4 4 4 4 4 2 3", "4 4 4 4 4 4", "1 2 3 4 5 6 7 1 2 3 4 5 6 7 4", "4 4 4 4 4 4 2 2 2 2 2 2 6 6 6 6", "4 1 4 1"],
)
def test_a_connect_four_hint_agrees_with_the_solver(visitor: Visitor, moves: str) -> None:
    position = game("connect4").position(moves=moves.split())
    solution = Solver("connect4").solve_moves(position)
    scores = {move.move: (move.score, move.distance) for move in solution.moves}
    steps = hints(visitor, "connect4", moves=moves.split())
    check_agreement(steps, position)
    values = steps[3]["moves"]
    assert scores[values[0]["move"]] == (solution.score, solution.distance)
    for one in values:
        score, distance = scores[one["move"]]
        result = "win" if score > 0 else "loss" if score < 0 else "draw"
        assert (one["exact"]["result"], one["exact"]["distance"]) == (result, distance)
        assert one["proven"] == result
        assert one["value"] == RESULT_VALUE[result]  # type: ignore[index]
    text = f"{values[0]['exact']['result']}{'' if solution.score == 0 else f' in {solution.distance}'}"
    assert steps[3]["text"].split(" · ")[0] == f"{values[0]['notation']}: {text}"
    line = steps[2]["pv"]
    assert 1 <= len(line) <= 8
    after = position
    for ply, move in enumerate(line):
        best = Solver("connect4").solve_moves(after)
        assert next(one.score for one in best.moves if one.move == move) == best.score
        assert solution.score == 0 or best.distance == solution.distance - ply
        after = after.play(move)


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("checkers", {"moves": ["11-15", "23-19", "8-11"]}),
        ("checkers", {"position": "W:WK6,K7:BK32"}),
        ("checkers", {"position": FORCED, "moves": ["26-23"]}),
        ("chess", {"moves": ["e2e4", "e7e5"]}),
        ("chess", {"position": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"}),
        ("tictactoe", {"moves": ["b2"]}),
    ],
)
def test_all_steps_of_a_hint_agree(visitor: Visitor, name: str, request_: Any) -> None:
    position = game(name).position(request_.get("position"), request_.get("moves", []))
    steps = hints(visitor, name, **request_)
    check_agreement(steps, position)
    shown = len(steps[3]["moves"])
    assert shown == min(HINT_MOVES, len(position.moves)) or steps[3]["moves"][0]["exact"] is not None


def test_a_hint_for_a_forced_move_has_the_value_after_it(visitor: Visitor) -> None:
    _, move, _, values = hints(visitor, "checkers", position=FORCED, moves=["26-23"])
    assert move["text"] == "19x26 is the only move."
    (only,) = values["moves"]
    assert only["value"] > 0.6, "black wins a man"


def test_exact_moves_are_ranked_by_result_and_distance(services: Services) -> None:
    exact = ExactAnalysis("draw", None, "solver", {"a": ("draw", None), "b": ("loss", 4), "c": ("draw", None)})
    assert (exact.best, exact.best_moves, exact.ranked_moves) == ("a", ["a", "c"], ["a", "c", "b"])
    losing = ExactAnalysis("loss", 8, "solver", {"a": ("loss", 4), "b": ("loss", 8), "c": ("loss", 6)})
    assert (losing.best, losing.ranked_moves) == ("b", ["b", "c", "a"])
    winning = ExactAnalysis(
        "win", 3, "tables", {"a": ("win", None), "b": ("draw", None), "c": ("win", 3), "d": ("win", 5)}
    )
    assert (winning.best, winning.ranked_moves) == ("c", ["c", "d", "a", "b"])
    start: Assessment = services.advisor.assess(game("tictactoe").start())
    assert start.moves[0].exact is not None
    assert start.moves[0].exact.result == "draw"


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("tictactoe", None, ["b2", "b1"]),
        ("tictactoe", None, ["b2", "a1", "c3", "a3"]),
        ("connect4", None, ["4", "4", "4", "4", "4", "2", "3", "6"]),
        ("checkers", "W:WK6,K7:BK32", ["7-2"]),
        ("checkers", FORCED, ["26-23", "19x26"]),
    ],
)
def test_the_coach_warns_exactly_about_the_mistakes_of_a_review(
    services: Services, visitor: Visitor, name: str, text: str | None, moves: list[str]
) -> None:
    created = visitor.post("/reviews", 201, game=name, text=text, moves=moves)
    review = eventually(lambda: (one := visitor.get(f"/reviews/{created['id']}"))["state"] == "done" and one)
    last = game(name).position(text, moves)
    for one in review["plies"]:
        assert services.coach.is_mistake(last.replay(one["ply"]), one["move"]) == (one["mark"] in MISTAKES)


def test_the_graph_of_a_review_changes_by_the_value_that_marked_moves_lose(visitor: Visitor) -> None:
    created = visitor.post("/reviews", 201, game="checkers", text=FORCED, moves=["26-23", "19x26"])
    review = eventually(lambda: (one := visitor.get(f"/reviews/{created['id']}"))["state"] == "done" and one)
    blunder, capture = review["plies"]
    assert blunder["mark"] in MISTAKES
    assert blunder["value_after_first"] == capture["value_first"] == capture["value_after_first"]
    assert review["last_value_first"] == capture["value_after_first"]
    assert blunder["value_after_first"] - blunder["value_first"] == pytest.approx(blunder["value_loss"], abs=2e-4)
    assert (capture["mark"], capture["value_loss"], capture["best"]) == ("", 0, "19x26")
    assert blunder["best_notation"] not in blunder["summary"]


def test_a_draw_offer_before_a_forced_move_is_decided_by_the_value_after_it(visitor: Visitor) -> None:
    behind = visitor.game("checkers", position=FORCED, moves=["26-23"], side="black", player="Easy")
    assert visitor.post(f"/games/{behind['id']}/draw")["accepted"], "white has lost a man"


def test_an_analysis_of_a_forced_position_has_the_value_after_the_move(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="checkers", text=FORCED, moves=["26-23"], simulations=20_000, tree=50)
        final = tab.receive("report", lambda one: one["final"])["analysis"]
    assert (final["ply"], final["turn"], final["best"]) == (1, "black", "19x26")
    (only,) = final["moves"]
    assert only["value"] == final["value"] == final["value_first"] > 0.55
    assert final["pv"][0] == "19x26"
    assert len(final["pv"]) > 1


def test_the_report_of_an_agent_that_plays_a_forced_move_has_no_value(visitor: Visitor) -> None:
    made = visitor.game("checkers", position=FORCED, side="white", player="mcts(simulations=200)")
    with visitor.tab() as tab:
        tab.send(type="subscribe", game_id=made["id"])
        visitor.move(made, "26-23")
        report = tab.receive("report", lambda one: one["final"] and one["analysis"]["ply"] == 1)["analysis"]
    assert (report["value"], report["value_first"], report["moves"][0]["value"]) == (None, None, None)
    assert visitor.get(f"/games/{made['id']}")["moves"][1]["value_first"] is None


def test_bounds_are_labelled_in_reports(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="checkers", agent="alphabeta(depth=7)")
        moves = tab.receive("report", lambda one: one["final"])["analysis"]["moves"]
    assert sum(move["bound"] is None for move in moves) >= 1
    assert any(move["bound"] == "upper" for move in moves)
