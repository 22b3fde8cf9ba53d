"""`plyground match`."""

from __future__ import annotations

from typing import Any

import plyground
from cli.command_line import error_line, run, run_in_process, run_json
from plyground import split_seed


def test_the_same_seed_gives_the_same_games() -> None:
    arguments = ("match", "checkers", "random", "random", "--games", "4", "--seed", "11")
    assert run_json(*arguments) == run_json(*arguments)


def test_different_seeds_give_different_games() -> None:
    games = [run_json("match", "checkers", "random", "random", "--seed", seed)["games"] for seed in ("1", "2")]
    assert games[0] != games[1]


def test_json_describes_the_match_and_every_game() -> None:
    report = run_json("match", "connect4", "random", "random", "--games", "5", "--seed", "3")
    summary = ["game", "a", "b", "seed", "wins", "draws", "losses", "score", "elo", "low", "high", "superiority"]
    assert list(report) == [*summary, "repeated_games", "games"]
    assert (report["game"], report["a"], report["b"], report["seed"]) == ("connect4", "random", "random", 3)
    assert report["wins"] + report["draws"] + report["losses"] == len(report["games"]) == 5
    assert report["score"] == (report["wins"] + report["draws"] / 2) / 5
    for index, game in enumerate(report["games"]):
        assert list(game) == ["seed", "first", "moves", "outcome", "plies"]
        assert game["seed"] == split_seed(3, index)
        assert game["first"] == "ab"[index % 2]
        assert game["plies"] == len(game["moves"])
        outcome = plyground.game("connect4").position(moves=game["moves"]).outcome
        assert outcome == plyground.Outcome(**game["outcome"])


def test_prints_a_table() -> None:
    result = run("match", "tictactoe", "random", "random", "--games", "3")
    assert (result.returncode, result.stderr) == (0, "")
    assert "tictactoe, 3 games, seed 0" in result.stdout
    for heading in ("Wins", "Draws", "Losses", "Score"):
        assert heading in result.stdout


def test_show_prints_every_move_and_board_and_the_result() -> None:
    report = run_json("match", "tictactoe", "random", "random", "--games", "1")
    (game,) = report["games"]
    output = run("match", "tictactoe", "random", "random", "--games", "1", "--show").stdout
    assert output.startswith("Game 1 of 1: random (x) against random (o)\n")
    for ply, move in enumerate(game["moves"], start=1):
        assert f"{ply}. {'ox'[ply % 2]} (random) plays {move}\n" in output
    assert output.count("   a   b   c") == game["plies"] + 1
    assert f"{plyground.Outcome(**game['outcome'])}\n" in output


def test_a_game_that_reaches_the_ply_limit_is_a_draw() -> None:
    report = run_json("match", "chess", "random", "random", "--games", "1", "--max-plies", "6")
    assert report["games"][0]["plies"] == 6
    assert report["games"][0]["outcome"] == {"winner": None, "reason": "ply limit"}
    assert report["draws"] == 1


def test_an_unknown_agent_is_an_error_that_lists_the_agents() -> None:
    assert "available: mcts" in error_line("match", "chess", "random", "deepblue", code=2)


def test_invalid_limits_are_usage_errors() -> None:
    assert "seconds" in error_line("match", "chess", "random", "random", "--seconds", "-1", code=2)
    for option, value in (("--games", 0), ("--seed", 2**64)):
        assert run("match", "chess", "random", "random", option, str(value)).returncode == 2


def test_show_and_json_cannot_be_combined() -> None:
    result = run("match", "tictactoe", "random", "random", "--show", "--json")
    assert (result.returncode, result.stdout) == (2, "")


def test_reports_the_elo_difference_with_its_interval() -> None:
    report = run_json("match", "tictactoe", "mcts(simulations=200)", "random", "--games", "20")
    assert report["low"] < report["elo"] < report["high"]
    assert report["superiority"] > 0.95
    output = run("match", "tictactoe", "mcts(simulations=200)", "random", "--games", "20").stdout
    interval = f"95% interval {report['low']:+.0f} to {report['high']:+.0f}"
    assert f"Elo difference A - B: {report['elo']:+.0f} ({interval})" in output


def test_openings_are_played_twice_with_sides_swapped() -> None:
    report = run_json("match", "checkers", "random", "random", "--games", "6", "--openings", "deck", "--seed", "2")
    openings = [tuple(game["moves"][:3]) for game in report["games"]]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 3
    result = run(
        "match", "checkers", "random", "random", "--games", "1", "--openings", "deck", "--max-plies", "1", "--show"
    )
    assert "\nOpening: " in result.stdout


def test_the_number_of_processes_does_not_change_the_result() -> None:
    arguments = ("match", "connect4", "random", "flat(playouts=2)", "--games", "5", "--seed", "9", "--openings", "deck")
    assert run_json(*arguments, "--processes", "2") == run_json(*arguments)


def test_an_sprt_stops_when_it_is_decided() -> None:
    def run_sprt(a: str, b: str) -> Any:
        return run_json("match", "tictactoe", a, b, "--sprt", "0,100", "--games", "500", in_process=True)

    report = run_sprt("random", "mcts(simulations=100)")
    assert report["sprt"]["verdict"] == "accepted"
    assert report["sprt"]["llr"] >= report["sprt"]["upper"]
    assert len(report["games"]) == 2 * sum(report["sprt"]["pairs"]) < 200
    assert run_sprt("mcts(simulations=100)", "random")["sprt"]["verdict"] == "rejected"
    undecided = run_in_process("match", "tictactoe", "random", "random", "--sprt", "0,5", "--games", "4")
    assert "SPRT (B - A: elo0 +0, elo1 +5): undecided" in undecided.stdout
    message = error_line("match", "chess", "random", "random", "--sprt", "high", code=2, in_process=True)
    assert "sprt must be ELO0,ELO1" in message


def test_a_game_is_lost_on_time() -> None:
    report = run_json("match", "chess", "plain-flat(playouts=1)", "random", "--games", "1", "--clock", "0.00001")
    assert report["games"][0]["outcome"]["reason"] == "time"
    assert "SECONDS+INCREMENT" in error_line("match", "chess", "random", "random", "--clock", "soon", code=2)
