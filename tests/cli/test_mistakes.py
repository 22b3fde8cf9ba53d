"""Mistyped names, unknown filter values and numbers that are out of range."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_line import error_line, run_in_process
from plyground.records import Record
from plyground.store import Store


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyse", "Checkers"), "unknown game 'Checkers' (did you mean checkers?); available: checkers, "),
        (("perft", "chekers", "1"), "unknown game 'chekers' (did you mean checkers?); available: checkers, "),
        (("perft", "connect 4", "1"), "unknown game 'connect 4' (did you mean connect4?)"),
        (("match", "chess", "Hrad", "random"), "unknown agent 'Hrad' (did you mean Hard"),
        (("match", "chess", "MCTS(simulations=5)", "random"), "unknown agent 'MCTS' (did you mean mcts"),
        (("match", "chess", "mcts(simulation=5)", "random"), "(did you mean simulations?)"),
        (("weights", "show", "checkers", "vetran"), "unknown weights 'vetran' for checkers (did you mean veteran?)"),
        (("match", "chess", "random", "random", "--adjudication", "table"), "(did you mean tables?)"),
        (("tournament", "run", "--roster", "samule"), "unknown roster 'samule' (did you mean samuel?)"),
        (("play", "chess", "--side", "wite"), "unknown side 'wite' of chess (did you mean white?)"),
    ],
)
def test_an_unknown_name_error_suggests_and_lists_names(arguments: tuple[str, ...], message: str) -> None:
    found = error_line(*arguments, code=2, in_process=True)
    assert message in found
    assert "available: " in found


def test_a_mistyped_tournament_gets_a_suggestion(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store")) as store:
        store.tournaments.create("spring", "checkers", {}, [])
    message = error_line("tournament", "show", "sprong", "--store", tmp_path / "store", code=2, in_process=True)
    assert message == "unknown tournament 'sprong' (did you mean spring?); available: spring"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one game of checkers."""
    with Store(str(tmp_path / "store")) as store:
        store.records.add(Record("checkers", ("11-15",), players={"black": "human", "white": "Anna"}), tags=["club"])
    return tmp_path / "store"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--game", "chekers", "unknown game 'chekers' (did you mean checkers?)"),
        ("--result", "blak", "unknown result 'blak' (did you mean black?)"),
        ("--agent", "Ana", "unknown player 'Ana' (did you mean Anna?); available: Anna, human"),
        ("--tag", "clubs", "unknown tag 'clubs' (did you mean club?); available: club"),
    ],
)
@pytest.mark.parametrize("command", [("list",), ("list", "--json"), ("export",), ("delete", "--yes")], ids=" ".join)
def test_a_filter_with_an_unknown_value_is_an_error(
    store: Path, command: tuple[str, ...], option: str, value: str, message: str
) -> None:
    assert message in error_line("games", *command, option, value, "--store", store, code=2, in_process=True)


@pytest.mark.parametrize(
    "filters",
    [("--game", "chess"), ("--result", "white"), ("--agent", "Hard"), ("--agent", "random"), ("--result", "draw")],
    ids=" ".join,
)
def test_a_filter_that_matches_nothing_is_not_an_error(store: Path, filters: tuple[str, ...]) -> None:
    result = run_in_process("games", "list", *filters, "--store", store)
    assert (result.returncode, result.stdout) == (0, "No games found.\n")


def test_filters_accept_players_and_tags_of_stored_games(store: Path) -> None:
    result = run_in_process("games", "list", "--agent", "Anna", "--tag", "club", "--game", "chess", "--store", store)
    assert (result.returncode, result.stdout) == (0, "No games found.\n")


HUGE = "99999999999999999999"


@pytest.mark.parametrize(
    "arguments",
    [
        ("analyse", "tictactoe", "--simulations", HUGE),
        ("analyse", "tictactoe", "--seconds", "1e300"),
        ("analyse", "tictactoe", "--seconds", "1e400"),
        ("match", "tictactoe", "random", "random", "--seconds", "1e300"),
        ("match", "tictactoe", "random", "random", "--simulations", HUGE),
        ("games", "list", "--before", HUGE),
        ("games", "show", HUGE),
        ("games", "delete", HUGE, "--yes"),
        ("review", HUGE),
        ("play", "chess", "--load", HUGE),
        ("solve", "tictactoe", "--mebibytes", HUGE),
        ("tables", "verify", "--samples", HUGE),
        ("tournament", "run", "tictactoe", "random", "Easy", "--simulations", HUGE),
    ],
    ids=" ".join,
)
def test_a_number_out_of_range_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    result = run_in_process(*arguments)
    assert result.returncode == 2
    assert "internal error" not in result.stderr


def test_a_tournament_without_a_finished_game_has_no_standings(tmp_path: Path) -> None:
    from plyground.arena import Rules, entrants
    from plyground.arena.tournament import Plan, Tournament

    with Store(str(tmp_path / "store")) as store:
        plan = Plan(Rules("tictactoe", {}), entrants("tictactoe", ["random", "Easy"]), games=4)
        Tournament.create(store, "new", plan)
    result = run_in_process("tournament", "show", "--store", tmp_path / "store")
    assert result.stdout.splitlines() == [
        "new: tictactoe, 0 of 4 games, seed 0",
        "Players: random, Easy",
        "Standings appear after the first game.",
    ]


def test_without_tournaments_the_error_says_how_to_start_one(tmp_path: Path) -> None:
    message = error_line("tournament", "show", "--store", tmp_path / "store", code=2, in_process=True)
    assert message.endswith("start one with: plyground tournament run GAME PLAYER PLAYER")
    assert run_in_process("tournament", "list", "--store", tmp_path / "store").stdout == "No tournaments yet.\n"
