"""`plyground play`, driven through its standard input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import plyground
from cli.command_line import error_line, run
from plyground.drawing import draw


def play(*arguments: str | Path, lines: str, directory: Path | None = None) -> str:
    """What a session prints in which these lines are typed; it must end well."""
    done = run("play", *arguments, stdin="".join(f"{line}\n" for line in lines.split("|")), directory=directory)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def played_by(side: str, output: str) -> list[str]:
    return re.findall(rf"{side} plays (\S+)", output)


@pytest.fixture(scope="module")
def tour() -> str:
    """A session in which many things are tried."""
    return play("checkers", "--seed", "1", lines="?||rubbish|1-2|hint|help|11-15|undo|11-15|flip|quit")


def test_the_agent_answers_each_move(tour: str) -> None:
    assert len(played_by("white", tour)) == 2


def test_the_same_seed_gives_the_same_answers() -> None:
    sessions = [play("chess", "--seed", "5", lines="e4|d4|a3") for _ in range(2)]
    assert sessions[0] == sessions[1]
    assert len(played_by("black", sessions[0])) >= 2


def test_the_seed_that_was_drawn_repeats_the_game() -> None:
    first = play("connect4", lines="4|4|4")
    seed = re.search(r"--seed (\d+)", first)
    assert seed is not None
    assert play("connect4", "--seed", seed[1], lines="4|4|4") == first


def test_the_prompt_says_whose_turn_it_is() -> None:
    assert "\nyellow> " in play("connect4", "--side", "yellow", lines="quit")


def test_the_person_sits_at_the_bottom() -> None:
    start = plyground.game("chess").start()
    assert draw(start, color=False) in play("chess", "--side", "white", lines="quit")
    assert "a   b   c" not in play("chess", "--side", "BLACK", lines="quit")


def test_flip_turns_the_board_round(tour: str) -> None:
    black_row = tour.split("black> flip\n")[1].lstrip("\n").splitlines()[0]
    assert black_row.split() == ["b", "b", "b", "b"]


def test_a_question_mark_lists_the_moves_as_people_count(tour: str) -> None:
    assert "black> ?\n9-13 9-14 10-14 10-15 11-15 11-16 12-16\n" in tour


def test_moves_are_read_in_any_notation() -> None:
    assert len(played_by("black", play("chess", lines="Nf3|undo|g1f3"))) == 2


def test_a_wrong_line_is_answered_and_the_game_goes_on(tour: str) -> None:
    assert 'black> rubbish\nmove "rubbish" is not a move' in tour
    assert 'black> 1-2\nmove "1-2" is illegal' in tour


def test_undo_takes_back_to_the_person_s_turn(tour: str) -> None:
    assert tour.count(draw(plyground.game("checkers").start(), color=False, flip=True)) == 2
    assert len(set(played_by("white", tour))) == 1


def test_undo_needs_a_move_of_the_person() -> None:
    assert "no move of yours" in play("checkers", "--side", "white", lines="undo")


def test_levels_can_be_changed_in_the_middle_of_a_game() -> None:
    session = play("connect4", "--seed", "2", lines="level|level hard|4|level nobody|hint|quit")
    assert "You play against Medium. Levels: Easy, Medium, Hard, Expert, Master" in session
    assert "From the next move on you play against Hard." in session
    assert "no agent is called 'nobody'" in session
    assert re.search(r"Hard would play \d \(\d+%\)", session)


def test_a_hint_is_refused_by_an_agent_without_opinion() -> None:
    assert "No hint: random has no opinion of positions." in play("chess", "--agent", "random", lines="hint|quit")


def test_a_forced_capture_is_told_in_words() -> None:
    output = play("checkers", "--side", "white", "--position", "W:W22:B17,18,1", lines="quit")
    assert "You must capture: 22x13 or 22x15\n" in output


def test_a_check_in_chess_is_not_called_a_capture() -> None:
    assert "capture" not in play("chess", "--position", "4k3/8/8/8/8/8/4r3/K7 w - - 0 1", lines="quit")


def test_enter_plays_the_only_move() -> None:
    output = play("checkers", "--position", "B:W6,14:B1", lines="")
    assert "There is one move, 1x17: Enter plays it." in output
    assert "You win. The game is over, black wins: no moves." in output


def test_enter_plays_nothing_where_there_is_a_choice(tour: str) -> None:
    assert "black> \nType a move" in tour


def test_a_game_that_is_over_takes_words_only() -> None:
    output = play("checkers", "--position", "B:W6,14:B1", lines="1x17|17-22|?|undo|quit")
    assert output.count("The game is over, black wins: no moves; accepted are") == 2
    assert "game over> undo\n" in output
    assert output.rstrip().endswith("black> quit")


def test_resigning_loses_and_can_be_taken_back() -> None:
    output = play("checkers", lines="resign|resign|undo|11-15")
    assert "You lose. The game is over, white wins: resignation." in output
    assert len(played_by("white", output)) == 1


def test_new_begins_again_with_another_seed() -> None:
    output = play("checkers", "--seed", "1", lines="11-15|new")
    seeds = re.findall(r"The seed is (\d+)", output)
    assert len(seeds) == len(set(seeds)) == 2
    assert output.count(draw(plyground.game("checkers").start(), color=False, flip=True)) == 2


def test_help_names_every_word(tour: str) -> None:
    for word in ("?", "undo", "hint", "flip", "resign", "save", "new", "help", "quit"):
        assert f"\n  {word}" in tour


def test_a_saved_game_goes_on_where_it_stood(tmp_path: Path) -> None:
    first = play("chess", "--seed", "9", "--save", "game.json", lines="e4|?", directory=tmp_path)
    assert first.endswith("Resume it with: plyground play chess --load game.json --save game.json\n")
    again = play("chess", "--load", "game.json", "--save", "game.json", lines="?|a3", directory=tmp_path)
    whole = play("chess", "--seed", "9", lines="e4|?|a3")
    assert played_by("black", first) + played_by("black", again) == played_by("black", whole)
    kept = json.loads((tmp_path / "game.json").read_text())
    assert kept["players"] == {"white": "human", "black": "Medium"}
    assert kept["moves"][::2] == ["e2e4", "a2a3"]


def test_the_side_is_remembered(tmp_path: Path) -> None:
    play("chess", "--side", "black", "--save", tmp_path / "game.json", lines="quit")
    assert "you are black, Medium is white" in play("chess", "--load", tmp_path / "game.json", lines="quit")


def test_save_needs_a_name_and_then_keeps_every_move(tmp_path: Path) -> None:
    output = play("checkers", lines="save|save my game.json|11-15|quit", directory=tmp_path)
    assert "Say into which file" in output
    assert "Saved to my game.json" in output
    assert "--load 'my game.json'" in output
    assert len(json.loads((tmp_path / "my game.json").read_text())["moves"]) == 2


def test_a_resigned_game_is_over_when_it_is_loaded(tmp_path: Path) -> None:
    play("checkers", "--save", tmp_path / "game.json", lines="11-15|resign")
    assert "white wins: resignation" in play("checkers", "--load", tmp_path / "game.json", lines="quit")


def test_a_game_that_ended_by_the_rules_can_be_taken_back_when_it_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play("checkers", "--position", "B:W6,14:B1", "--save", file, lines="1x17")
    assert play("checkers", "--load", file, lines="undo|quit").rstrip().endswith("black> quit")


def test_a_new_game_leaves_the_old_file_alone(tmp_path: Path) -> None:
    play("checkers", "--save", tmp_path / "game.json", lines="11-15|new|9-13")
    assert json.loads((tmp_path / "game.json").read_text())["moves"][0] == "11-15"


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "precious.txt"
    file.write_text("precious")
    assert "exists already" in error_line("play", "checkers", "--save", file, code=2)
    assert "exists already" in play("checkers", lines="save precious.txt", directory=tmp_path)
    assert file.read_text() == "precious"


def test_a_file_that_cannot_be_written_does_not_stop_the_game(tmp_path: Path) -> None:
    output = play("checkers", "--save", tmp_path / "no" / "game.json", lines="11-15")
    assert "No such file or directory; the game goes on without a file" in output
    assert len(played_by("white", output)) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("checkers", "--side", "red"), "no side of checkers is called 'red'; there are: black, white"),
        (("checkers", "--agent", "nobody"), "no agent is called 'nobody'"),
        (("checkers", "--position", "?"), "is not a position"),
        (("checkers", "--load", "missing.json"), "missing.json: it cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_begin_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert message in error_line("play", *arguments, code=2)


def test_a_record_of_another_game_is_refused(tmp_path: Path) -> None:
    play("chess", "--save", tmp_path / "game.json", lines="quit")
    assert "it is a game of chess, not of checkers" in error_line(
        "play", "checkers", "--load", tmp_path / "game.json", code=2
    )
