"""Every command and option of `plyground uci`."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest

from exact.chess_endgames import syzygy_folder
from plyground.protocols.uci_options import OPTIONS, parse_setoption
from protocols.uci_session import Session, fields

MATE_IN_1 = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
MATE_IN_2 = "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1"
ONE_MOVE = "7k/8/8/8/8/8/qP6/K7 w - - 0 1"
"""White can only capture the queen."""
GARBAGE = "go position startpos fen moves setoption name value depth -1 99999999999999999999 e2e4 \x00 ü ½ \u0663"
SEARCHES = ("alphabeta", "mcts")


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Session()
    yield opened
    opened.engine.close()


def test_uci_declares_the_engine_and_its_options(session: Session) -> None:
    session.send("uci")
    lines = session.written()
    assert lines[0].startswith("id name Plyground ")
    assert lines[1].startswith("id author ")
    assert lines[-1] == "uciok"
    assert lines[2:-1] == [option.declaration for option in OPTIONS]


def test_isready_is_answered_at_once_even_during_a_search(session: Session) -> None:
    session.send("isready")
    assert session.written() == ["readyok"]
    session.send("go infinite", "isready")
    assert session.until("readyok")[-1] == "readyok"
    session.send("stop")
    assert session.until("bestmove")


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "limit",
    [
        "depth 3",
        "nodes 2000",
        "movetime 30",
        "wtime 1000 btime 1000 winc 10 binc 10",
        "wtime 1000 btime 1000 movestogo 1",
        "wtime 0 btime 0",
        "wtime -50 btime 1",
    ],
)
def test_a_search_ends_at_its_limit_with_a_legal_move(session: Session, search: str, limit: str) -> None:
    lines, best = session.ask(f"setoption name Search value {search}", "position startpos moves e2e4", f"go {limit}")
    assert (
        chess.Move.from_uci(best)
        in chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").legal_moves
    )
    assert all(line.startswith("info depth ") for line in lines)


def test_the_info_lines_contain_everything_that_guis_show(session: Session) -> None:
    lines, best = session.ask("setoption name UCI_ShowWDL value true", "position startpos", "go depth 5")
    assert [fields(line)["depth"] for line in lines[:5]] == ["1", "2", "3", "4", "5"]
    last = fields(lines[-1])
    assert set(last) == {
        "depth",
        "seldepth",
        "multipv",
        "score",
        "wdl",
        "nodes",
        "nps",
        "hashfull",
        "tbhits",
        "time",
        "pv",
    }
    assert last["pv"].split()[0] == best
    assert int(last["seldepth"]) >= 5
    assert int(last["nodes"]) > 100
    assert sum(map(int, last["wdl"].split())) == 1000
    board = chess.Board()
    for move in last["pv"].split():
        board.push_uci(move)


def test_the_number_of_nodes_is_limited_exactly_in_a_tree_search(session: Session) -> None:
    lines, _ = session.ask("setoption name Search value mcts", "go nodes 500")
    assert fields(lines[-1])["nodes"] == "500"


@pytest.mark.parametrize(
    ("fen", "score"),
    [(MATE_IN_1, "mate 1"), (MATE_IN_2, "mate 2"), ("7k/R7/6K1/8/8/8/8/8 b - - 0 1", "mate -1")],
)
def test_mates_have_exact_distances(session: Session, fen: str, score: str) -> None:
    lines, _ = session.ask(f"position fen {fen}", "go depth 6")
    assert fields(lines[-1])["score"] == score


@pytest.mark.parametrize(
    ("search", "fen", "moves", "best"), [("alphabeta", MATE_IN_2, 2, "b3g8"), ("mcts", MATE_IN_1, 1, "d1d8")]
)
def test_go_mate_searches_until_the_mate_is_found(
    session: Session, search: str, fen: str, moves: int, best: str
) -> None:
    lines, found = session.ask(f"setoption name Search value {search}", f"position fen {fen}", f"go mate {moves}")
    assert fields(lines[-1])["score"] == f"mate {moves}"
    assert found == best


@pytest.mark.parametrize("search", SEARCHES)
def test_searchmoves_restricts_the_search(session: Session, search: str) -> None:
    session.send(f"setoption name Search value {search}", f"position fen {MATE_IN_1}")
    lines, best = session.ask("go nodes 3000 searchmoves g1f1 h2h3")
    assert best in ("g1f1", "h2h3")
    assert {fields(line)["pv"].split()[0] for line in lines} <= {"g1f1", "h2h3"}
    lines, best = session.ask("go nodes 3000 searchmoves e2e4")
    assert any("ignored in searchmoves, because illegal: e2e4" in line for line in lines)
    assert best == "d1d8"


@pytest.mark.parametrize("search", SEARCHES)
def test_multipv_reports_the_best_moves_in_order(session: Session, search: str) -> None:
    session.send("setoption name MultiPV value 3", f"setoption name Search value {search}")
    lines, best = session.ask("position startpos", "go nodes 20000")
    last = [fields(line) for line in lines[-3:]]
    assert [line["multipv"] for line in last] == ["1", "2", "3"]
    firsts = [line["pv"].split()[0] for line in last]
    assert firsts[0] == best
    assert len(set(firsts)) == 3
    if search == "alphabeta":
        scores = [int(line["score"].split()[1]) for line in last]
        assert scores == sorted(scores, reverse=True)
        assert not any("bound" in line for line in lines[-3:])


def test_an_infinite_search_answers_only_after_stop(session: Session) -> None:
    session.send(f"position fen {MATE_IN_1}", "go infinite")
    lines = session.until("info depth")
    assert session.engine._search is not None
    session.engine._search._thread.join(0.2)  # the mate is found long before
    assert not any(line.startswith("bestmove") for line in session.written())
    session.send("stop")
    assert session.until("bestmove")[-1].startswith("bestmove d1d8")
    assert lines


@pytest.mark.parametrize("search", SEARCHES)
def test_pondering_answers_after_ponderhit_or_stop(session: Session, search: str) -> None:
    session.send(f"setoption name Search value {search}", "setoption name Ponder value true")
    session.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
    session.until("info depth")
    session.send("ponderhit")
    best = session.until("bestmove")[-1]
    assert best.split()[2] == "ponder"
    session.send("go ponder wtime 1000 btime 1000")
    session.until("info depth")
    session.send("stop")
    assert session.until("bestmove")
    session.send("go ponder depth 2")
    session.until("info depth")
    assert not any(line.startswith("bestmove") for line in session.written())
    session.send("ponderhit")
    assert session.until("bestmove")


def test_a_forced_move_is_played_at_once_on_the_clock_but_searched_in_an_analysis(session: Session) -> None:
    lines, best = session.ask(f"position fen {ONE_MOVE}", "go wtime 60000 btime 60000")
    assert (lines, best) == ([], "a1a2")
    session.send("setoption name UCI_AnalyseMode value true")
    lines, best = session.ask("go depth 6")
    assert best == "a1a2"
    assert fields(lines[-1])["pv"].startswith("a1a2 ")


def test_commands_without_a_search_to_end_are_harmless(session: Session) -> None:
    session.send("stop", "ponderhit", "ucinewgame", "debug on", "debug off", "register later")
    assert not [line for line in session.written() if "error" in line]


def test_debug_shows_the_commands(session: Session) -> None:
    session.send("debug on", "isready", "debug off", "isready")
    assert session.written() == [
        "info string received 'isready'",
        "readyok",
        "info string received 'debug off'",
        "readyok",
    ]


def test_a_new_search_ends_the_previous_one(session: Session) -> None:
    session.send("go infinite", "position startpos moves d2d4", "go depth 2")
    assert sum(line.startswith("bestmove") for line in session.until("bestmove") + session.until("bestmove")) == 2


@pytest.mark.parametrize(
    ("position", "answer"),
    [
        ("fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "bestmove (none)"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "bestmove (none)"),
    ],
)
def test_a_finished_game_has_no_best_move(session: Session, position: str, answer: str) -> None:
    session.send(f"position {position}", "go depth 3")
    assert session.written()[-1] == answer


@pytest.mark.parametrize(
    "position",
    [
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6",
        "fen 8/8/4k3/8/8/4K3/8/R7 w - - 100 80",
        "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1 moves e3e4 e6f6 e4f4",
    ],
)
def test_a_game_that_goes_on_after_a_draw_is_still_played(session: Session, position: str) -> None:
    words = position.split()
    at = words.index("moves") if "moves" in words else len(words)
    board = chess.Board() if words[0] == "startpos" else chess.Board(" ".join(words[1:at]))
    for move in words[at + 1 :]:
        board.push_uci(move)
    lines, best = session.ask(f"position {position}", "go depth 3")
    assert not any("error" in line for line in lines)
    assert chess.Move.from_uci(best) in board.legal_moves


def test_special_moves_are_written_as_in_the_protocol(session: Session) -> None:
    session.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8")
    assert session.written() == []
    assert session.engine._position.text.startswith("2kr3r/")
    _, best = session.ask("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1", "go depth 4")
    assert best == "a7a8q"


def test_an_invalid_position_keeps_the_last_one(session: Session) -> None:
    session.send("position startpos moves e2e4")
    for bad in ("", "fen", "fen nonsense", "startpos moves e2e4 e2e4", "startpos moves " + "a " * 6000, "moves e2e4"):
        session.send(f"position {bad}")
        (line,) = session.written()
        assert line.startswith("info string error: ")
    assert session.engine._position.history == ["e2e4"]


def test_options_are_set_and_bad_values_are_refused(session: Session) -> None:
    for good in (
        "name Hash value 1",
        "name threads value 2",
        "name MOVE OVERHEAD value 0",
        "name Search value MCTS",
        "name Network value <empty>",
        "name SyzygyPath value",
        "name Clear Hash",
        "name Ponder value false",
    ):
        session.send(f"setoption {good}")
        assert session.written() == []
    for bad, expected in (
        ("name Hash value 0", "option Hash must be an integer between 1 and 65536, got '0'"),
        ("name Hash value \u0663", "must be an integer"),
        ("name Hash value -1", "must be an integer"),
        ("name Ponder value maybe", "option Ponder must be true or false, got 'maybe'"),
        ("name Search value minimax", "option Search must be one of alphabeta, mcts"),
        ("name Network value nobody", "unknown network 'nobody'"),
        ("name SyzygyPath value /nowhere", "must be a folder"),
        ("name Contempt value 3", "unknown option 'Contempt'"),
        ("value 3", "expected: setoption name NAME"),
        ("", "expected: setoption name NAME"),
    ):
        session.send(f"setoption {bad}")
        (line,) = session.written()
        assert expected in line
        assert line.startswith("info string error: ")


def test_options_cannot_be_set_during_a_search(session: Session) -> None:
    session.send("go infinite", "setoption name Hash value 32", "stop")
    assert any("option Hash cannot be set during a search" in line for line in session.until("bestmove"))


def test_two_threads_and_a_small_table_play(session: Session) -> None:
    lines, best = session.ask("setoption name Threads value 2", "setoption name Hash value 1", "go nodes 60000")
    assert chess.Move.from_uci(best) in chess.Board().legal_moves
    assert 0 < int(fields(lines[-1])["hashfull"]) <= 1000


def test_a_new_game_forgets_the_last_one(session: Session) -> None:
    def nodes() -> str:
        return fields(session.ask("position startpos", "go depth 6")[0][-1])["nodes"]

    first = nodes()
    assert nodes() != first  # the table is kept
    session.send("ucinewgame")
    assert nodes() == first
    session.send("setoption name Clear Hash")
    assert nodes() == first


def test_syzygy_files_decide_endgames(session: Session) -> None:
    session.send(f"setoption name SyzygyPath value {syzygy_folder()}")
    lines, best = session.ask("position fen 8/8/8/8/8/4k3/8/4KQ2 w - - 0 1", "go depth 2")
    last = fields(lines[-1])
    assert int(last["tbhits"]) > 1
    assert last["score"] in ("cp 10000", "mate 9") or last["score"].startswith("mate ")
    assert chess.Move.from_uci(best) in chess.Board("8/8/8/8/8/4k3/8/4KQ2 w - - 0 1").legal_moves


def test_a_tablebase_draw_is_never_spoiled(session: Session) -> None:
    session.send(f"setoption name SyzygyPath value {syzygy_folder()}")
    fen = "8/8/8/8/8/5k2/6p1/6K1 w - - 0 1"
    assert len(list(chess.Board(fen).legal_moves)) == 1
    fen = "8/8/8/8/4k3/4p3/8/4K3 w - - 0 1"  # only e1e2 and e1d1/f1: opposition decides
    lines, best = session.ask(f"position fen {fen}", "go depth 2")
    assert int(fields(lines[-1])["tbhits"]) > 1
    assert best in ("e1e2", "e1d1", "e1f1")


def test_garbage_is_reported_and_ignored(session: Session) -> None:
    rng = random.Random(1)
    words = GARBAGE.split()
    for _ in range(200):
        line = " ".join(rng.choices(words, k=rng.randrange(6)))
        assert session.engine.handle(line)
        session.send("stop")
    session.send("x" * 100_000, "go depth one", "stop", "isready")
    written = session.written()
    assert written[-1] == "readyok"
    assert not [line for line in written if "internal error" in line]
    assert all("\n" not in line for line in written)


def test_the_value_of_an_option_may_contain_spaces() -> None:
    option, value = parse_setoption("name Network value my networks/best one.safetensors")
    assert (option.name, value) == ("Network", "my networks/best one.safetensors")
