"""Syzygy files of chess: what is said is what python-chess reads; damage is told; play by them is perfect."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess
import pytest
from chess.syzygy import Tablebase, open_tablebase

from cli.command_line import error_line, run, run_json
from exact.chess_endings import random_endings, slices, syzygy_folder
from plyground import ParseError, TablesError, game
from plyground.agents import Limit, agent
from plyground.exact.syzygy import QUIET, NotInFilesError, Syzygy, open_syzygy
from plyground.levels import player

CHESS = game("chess")
PERFECT = f"syzygy(folder={syzygy_folder()}, depth=2)"
QUEEN = "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1"
"""A win, eleven plies from mate."""


@pytest.fixture(scope="module")
def peer() -> Iterator[Tablebase]:
    with open_tablebase(str(syzygy_folder())) as files:
        yield files


def copied(target: Path, *names: str) -> Path:
    """A folder with some of the files."""
    for name in names:
        shutil.copy(syzygy_folder() / name, target)
    return target


@pytest.mark.parametrize("name", slices())
def test_values_and_distances_are_those_of_python_chess(peer: Tablebase, name: str) -> None:
    files = open_syzygy(syzygy_folder())
    for board in islice(random_endings(name, seed=len(name)), 30):
        wdl, dtz = peer.probe_wdl(board), peer.probe_dtz(board)
        ending = files.probe(board.fen())
        assert ending.value == {2: "win", -2: "loss"}.get(wdl, "draw"), board.fen()
        assert (ending.wdl, ending.plies) == (wdl, abs(dtz)), board.fen()
        assert ending.distance == (abs(dtz) or None), board.fen()


@pytest.mark.parametrize("name", ["KPvK", "KRvKB", "KBNvK", "KQvKR", "KPvKP"])
def test_the_agent_keeps_the_value_and_comes_nearer_by_each_move(peer: Tablebase, name: str) -> None:
    perfect = agent(PERFECT)
    for board in islice(random_endings(name, seed=3), 15):
        wdl, dtz = peer.probe_wdl(board), peer.probe_dtz(board)
        position = CHESS.position(board.fen())
        analysis = perfect.analyse(position, Limit(), seed=0)
        assert analysis.known == {2: "win", -2: "loss"}.get(wdl, "draw")
        for move in analysis.moves:
            after = board.copy()
            after.push_uci(move.move)
            worth = {2: "loss", -2: "win"}.get(peer.probe_wdl(after), "draw")
            assert move.known == worth, (board.fen(), move.move)
        chosen = chess.Move.from_uci(analysis.best.move)
        anew = board.is_zeroing(chosen)
        board.push(chosen)
        assert -peer.probe_wdl(board) == wdl
        if wdl == 2 and not anew and not board.is_checkmate():
            assert abs(peer.probe_dtz(board)) < dtz


@pytest.mark.parametrize("name", ["KBNvK", "KQvKR", "KPvK", "KBBvK", "KRvKP"])
def test_won_endings_are_won_against_the_longest_resistance(name: str) -> None:
    perfect = agent(PERFECT)
    files = open_syzygy(syzygy_folder())
    won = (board.fen() for board in random_endings(name, seed=1) if files.probe(board.fen()).value == "win")
    for fen in islice(won, 3):
        position = CHESS.position(fen)
        winner = position.turn
        while position.outcome is None:
            position = position.play(perfect.analyse(position, Limit(), seed=0).best.move)
        assert position.outcome.winner == winner, fen


def test_drawn_endings_are_held_against_a_search() -> None:
    perfect, searcher = agent(PERFECT), agent("alphabeta(depth=3)")
    files = open_syzygy(syzygy_folder())
    for name in ("KRvKN", "KQvKP", "KPvK"):
        drawn = (board.fen() for board in random_endings(name, seed=2) if files.probe(board.fen()).value == "draw")
        for fen in islice(drawn, 2):
            position = CHESS.position(fen)
            side = position.turn
            while position.outcome is None and position.ply < 60:
                mover = perfect if position.turn == side else searcher
                position = position.play(mover.analyse(position, Limit(), seed=0).best.move)
                assert mover is searcher or position.outcome is not None or files.probe(position.text).value != "win"
            assert position.outcome is None or position.outcome.winner in (side, None), fen


def test_the_50_move_rule_counts() -> None:
    files = open_syzygy(syzygy_folder())
    plies = files.probe(QUEEN).plies
    for clock, value in [(QUIET - plies, "win"), (QUIET - plies + 1, "draw")]:
        late = QUEEN.replace(" 0 1", f" {clock} 80")
        assert files.probe(late).value == value
        position = CHESS.position(late)
        analysis = agent(PERFECT).analyse(position, Limit(), seed=0)
        assert analysis.known == value
        while position.outcome is None:
            position = position.play(agent(PERFECT).analyse(position, Limit(), seed=0).best.move)
        assert position.outcome.reason == ("checkmate" if value == "win" else "move limit")


def test_a_win_too_late_is_still_tried() -> None:
    """A draw by the rule alone goes on as a win would: the other side may err."""
    late = CHESS.position(QUEEN.replace(" 0 1", " 95 80"))
    soon = CHESS.position(QUEEN)
    tried = [position.play(agent(PERFECT).analyse(position, Limit(), seed=0).best.move) for position in (late, soon)]
    plies = [open_syzygy(syzygy_folder()).probe(position.text).plies for position in tried]
    assert plies == [10, 10]


def test_mate_and_bare_kings_need_no_file(tmp_path: Path) -> None:
    files = Syzygy(copied(tmp_path, "KQvK.rtbw", "KQvK.rtbz"))
    assert files.probe("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").value == "loss"
    assert files.probe("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").distance == 0
    assert files.probe("7k/8/6K1/8/8/8/8/8 b - - 0 1").value == "draw"


def test_where_the_files_end_another_agent_plays(tmp_path: Path) -> None:
    few = copied(tmp_path, "KQvK.rtbw", "KQvK.rtbz", "KRvKP.rtbw", "KRvKP.rtbz", "KPvKP.rtbw")
    mixed, search = agent(f"syzygy(folder={few}, otherwise=alphabeta(depth=2))"), agent("alphabeta(depth=2)")
    for fen in [
        None,
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1",
    ]:
        position = CHESS.position(fen)
        assert mixed.analyse(position, Limit(), seed=0).known is None
        assert mixed.analyse(position, Limit(), seed=0).best.move == search.analyse(position, Limit(), seed=0).best.move
    assert mixed.analyse(CHESS.position(QUEEN), Limit(), seed=0).known == "win"


def test_other_games_and_other_draw_rules_are_not_what_the_files_know() -> None:
    assert agent(PERFECT).analyse(game("connect4").start(), Limit(), seed=0).best.move == "4"
    forced = game("chess(draws=forced)").position(QUEEN)
    assert agent(PERFECT).analyse(forced, Limit(), seed=0).nodes > 40


def test_missing_folders_and_files_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TablesError, match="no such folder"):
        open_syzygy(tmp_path / "nowhere")
    with pytest.raises(TablesError, match="no such folder"):
        open_syzygy(syzygy_folder() / "KQvK.rtbw")
    with pytest.raises(TablesError, match=r"no Syzygy files \(\.rtbw\)"):
        open_syzygy(tmp_path)
    copied(tmp_path, "KQvKR.rtbw")
    with pytest.raises(TablesError, match=r"no Syzygy files \(\.rtbz\)"):
        open_syzygy(tmp_path)
    copied(tmp_path, "KQvKR.rtbz", "KQvK.rtbw")
    files = open_syzygy(tmp_path)
    with pytest.raises(NotInFilesError, match=r"KRvK\.rtbw is missing in .*, which KQvKR needs"):
        files.probe("8/8/8/3k4/2r5/8/8/K1Q5 b - - 0 1")
    with pytest.raises(NotInFilesError, match=r"KQvK\.rtbz is missing in .*, which KQvK needs"):
        files.probe(QUEEN)
    with pytest.raises(NotInFilesError, match="up to 4 pieces"):
        files.probe("8/8/8/3k4/2r5/1QB5/8/K7 w - - 0 1")
    with pytest.raises(NotInFilesError, match="may castle"):
        files.probe("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    with pytest.raises(ParseError, match="not a position"):
        files.probe("what")
    monkeypatch.delenv("PLYGROUND_SYZYGY", raising=False)
    with pytest.raises(TablesError, match="PLYGROUND_SYZYGY"):
        agent("syzygy").analyse(CHESS.position(QUEEN), Limit(), seed=0)
    monkeypatch.setenv("PLYGROUND_SYZYGY", str(syzygy_folder()))
    assert agent("syzygy").analyse(CHESS.position(QUEEN), Limit(), seed=0).known == "win"


@pytest.mark.parametrize("name", ["KQvK.rtbw", "KQvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"])
@pytest.mark.parametrize(
    "harm", ["empty", "shorter", "shorter by whole blocks", "longer", "foreign", "exchanged", "zeros"]
)
def test_a_damaged_file_is_refused(tmp_path: Path, name: str, harm: str) -> None:
    copied(tmp_path, *(file.name for file in syzygy_folder().iterdir() if len(file.stem) == 4))
    file = tmp_path / name
    content = file.read_bytes()
    file.write_bytes(
        {
            "empty": b"",
            "shorter": content[: len(content) // 2 | 1],
            "shorter by whole blocks": content[:-64],
            "longer": content + bytes(64),
            "foreign": b"\x89PNG\r\n\x1a\n" + content[8:],
            "exchanged": (syzygy_folder() / name.replace("KQ", "KBN").replace("KP", "KBP")).read_bytes(),
            "zeros": content[:8] + bytes(len(content) - 8),
        }[harm]
    )
    assert file.read_bytes() != content
    with pytest.raises(TablesError, match=f"{name}: .*fetch it again") as caught:
        open_syzygy(tmp_path).probe("8/8/8/8/1k6/8/3P4/K7 w - - 0 1")
    assert not isinstance(caught.value, NotInFilesError)


@pytest.mark.parametrize("name", ["KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"])
def test_any_changed_byte_gives_an_answer_or_an_error(tmp_path: Path, name: str) -> None:
    """A byte in the middle can change a value unseen; nothing else comes of it: no other exception, no endless loop."""
    sound = (syzygy_folder() / name).read_bytes()
    copied(tmp_path, *(file.name for file in syzygy_folder().iterdir() if len(file.stem) == 4))
    for place in range(min(len(sound), 150)):
        (tmp_path / name).write_bytes(sound[:place] + bytes([sound[place] ^ 0x15]) + sound[place + 1 :])
        files = Syzygy(tmp_path)
        for board in islice(random_endings(name[:4], seed=place), 2):
            try:
                assert files.probe(board.fen()).value in ("win", "draw", "loss")
            except TablesError as error:
                assert "fetch it again" in str(error)


def test_commands_ask_the_files() -> None:
    folder = str(syzygy_folder())
    assert run_json("tables", "probe", QUEEN, "--syzygy", folder) == {"value": "win", "distance": 11}
    assert run_json("tables", "probe", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "--syzygy", folder) == {
        "value": "draw",
        "distance": None,
    }
    said = run("tables", "probe", QUEEN, "--syzygy", folder).stdout
    assert said == "win, 11 plies to a capture, pawn move or mate\n"
    report = run_json("analyse", "chess", "--position", QUEEN, "--syzygy", folder)
    assert report["known"] == "win"
    assert {move["known"] for move in report["moves"]} == {"win", "draw"}


def test_levels_play_endings_by_the_files() -> None:
    easy = player("chess", "Easy", syzygy=syzygy_folder())
    assert easy.spec == "Easy with Syzygy"
    assert player("chess", easy.spec, syzygy=syzygy_folder()).spec == easy.spec
    with pytest.raises(ParseError, match="needs the files: accepted is --syzygy FOLDER"):
        player("chess", easy.spec)
    assert easy.analyse(CHESS.position(QUEEN), Limit(), seed=0).known == "win"
    assert easy.analyse(CHESS.start(), Limit(), seed=0).simulations == 20
    same = player("chess", PERFECT, syzygy=syzygy_folder())
    assert same.spec == PERFECT
    game_played = run(
        "play", "chess", "--position", QUEEN, "--syzygy", syzygy_folder(), stdin="hint\nlevel Easy\nhint\n"
    )
    assert game_played.stdout.count("a certain win") == 2
    assert "From the next move on you play against Easy with Syzygy." in game_played.stdout


def test_wrong_uses_of_the_option_are_told(tmp_path: Path) -> None:
    for command in (["play"], ["analyse"]):
        line = error_line(*command, "checkers", "--syzygy", syzygy_folder(), code=2, here=True)
        assert "Syzygy files are for chess" in line
        assert "no such folder" in error_line(*command, "chess", "--syzygy", tmp_path / "no", code=2, here=True)
    with pytest.raises(ParseError, match="another agent"):
        agent(f"syzygy(folder={tmp_path}, otherwise=syzygy)")


def test_a_folder_may_have_spaces_in_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "my files"
    folder.mkdir()
    copied(folder, "KQvK.rtbw", "KQvK.rtbz")
    assert agent(f"syzygy(folder={folder})").analyse(CHESS.position(QUEEN), Limit(), seed=0).known == "win"
