"""`plyground match`."""

from __future__ import annotations

import json
from typing import Any

import plyground
from cli.command_line import call, error_line, run, run_json
from plyground import split_seed


def test_the_same_seed_prints_the_same_games() -> None:
    arguments = ("match", "checkers", "random", "random", "--games", "4", "--seed", "11")
    assert run_json(*arguments) == run_json(*arguments)


def test_another_seed_prints_other_games() -> None:
    games = [run_json("match", "checkers", "random", "random", "--seed", seed)["games"] for seed in ("1", "2")]
    assert games[0] != games[1]


def test_json_tells_the_match_and_each_game() -> None:
    report = run_json("match", "connect4", "random", "random", "--games", "5", "--seed", "3")
    told = ["game", "a", "b", "seed", "wins", "draws", "losses", "score", "elo", "low", "high", "superiority", "games"]
    assert list(report) == told
    assert (report["game"], report["a"], report["b"], report["seed"]) == ("connect4", "random", "random", 3)
    assert report["wins"] + report["draws"] + report["losses"] == len(report["games"]) == 5
    assert report["score"] == (report["wins"] + report["draws"] / 2) / 5
    for index, one in enumerate(report["games"]):
        assert list(one) == ["seed", "first", "moves", "outcome", "plies"]
        assert one["seed"] == split_seed(3, index)
        assert one["first"] == "ab"[index % 2]
        assert one["plies"] == len(one["moves"])
        outcome = plyground.game("connect4").position(moves=one["moves"]).outcome
        assert outcome == plyground.Outcome(**one["outcome"])


def test_without_json_it_prints_a_table() -> None:
    done = run("match", "tictactoe", "random", "random", "--games", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "tictactoe, 3 games, seed 0" in done.stdout
    for heading in ("Wins", "Draws", "Losses", "Score"):
        assert heading in done.stdout


def test_show_prints_each_move_each_board_and_the_result() -> None:
    report = run_json("match", "tictactoe", "random", "random", "--games", "1")
    (one,) = report["games"]
    shown = run("match", "tictactoe", "random", "random", "--games", "1", "--show").stdout
    assert shown.startswith("Game 1 of 1: random (x) against random (o)\n")
    for ply, move in enumerate(one["moves"], start=1):
        assert f"{ply}. {'ox'[ply % 2]} (random) plays {move}\n" in shown
    assert shown.count("    a   b   c") + shown.count("   a   b   c") >= one["plies"] + 1
    assert f"{plyground.Outcome(**one['outcome'])}\n" in shown


def test_a_game_that_is_too_long_is_a_draw() -> None:
    report = run_json("match", "chess", "random", "random", "--games", "1", "--max-plies", "6")
    assert report["games"][0]["plies"] == 6
    assert report["games"][0]["outcome"] == {"winner": None, "reason": "ply limit"}
    assert report["draws"] == 1


def test_an_unknown_agent_is_told_the_known_ones() -> None:
    assert "there are: random" in error_line("match", "chess", "random", "deepblue", code=2)


def test_limits_that_make_no_sense_are_refused() -> None:
    assert "seconds" in error_line("match", "chess", "random", "random", "--seconds", "-1", code=2)
    for option, value in (("--games", 0), ("--seed", 2**64)):
        assert run("match", "chess", "random", "random", option, str(value)).returncode == 2


def test_boards_do_not_mix_with_json() -> None:
    done = run("match", "tictactoe", "random", "random", "--show", "--json")
    assert (done.returncode, done.stdout) == (2, "")


def test_the_difference_is_told_with_its_interval() -> None:
    report = run_json("match", "tictactoe", "mcts(simulations=200)", "random", "--games", "20")
    assert report["low"] < report["elo"] < report["high"]
    assert report["superiority"] > 0.95
    shown = run("match", "tictactoe", "mcts(simulations=200)", "random", "--games", "20").stdout
    assert f"A is {report['elo']:+.0f} Elo points above B ({report['low']:+.0f} to {report['high']:+.0f})" in shown


def test_openings_are_played_twice_with_sides_swapped() -> None:
    report = run_json("match", "checkers", "random", "random", "--games", "6", "--openings", "deck", "--seed", "2")
    begun = [tuple(one["moves"][:3]) for one in report["games"]]
    assert begun[::2] == begun[1::2]
    assert len(set(begun)) == 3
    shown = run(
        "match", "checkers", "random", "random", "--games", "1", "--openings", "deck", "--max-plies", "1", "--show"
    )
    assert "\nOpening: " in shown.stdout


def test_processes_print_the_same_match() -> None:
    arguments = ("match", "connect4", "random", "flat(playouts=2)", "--games", "5", "--seed", "9", "--openings", "deck")
    assert run_json(*arguments, "--processes", "2") == run_json(*arguments)


def test_a_sequential_test_stops_when_it_knows() -> None:
    def tested(a: str, b: str) -> Any:
        return json.loads(call("match", "tictactoe", a, b, "--sprt", "0,100", "--games", "500", "--json").stdout)

    report = tested("random", "mcts(simulations=100)")
    assert report["sprt"]["verdict"] == "accepted"
    assert report["sprt"]["llr"] >= report["sprt"]["upper"]
    assert len(report["games"]) == 2 * sum(report["sprt"]["pairs"]) < 200
    assert tested("mcts(simulations=100)", "random")["sprt"]["verdict"] == "rejected"
    undecided = call("match", "tictactoe", "random", "random", "--sprt", "0,5", "--games", "4")
    assert "B is +5 above A, rather than +0: undecided" in undecided.stdout
    refused = error_line("match", "chess", "random", "random", "--sprt", "high", code=2, here=True)
    assert "accepted is ELO0,ELO1" in refused


def test_a_clock_ends_games() -> None:
    report = run_json("match", "chess", "plain-flat(playouts=1)", "random", "--games", "1", "--clock", "0.00001")
    assert report["games"][0]["outcome"]["reason"] == "time"
    assert "SECONDS+INCREMENT" in error_line("match", "chess", "random", "random", "--clock", "soon", code=2)
