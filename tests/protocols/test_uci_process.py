"""`plyground uci` as a process, driven through pipes and by python-chess's engine client."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest

from cli.command_line import COMMAND, environment
from timeouts import SUBPROCESS_S

POSITIONS = [
    chess.STARTING_FEN,
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "8/8/4k3/8/2p5/8/B2K4/8 w - - 0 1",
]


@pytest.fixture(scope="module")
def client() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci([str(COMMAND), "uci"], timeout=SUBPROCESS_S, env=environment()) as engine:
        yield engine


def run(commands: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [COMMAND, "uci"], input=commands, capture_output=True, timeout=SUBPROCESS_S, env=environment(), check=False
    )


def test_the_end_of_the_input_ends_the_search_and_the_process() -> None:
    done = run(b"position startpos\ngo infinite\n")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith(b"bestmove ")
    assert done.stderr == b""


def test_garbage_does_not_end_the_process_but_quit_does() -> None:
    garbage = (
        b"\x00\xff\xfe" + b"go\xff\n" + b"A" * 300_000 + b"\nposition fen \xf0\x9f\n\r\n  \nfoo\ngo depth x\nstop\n"
    )
    done = run(garbage + b"isready\nquit\nuci\n")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert b"readyok" in lines
    assert b"uciok" not in lines
    assert done.stderr == b""


def test_starting_the_engine_imports_no_slow_packages() -> None:
    slow = ["chess", "fastapi", "numpy", "pydantic", "rich", "sqlalchemy", "torch"]
    code = (
        "import json, sys\n"
        "from plyground.cli.main import main\n"
        "sys.argv = ['plyground', 'uci']\n"
        "main()\n"
        f"print(json.dumps([name for name in {slow} if name in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="uci\nisready\nposition startpos moves e2e4\ngo depth 3\nquit\n",
        capture_output=True,
        text=True,
        timeout=SUBPROCESS_S,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert "readyok" in lines
    assert json.loads(lines[-1]) == []


@pytest.mark.parametrize("search", ["alphabeta", "mcts"])
def test_games_against_itself_end_without_illegal_moves(client: chess.engine.SimpleEngine, search: str) -> None:
    client.configure({"Search": search, "Hash": 8})
    for number, fen in enumerate(POSITIONS):
        board = chess.Board(fen)
        while board.outcome(claim_draw=True) is None and board.ply() < 24:
            played = client.play(board, chess.engine.Limit(nodes=400), game=number, info=chess.engine.INFO_ALL)
            assert played.move is not None
            assert played.move in board.legal_moves
            assert played.info["nodes"] > 0 or board.legal_moves.count() == 1
            if played.ponder is not None:
                after = board.copy()
                after.push(played.move)
                assert played.ponder in after.legal_moves
            board.push(played.move)


def test_games_with_a_clock_and_pondering_are_played(client: chess.engine.SimpleEngine) -> None:
    client.configure({"Search": "alphabeta"})
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01)
    for _ in range(10):
        played = client.play(board, limit, game="clock", ponder=True)
        assert played.move is not None
        assert played.move in board.legal_moves
        board.push(played.move)
        board.push(played.ponder if played.ponder is not None else next(iter(board.legal_moves)))


def test_analysis_with_several_lines_and_a_mate(client: chess.engine.SimpleEngine) -> None:
    board = chess.Board("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1")
    lines = client.analyse(board, chess.engine.Limit(depth=5), multipv=3)
    assert lines[0]["score"].white() == chess.engine.Mate(2)
    assert len(lines) == 3
    assert len({line["pv"][0] for line in lines}) == 3


def test_an_infinite_analysis_reports_until_it_is_stopped(client: chess.engine.SimpleEngine) -> None:
    with client.analysis(chess.Board(), root_moves=[chess.Move.from_uci("a2a3")]) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                assert info["pv"][0] == chess.Move.from_uci("a2a3")
                break
        analysis.stop()
        best = analysis.wait()
    assert best.move == chess.Move.from_uci("a2a3")
