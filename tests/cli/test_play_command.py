"""`plyground play`, controlled through standard input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import plyground
from cli.command_line import error_line, run
from plyground.board_text import draw


def play(*arguments: str | Path, lines: str, directory: Path | None = None) -> str:
    """Play a session with these input lines, separated by |, check that it succeeds, and return its output."""
    result = run("play", *arguments, stdin="".join(f"{line}\n" for line in lines.split("|")), directory=directory)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def moves_of(side: str, output: str) -> list[str]:
    return re.findall(rf"{side} plays (\S+)", output)


def without_id(output: str) -> str:
    """Remove the line with the ID of the stored game."""
    return re.sub("The game is stored as game .*", "", output)


@pytest.fixture(scope="module")
def session() -> str:
    """The output of a session that uses many commands."""
    return play("checkers", "--seed", "1", lines="?||rubbish|1-2|hint|help|11-15|undo|11-15|flip|quit")


def test_the_agent_replies_to_every_move(session: str) -> None:
    assert len(moves_of("white", session)) == 2


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (without_id(play("chess", "--seed", "5", lines="e4|d4|a3")) for _ in range(2))
    assert first == second
    assert len(moves_of("black", first)) >= 2


def test_the_printed_seed_repeats_the_game() -> None:
    first = play("connect4", lines="4|4|4")
    seed = re.search(r"--seed (\d+)", first)
    assert seed is not None
    assert without_id(play("connect4", "--seed", seed[1], lines="4|4|4")) == without_id(first)


def test_the_prompt_names_the_side_to_move() -> None:
    assert "\nyellow> " in play("connect4", "--side", "yellow", lines="quit")


def test_the_humans_side_is_at_the_bottom() -> None:
    start = plyground.game("chess").start()
    assert draw(start, color=False) in play("chess", "--side", "white", lines="quit")
    assert "a   b   c" not in play("chess", "--side", "BLACK", lines="quit")


def test_flip_rotates_the_board(session: str) -> None:
    black_row = session.split("black> flip\n")[1].lstrip("\n").splitlines()[0]
    assert black_row.split() == ["1b", "2b", "3b", "4b"]


def test_a_question_mark_lists_the_moves_in_natural_order(session: str) -> None:
    assert "black> ?\n9-13 9-14 10-14 10-15 11-15 11-16 12-16\n" in session


def test_accepts_moves_in_any_notation() -> None:
    assert len(moves_of("black", play("chess", lines="Nf3|undo|g1f3"))) == 2


def test_an_invalid_line_prints_an_error_and_the_game_continues(session: str) -> None:
    assert 'black> rubbish\nmove "rubbish" must have the form' in session
    assert 'black> 1-2\nmove "1-2" is illegal' in session


def test_undo_goes_back_to_the_humans_turn(session: str) -> None:
    assert session.count(draw(plyground.game("checkers").start(), color=False, flip=True)) == 2
    assert len(set(moves_of("white", session))) == 1


def test_undo_requires_a_move_by_the_human() -> None:
    assert "You have no move to take back" in play("checkers", "--side", "white", lines="undo")


def test_the_level_can_be_changed_during_a_game() -> None:
    output = play("connect4", "--seed", "2", lines="level|level hard|4|level nobody|hint|quit")
    assert "Your opponent is Medium. Available levels: Easy, Medium, Hard, Expert, Master" in output
    assert "Hard takes over from the next move." in output
    assert "unknown agent 'nobody'" in output
    assert re.search(r"Hard would play \d \(\d+%\)", output)


def test_there_is_no_hint_from_an_agent_that_does_not_evaluate() -> None:
    assert "No hint: random does not evaluate positions." in play("chess", "--agent", "random", lines="hint|quit")


def test_announces_a_forced_capture() -> None:
    output = play("checkers", "--side", "white", "--position", "W:W22:B17,18,1", lines="quit")
    assert "You must capture: 22x13 or 22x15\n" in output


def test_a_check_in_chess_is_not_called_a_capture() -> None:
    assert "capture" not in play("chess", "--position", "4k3/8/8/8/8/8/4r3/K7 w - - 0 1", lines="quit")


def test_enter_plays_the_only_move() -> None:
    output = play("checkers", "--position", "B:W6,14:B1", lines="")
    assert "The only legal move is 1x17. Press Enter to play it." in output
    assert "You win. Game over: black wins: no moves." in output


def test_enter_does_not_choose_between_moves(session: str) -> None:
    assert "black> \nType a move" in session


def test_a_finished_game_accepts_only_commands() -> None:
    output = play("checkers", "--position", "B:W6,14:B1", lines="1x17|17-22|?|undo|quit")
    assert output.count("The game is over (black wins: no moves). Available commands:") == 2
    assert "game over> undo\n" in output
    assert "\nblack> quit\n" in output


def test_a_resignation_loses_and_can_be_undone() -> None:
    output = play("checkers", lines="resign|resign|undo|11-15")
    assert "You lose. Game over: white wins: resignation." in output
    assert len(moves_of("white", output)) == 1


def test_new_starts_a_game_with_another_seed() -> None:
    output = play("checkers", "--seed", "1", lines="11-15|new")
    seeds = re.findall(r"The seed is (\d+)", output)
    assert len(seeds) == len(set(seeds)) == 2
    assert output.count(draw(plyground.game("checkers").start(), color=False, flip=True)) == 2


def test_help_lists_every_command(session: str) -> None:
    for command in ("?", "undo", "hint", "flip", "resign", "save", "new", "help", "quit"):
        assert f"\n  {command}" in session


def test_resumes_a_saved_game(tmp_path: Path) -> None:
    first = play("chess", "--seed", "9", "--save", "game.json", lines="e4|?", directory=tmp_path)
    assert first.endswith("Resume it with: plyground play chess --load game.json --save game.json\n")
    second = play("chess", "--load", "game.json", "--save", "game.json", lines="?|a3", directory=tmp_path)
    uninterrupted = play("chess", "--seed", "9", lines="e4|?|a3")
    assert moves_of("black", first) + moves_of("black", second) == moves_of("black", uninterrupted)
    saved = json.loads((tmp_path / "game.json").read_text())
    assert saved["players"] == {"white": "human", "black": "Medium"}
    assert saved["moves"][::2] == ["e2e4", "a2a3"]


def test_a_saved_game_records_the_humans_side(tmp_path: Path) -> None:
    play("chess", "--side", "black", "--save", tmp_path / "game.json", lines="quit")
    assert "you are black, Medium is white" in play("chess", "--load", tmp_path / "game.json", lines="quit")


def test_save_requires_a_file_and_then_saves_every_move(tmp_path: Path) -> None:
    output = play("checkers", lines="save|save my game.json|11-15|quit", directory=tmp_path)
    assert "Enter a file name" in output
    assert "Saved to my game.json" in output
    assert "--load 'my game.json'" in output
    assert len(json.loads((tmp_path / "my game.json").read_text())["moves"]) == 2


def test_a_loaded_resigned_game_is_over(tmp_path: Path) -> None:
    play("checkers", "--save", tmp_path / "game.json", lines="11-15|resign")
    assert "white wins: resignation" in play("checkers", "--load", tmp_path / "game.json", lines="quit")


def test_undo_works_in_a_loaded_finished_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play("checkers", "--position", "B:W6,14:B1", "--save", file, lines="1x17")
    assert play("checkers", "--load", file, lines="undo|quit").rstrip().endswith("black> quit")


def test_a_new_game_does_not_overwrite_the_previous_games_file(tmp_path: Path) -> None:
    play("checkers", "--save", tmp_path / "game.json", lines="11-15|new|9-13")
    assert json.loads((tmp_path / "game.json").read_text())["moves"][0] == "11-15"


def test_does_not_overwrite_an_existing_file(tmp_path: Path) -> None:
    file = tmp_path / "precious.txt"
    file.write_text("precious")
    assert "already exists" in error_line("play", "checkers", "--save", file, code=2)
    assert "already exists" in play("checkers", lines="save precious.txt", directory=tmp_path)
    assert file.read_text() == "precious"


def test_the_game_continues_if_its_file_cannot_be_written(tmp_path: Path) -> None:
    output = play("checkers", "--save", tmp_path / "no" / "game.json", lines="11-15")
    assert "No such file or directory. The game continues without being saved to a file." in output
    assert len(moves_of("white", output)) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("checkers", "--side", "red"), "unknown side 'red' of checkers; available: black, white"),
        (("checkers", "--agent", "nobody"), "unknown agent 'nobody'"),
        (("checkers", "--position", "?"), "is not a valid FEN"),
        (("checkers", "--load", "missing.json"), "missing.json: cannot be read: No such file or directory"),
    ],
)
def test_invalid_options_are_one_line_errors(arguments: tuple[str, ...], message: str) -> None:
    assert message in error_line("play", *arguments, code=2)


def test_loading_a_record_of_another_game_is_an_error(tmp_path: Path) -> None:
    play("chess", "--save", tmp_path / "game.json", lines="quit")
    assert "contains a game of chess, not checkers" in error_line(
        "play", "checkers", "--load", tmp_path / "game.json", code=2
    )


@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_boards_without_moving_pieces_are_not_flipped_for_the_second_side(game: str) -> None:
    side = plyground.game(game).sides[1]
    assert draw(plyground.game(game).start(), color=False) in play(game, "--side", side, lines="quit")


def test_the_humans_move_is_drawn_before_the_reply() -> None:
    output = play("connect4", "--seed", "1", lines="4|quit")
    after = draw(plyground.game("connect4").start().play("4"), color=False)
    assert 0 < output.index(after) < output.index("yellow plays")


def test_moves_lists_the_legal_moves_in_standard_notation() -> None:
    output = play("chess", lines="moves|e4|quit")
    assert "white> moves\nNa3 Nc3 Nf3 Nh3 a3 a4 " in output
    assert re.search(r"black plays ([KQRBN][a-h]|[a-h][1-8]\n)", output)


def test_board_shows_the_board_again() -> None:
    start = draw(plyground.game("tictactoe").start(), color=False)
    assert play("tictactoe", lines="board|quit").count(start) == 2


def test_rules_explains_the_game() -> None:
    assert plyground.game("checkers").rules in play("checkers", lines="rules|quit")


def test_an_agent_accepts_a_draw_when_losing_and_declines_it_when_winning() -> None:
    position = "W:WK18,K19,K22:BK1"
    accepted = play("checkers", "--side", "white", "--position", position, lines="draw|quit")
    assert "Medium accepts the draw." in accepted
    assert "Game over: draw: agreement." in accepted
    declined = play("checkers", "--side", "black", "--position", position.replace("W:", "B:", 1), lines="draw|quit")
    assert "Medium declines the draw." in declined
