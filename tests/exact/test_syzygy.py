"""Syzygy tablebases: agreement with python-chess, corrupted files, perfect play."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess
import pytest
from chess.syzygy import Tablebase, open_tablebase

from cli.command_line import error_line, run, run_json
from exact.chess_endgames import random_endgames, syzygy_folder, table_names
from plyground import ParseError, TablesError, game
from plyground.agents import Limit, agent
from plyground.exact.syzygy import MAX_REVERSIBLE_PLIES, NotInTablesError, Syzygy, open_syzygy
from plyground.levels import player

CHESS = game("chess")
PERFECT = f"syzygy(folder={syzygy_folder()}, depth=2)"
QUEEN = "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1"
"""A won position, eleven plies from mate."""


@pytest.fixture(scope="module")
def peer() -> Iterator[Tablebase]:
    with open_tablebase(str(syzygy_folder())) as tablebase:
        yield tablebase


def copy_files(target: Path, *names: str) -> Path:
    """Copy some of the files to a folder and return the folder."""
    for name in names:
        shutil.copy(syzygy_folder() / name, target)
    return target


@pytest.mark.parametrize("name", table_names())
def test_values_and_distances_agree_with_python_chess(peer: Tablebase, name: str) -> None:
    syzygy = open_syzygy(syzygy_folder())
    for board in islice(random_endgames(name, seed=len(name)), 30):
        wdl, dtz = peer.probe_wdl(board), peer.probe_dtz(board)
        found = syzygy.probe(board.fen())
        assert found.result == {2: "win", -2: "loss"}.get(wdl, "draw"), board.fen()
        assert (found.wdl, found.plies) == (wdl, abs(dtz)), board.fen()
        assert found.distance == (abs(dtz) or None), board.fen()


@pytest.mark.parametrize("name", ["KPvK", "KRvKB", "KBNvK", "KQvKR", "KPvKP"])
def test_the_agent_keeps_the_value_and_makes_progress(peer: Tablebase, name: str) -> None:
    perfect = agent(PERFECT)
    for board in islice(random_endgames(name, seed=3), 15):
        wdl, dtz = peer.probe_wdl(board), peer.probe_dtz(board)
        position = CHESS.position(board.fen())
        analysis = perfect.analyse(position, Limit(), seed=0)
        assert analysis.proven == {2: "win", -2: "loss"}.get(wdl, "draw")
        for move in analysis.moves:
            after = board.copy()
            after.push_uci(move.move)
            expected = {2: "loss", -2: "win"}.get(peer.probe_wdl(after), "draw")
            assert move.proven == expected, (board.fen(), move.move)
        chosen = chess.Move.from_uci(analysis.best.move)
        is_zeroing = board.is_zeroing(chosen)
        board.push(chosen)
        assert -peer.probe_wdl(board) == wdl
        if wdl == 2 and not is_zeroing and not board.is_checkmate():
            assert abs(peer.probe_dtz(board)) < dtz


@pytest.mark.parametrize("name", ["KBNvK", "KQvKR", "KPvK", "KBBvK", "KRvKP"])
def test_wins_won_endgames_against_the_best_defence(name: str) -> None:
    perfect = agent(PERFECT)
    syzygy = open_syzygy(syzygy_folder())
    won = (board.fen() for board in random_endgames(name, seed=1) if syzygy.probe(board.fen()).result == "win")
    for fen in islice(won, 3):
        position = CHESS.position(fen)
        winner = position.turn
        while position.outcome is None:
            position = position.play(perfect.analyse(position, Limit(), seed=0).best.move)
        assert position.outcome.winner == winner, fen


def test_holds_drawn_endgames_against_a_search() -> None:
    perfect, searcher = agent(PERFECT), agent("alphabeta(depth=3)")
    syzygy = open_syzygy(syzygy_folder())
    for name in ("KRvKN", "KQvKP", "KPvK"):
        drawn = (board.fen() for board in random_endgames(name, seed=2) if syzygy.probe(board.fen()).result == "draw")
        for fen in islice(drawn, 2):
            position = CHESS.position(fen)
            side = position.turn
            while position.outcome is None and position.ply < 60:
                mover = perfect if position.turn == side else searcher
                position = position.play(mover.analyse(position, Limit(), seed=0).best.move)
                assert mover is searcher or position.outcome is not None or syzygy.probe(position.text).result != "win"
            assert position.outcome is None or position.outcome.winner in (side, None), fen


def test_respects_the_50_move_rule() -> None:
    syzygy = open_syzygy(syzygy_folder())
    plies = syzygy.probe(QUEEN).plies
    for clock, value in [(MAX_REVERSIBLE_PLIES - plies, "win"), (MAX_REVERSIBLE_PLIES - plies + 1, "draw")]:
        late = QUEEN.replace(" 0 1", f" {clock} 80")
        assert syzygy.probe(late).result == value
        position = CHESS.position(late)
        analysis = agent(PERFECT).analyse(position, Limit(), seed=0)
        assert analysis.proven == value
        while position.outcome is None:
            position = position.play(agent(PERFECT).analyse(position, Limit(), seed=0).best.move)
        assert position.outcome.reason == ("checkmate" if value == "win" else "move limit")


def test_plays_for_a_cursed_win() -> None:
    """A win that the 50-move rule turns into a draw is played like a win: the opponent may err."""
    late = CHESS.position(QUEEN.replace(" 0 1", " 95 80"))
    soon = CHESS.position(QUEEN)
    moves = [position.play(agent(PERFECT).analyse(position, Limit(), seed=0).best.move) for position in (late, soon)]
    plies = [open_syzygy(syzygy_folder()).probe(position.text).plies for position in moves]
    assert plies == [10, 10]


def test_mate_and_bare_kings_need_no_table(tmp_path: Path) -> None:
    syzygy = Syzygy(copy_files(tmp_path, "KQvK.rtbw", "KQvK.rtbz"))
    assert syzygy.probe("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").result == "loss"
    assert syzygy.probe("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").distance == 0
    assert syzygy.probe("7k/8/6K1/8/8/8/8/8 b - - 0 1").result == "draw"


def test_the_fallback_agent_plays_outside_the_tables(tmp_path: Path) -> None:
    folder = copy_files(tmp_path, "KQvK.rtbw", "KQvK.rtbz", "KRvKP.rtbw", "KRvKP.rtbz", "KPvKP.rtbw")
    mixed, search = agent(f"syzygy(folder={folder}, fallback=alphabeta(depth=2))"), agent("alphabeta(depth=2)")
    for fen in [
        None,
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1",
    ]:
        position = CHESS.position(fen)
        assert mixed.analyse(position, Limit(), seed=0).proven is None
        assert mixed.analyse(position, Limit(), seed=0).best.move == search.analyse(position, Limit(), seed=0).best.move
    assert mixed.analyse(CHESS.position(QUEEN), Limit(), seed=0).proven == "win"


def test_the_tables_do_not_apply_to_other_games_or_draw_rules() -> None:
    assert agent(PERFECT).analyse(game("connect4").start(), Limit(), seed=0).best.move == "4"
    forced = game("chess(draws=forced)").position(QUEEN)
    assert agent(PERFECT).analyse(forced, Limit(), seed=0).nodes > 40


def test_missing_folders_and_files_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TablesError, match="no such folder"):
        open_syzygy(tmp_path / "nowhere")
    with pytest.raises(TablesError, match="no such folder"):
        open_syzygy(syzygy_folder() / "KQvK.rtbw")
    with pytest.raises(TablesError, match=r"no Syzygy files \(\.rtbw\)"):
        open_syzygy(tmp_path)
    copy_files(tmp_path, "KQvKR.rtbw")
    with pytest.raises(TablesError, match=r"no Syzygy files \(\.rtbz\)"):
        open_syzygy(tmp_path)
    copy_files(tmp_path, "KQvKR.rtbz", "KQvK.rtbw")
    syzygy = open_syzygy(tmp_path)
    with pytest.raises(NotInTablesError, match=r"KRvK\.rtbw, which KQvKR requires, is missing from"):
        syzygy.probe("8/8/8/3k4/2r5/8/8/K1Q5 b - - 0 1")
    with pytest.raises(NotInTablesError, match=r"KQvK\.rtbz, which KQvK requires, is missing from"):
        syzygy.probe(QUEEN)
    with pytest.raises(NotInTablesError, match="up to 4 pieces"):
        syzygy.probe("8/8/8/3k4/2r5/1QB5/8/K7 w - - 0 1")
    with pytest.raises(NotInTablesError, match="castling rights"):
        syzygy.probe("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    with pytest.raises(ParseError, match="not a valid FEN"):
        syzygy.probe("what")
    monkeypatch.delenv("PLYGROUND_SYZYGY", raising=False)
    with pytest.raises(TablesError, match="PLYGROUND_SYZYGY"):
        agent("syzygy").analyse(CHESS.position(QUEEN), Limit(), seed=0)
    monkeypatch.setenv("PLYGROUND_SYZYGY", str(syzygy_folder()))
    assert agent("syzygy").analyse(CHESS.position(QUEEN), Limit(), seed=0).proven == "win"


@pytest.mark.parametrize("name", ["KQvK.rtbw", "KQvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"])
@pytest.mark.parametrize(
    "corruption", ["empty", "truncated", "truncated by a block", "longer", "other format", "other table", "zeros"]
)
def test_a_corrupted_file_is_rejected(tmp_path: Path, name: str, corruption: str) -> None:
    copy_files(tmp_path, *(file.name for file in syzygy_folder().iterdir() if len(file.stem) == 4))
    file = tmp_path / name
    content = file.read_bytes()
    file.write_bytes(
        {
            "empty": b"",
            "truncated": content[: len(content) // 2 | 1],
            "truncated by a block": content[:-64],
            "longer": content + bytes(64),
            "other format": b"\x89PNG\r\n\x1a\n" + content[8:],
            "other table": (syzygy_folder() / name.replace("KQ", "KBN").replace("KP", "KBP")).read_bytes(),
            "zeros": content[:8] + bytes(len(content) - 8),
        }[corruption]
    )
    assert file.read_bytes() != content
    with pytest.raises(TablesError, match=f"{name}: .*download it again") as caught:
        open_syzygy(tmp_path).probe("8/8/8/8/1k6/8/3P4/K7 w - - 0 1")
    assert not isinstance(caught.value, NotInTablesError)


@pytest.mark.parametrize("name", ["KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"])
def test_a_changed_byte_gives_a_value_or_a_clear_error(tmp_path: Path, name: str) -> None:
    """A changed byte may alter a value, but never causes an exception other than `TablesError` or an infinite loop."""
    intact = (syzygy_folder() / name).read_bytes()
    copy_files(tmp_path, *(file.name for file in syzygy_folder().iterdir() if len(file.stem) == 4))
    for place in range(min(len(intact), 150)):
        (tmp_path / name).write_bytes(intact[:place] + bytes([intact[place] ^ 0x15]) + intact[place + 1 :])
        syzygy = Syzygy(tmp_path)
        for board in islice(random_endgames(name[:4], seed=place), 2):
            try:
                assert syzygy.probe(board.fen()).result in ("win", "draw", "loss")
            except TablesError as error:
                assert "download it again" in str(error)


def test_commands_use_the_tables() -> None:
    folder = str(syzygy_folder())
    assert run_json("tables", "probe", QUEEN, "--syzygy", folder) == {"value": "win", "distance": 11}
    assert run_json("tables", "probe", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "--syzygy", folder) == {
        "value": "draw",
        "distance": None,
    }
    output = run("tables", "probe", QUEEN, "--syzygy", folder).stdout
    assert output == "win (DTZ 11)\n"
    report = run_json("analyse", "chess", "--position", QUEEN, "--syzygy", folder)
    assert report["proven"] == "win"
    assert {move["proven"] for move in report["moves"]} == {"win", "draw"}


def test_levels_play_endgames_from_the_tables() -> None:
    easy = player("chess", "Easy", syzygy=syzygy_folder())
    assert easy.spec == "Easy with Syzygy"
    assert player("chess", easy.spec, syzygy=syzygy_folder()).spec == easy.spec
    with pytest.raises(ParseError, match="requires the tablebases: use --syzygy FOLDER"):
        player("chess", easy.spec)
    assert easy.analyse(CHESS.position(QUEEN), Limit(), seed=0).proven == "win"
    assert easy.analyse(CHESS.start(), Limit(), seed=0).simulations == 20
    perfect = player("chess", PERFECT, syzygy=syzygy_folder())
    assert perfect.spec == PERFECT
    game_played = run(
        "play", "chess", "--position", QUEEN, "--syzygy", syzygy_folder(), stdin="hint\nlevel Easy\nhint\n"
    )
    assert game_played.stdout.count("proven win") == 2
    assert "Easy with Syzygy takes over from the next move." in game_played.stdout


def test_invalid_uses_of_the_option_are_rejected(tmp_path: Path) -> None:
    for command in (["play"], ["analyse"]):
        line = error_line(*command, "checkers", "--syzygy", syzygy_folder(), code=2, in_process=True)
        assert "Syzygy tablebases are for chess" in line
        assert "no such folder" in error_line(*command, "chess", "--syzygy", tmp_path / "no", code=2, in_process=True)
    with pytest.raises(ParseError, match="fallback must name another agent"):
        agent(f"syzygy(folder={tmp_path}, fallback=syzygy)")


def test_a_folder_name_may_contain_spaces(tmp_path: Path) -> None:
    folder = tmp_path / "my files"
    folder.mkdir()
    copy_files(folder, "KQvK.rtbw", "KQvK.rtbz")
    assert agent(f"syzygy(folder={folder})").analyse(CHESS.position(QUEEN), Limit(), seed=0).proven == "win"
