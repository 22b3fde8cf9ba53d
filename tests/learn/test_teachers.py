"""Teachers and their labelled games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import plyground
from plyground import ParseError, PlygroundError, Position, Record
from plyground.learn.games_file import CHUNK_GAMES
from plyground.learn.methods import make_learner
from plyground.learn.network import NetworkLearner
from plyground.learn.teachers import WIN_SCORE, label_record, make_teacher, play_game
from plyground.learn.uci import UciEngine
from plyground.networks import CompactNetwork
from plyground.networks.network import to_bytes
from plyground.records.formats import write_games
from plyground.store import Store

STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
"""Debian installs games outside the usual path; `make test` installs Stockfish."""
TINY = {"width": 16, "hidden": 8, "epochs": 1, "batch": 64, "match_games": 2, "depth": 1}


def start(spec: str) -> Position:
    """Return the start position of a game."""
    return plyground.game(spec).start()


def test_the_solver_labels_positions_with_their_exact_results() -> None:
    game = plyground.game("connect4")
    with make_teacher("solver", game.start(), nodes=1, depth=1) as teacher:
        assert teacher.label(game.position("121212")) == ("1", WIN_SCORE)
        assert teacher.label(game.position("2252576253462244111563365343671351441"))[1] == -WIN_SCORE
    with make_teacher("solver", start("tictactoe"), nodes=1, depth=1) as teacher:
        assert teacher.label(start("tictactoe"))[1] == 0


def test_tables_label_endgames_with_their_exact_results() -> None:
    game = plyground.game("checkers")
    with make_teacher("tables", game.start(), nodes=1, depth=2) as teacher:
        move, score = teacher.label(game.position("B:WK10:BK1"))
        assert (move in game.position("B:WK10:BK1").moves, score) == (True, 0)
        assert teacher.label(game.position("B:W30:BK1,K2,K3"))[1] == WIN_SCORE
        assert abs(teacher.label(game.start())[1]) < 200


def test_an_engine_labels_positions_by_search() -> None:
    game = plyground.game("chess")
    with make_teacher(f"uci:{STOCKFISH}", game.start(), nodes=200, depth=1) as teacher:
        teacher.new_game()
        move, score = teacher.label(game.position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"))
        assert (move, score) == ("a1a8", 9_999)
        assert teacher.label(game.position("6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 1"))[1] < -300
        first = play_game(teacher, game.start(), opening_plies=4, epsilon=0.1, seed=3)
        assert first == play_game(teacher, game.start(), opening_plies=4, epsilon=0.1, seed=3)
    assert len(first.moves) == len(first.scores)
    assert first.scores[:2] == [None, None]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/does/not/exist", "cannot start the UCI engine '/does/not/exist': No such file"),
        ("echo hello", "ended unexpectedly"),
        ("'unfinished", "invalid command"),
        (" ", "is empty"),
    ],
)
def test_engines_that_do_not_work_are_reported(command: str, message: str) -> None:
    with pytest.raises(PlygroundError, match=message):
        UciEngine(command, 10)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("uciok\nreadyok\nbestmove\n", "did not report a move"),
        ("uciok\nreadyok\ninfo score cp many\nbestmove e2e4\n", "invalid score"),
        ("uciok\nreadyok\n" + "x" * 100_000, "a line that is too long"),
    ],
)
def test_wrong_answers_of_an_engine_are_reported(answers: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "answers"
    file.write_text(answers)
    with UciEngine(f"sh -c 'cat {file}; cat > /dev/null'", 1) as engine, pytest.raises(PlygroundError, match=message):
        engine.search(start("chess"))


@pytest.mark.parametrize(
    ("spec", "teacher"),
    [("chess", "solver"), ("connect4", "uci:stockfish"), ("chess", "tables"), ("chess", "uci:"), ("chess", "nobody")],
)
def test_a_teacher_must_know_the_game(spec: str, teacher: str) -> None:
    with pytest.raises(ParseError, match="teacher must be self, solver"):
        make_learner("network", spec, {**TINY, "teacher": teacher}, seed=1)


def test_labelled_games_are_kept_in_a_file_and_an_interrupted_run_gives_the_same_bytes(tmp_path: Path) -> None:
    def learner(name: str) -> NetworkLearner:
        settings = {**TINY, "games": CHUNK_GAMES + 20, "teacher": "solver", "data": str(tmp_path / name)}
        made = make_learner("network", "tictactoe", settings, seed=4)
        assert isinstance(made, NetworkLearner)
        return made

    whole = learner("whole")
    while whole.games_played < whole.total_games:
        whole.play()
    first = learner("parts")
    for _ in range(CHUNK_GAMES + 5):
        first.play()
    checkpoint = first.checkpoint()
    parts = tmp_path / "parts"
    parts.write_bytes(parts.read_bytes() + b"\x10\x00\x00")  # killed while it appended a chunk
    second = learner("parts")
    second.restore([checkpoint])
    assert second.games_played == CHUNK_GAMES
    while second.games_played < second.total_games:
        second.play()
    assert parts.read_bytes() == (tmp_path / "whole").read_bytes()
    again = learner("parts")
    while again.games_played < again.total_games:
        again.play()
    expected, *others = (_bytes(one, tmp_path) for one in (whole, second, again))
    assert others == [expected, expected]


def _bytes(learner: NetworkLearner, folder: Path) -> bytes:
    network = learner.weight_set()
    assert isinstance(network, CompactNetwork)
    settings = {**network.settings, "data": str(folder)}
    return to_bytes(CompactNetwork(network.game, network.tensors, network.bucket_pieces, settings=settings))


def test_damaged_or_unsuitable_files_of_games_are_rejected(tmp_path: Path) -> None:
    file = tmp_path / "games"
    settings = {**TINY, "games": 3, "teacher": "solver", "data": str(file)}
    learner = make_learner("network", "tictactoe", settings, seed=1)
    for _ in range(3):
        learner.play()
    with pytest.raises(ParseError, match="made with other settings"):
        make_learner("network", "tictactoe", settings, seed=2)
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(ParseError, match="corrupted"):
        make_learner("network", "tictactoe", settings, seed=1)


def test_recorded_games_of_a_file_or_a_store_teach_moves_and_results(tmp_path: Path) -> None:
    drawn, lost, unfinished = (
        Record.from_position(plyground.game("tictactoe").position(moves=moves.split()), {})
        for moves in ("b2 a2 a1 c3 a3 c1 b1 b3 c2", "a1 b2 a2 a3 c2 c1", "b2")
    )
    other = Record("connect4", ("4",))
    file, store = tmp_path / "games.json", tmp_path / "store.db"
    write_games(file, [drawn, lost, unfinished, other])
    with Store(str(store)) as opened:
        opened.records.add_all([drawn, lost, unfinished, other])
    networks = []
    for source in (file, store):
        settings = {**TINY, "records": str(source), "teacher": "solver", "games": 10}
        learner = make_learner("network", "tictactoe", settings, seed=1)
        assert learner.total_games == 2
        for _ in range(2):
            learner.play()
        network = learner.weight_set()
        assert isinstance(network, CompactNetwork)
        networks.append(network.tensors)
    assert networks[0] == networks[1]
    with make_teacher("solver", start("tictactoe"), nodes=1, depth=1) as teacher:
        game = label_record(teacher, start("tictactoe"), lost)
    assert (game.moves, game.result) == (list(lost.moves), -1)
    assert game.scores[:2] == [0, 0]
    with pytest.raises(ParseError, match="contains no finished games of chess"):
        make_learner("network", "chess", {**TINY, "records": str(file)}, seed=1)


def test_games_file_needs_a_teacher_whose_games_do_not_depend_on_the_network() -> None:
    with pytest.raises(ParseError, match="data requires"):
        make_learner("network", "tictactoe", {**TINY, "data": "games"}, seed=1)
