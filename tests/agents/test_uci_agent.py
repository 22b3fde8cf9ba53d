"""External UCI engines as agents, with our own engine as the external one."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

import plyground as pg
from cli.command_line import COMMAND
from plyground import ParseError
from plyground.agents import Analysis, Budget, Limit, agent, uci_process
from plyground.agents.uci import UciAgent
from plyground.errors import UciEngineError
from stopping import LONG_S, stop_while_running

MATE_IN_2 = "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1"
SPEC = f"uci(command={COMMAND} uci, nodes=2000, lines=2)"


@pytest.fixture(scope="module")
def engine() -> Iterator[UciAgent]:
    made = agent(SPEC)
    assert isinstance(made, UciAgent)
    yield made
    made.close()


def script(folder: Path, body: str) -> str:
    """Return the command of an engine that runs these lines of Python after the handshake."""
    file = folder / "engine.py"
    file.write_text(
        "import os, sys, time\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'uci': print('uciok', flush=True)\n"
        "    elif word == 'isready': print('readyok', flush=True)\n"
        f"    elif word == 'go': {body}\n"
    )
    return f"{sys.executable} {file}"


def test_the_engine_evaluates_and_plays(engine: UciAgent) -> None:
    position = pg.game("chess").position(moves=["e2e4", "e7e5"])
    reports: list[Analysis] = []
    analysis = engine.analyse(position, report=reports.append)
    assert analysis.best.move in position.moves
    assert [move.move for move in analysis.moves] == position.moves
    assert analysis.value == analysis.best.value is not None
    assert analysis.value == pytest.approx(0.5, abs=0.2)
    assert analysis.nodes >= 2000
    assert analysis.mean_depth >= 1
    assert len(analysis.pv) > 1
    evaluated = [move for move in analysis.moves if move.value is not None and move.bound is None]
    assert len(evaluated) == 2
    assert analysis.best.share == 1.0
    process = engine._process
    assert engine.play(position.play("g1f3"), nodes=100) in position.play("g1f3").moves
    assert engine._process is process


def test_a_mate_is_worth_a_win_but_is_not_proven(engine: UciAgent) -> None:
    analysis = engine.analyse(pg.game("chess").position(MATE_IN_2), depth=5)
    assert (analysis.best.move, analysis.value, analysis.proven) == ("b3g8", 1.0, None)


def test_moves_can_be_restricted(engine: UciAgent) -> None:
    start = pg.game("chess").start()
    assert engine.analyse(start, nodes=500, moves=["a2a3", "h2h4"]).best.move in ("a2a3", "h2h4")


def test_a_stop_from_another_thread_ends_the_search(engine: UciAgent) -> None:
    start = pg.game("chess").start()
    analysis = stop_while_running(lambda: engine.analyse(start, Limit(depth=200)), engine.stop)
    assert analysis.best.move in start.moves
    assert analysis.mean_depth < 200


def test_the_deadline_of_the_budget_ends_the_search(engine: UciAgent) -> None:
    start = pg.game("chess").start()
    outer = Budget(Limit(seconds=0.05))
    with outer:
        analysis = engine.analyse(start, Limit(depth=200))
    assert analysis.best.move in start.moves
    assert analysis.seconds < LONG_S


def test_it_plays_matches_against_our_agents() -> None:
    with_engine = agent(f"uci(command={COMMAND} uci, nodes=50)")
    try:
        result = pg.match("chess", with_engine, "random", games=2, max_plies=20, seed=1)
    finally:
        with_engine.clear()
    assert len(result.records) == 2


def test_the_process_ends_with_its_agent() -> None:
    made = agent(f"uci(command={COMMAND} uci, nodes=50)")
    assert isinstance(made, UciAgent)
    made.play(pg.game("chess").start())
    process = made._process
    assert process is not None
    transport = process._transport
    reference = weakref.ref(process)
    del made, process
    gc.collect()
    assert reference() is None
    assert transport.is_closing()


def test_only_chess_is_played(engine: UciAgent) -> None:
    with pytest.raises(ParseError, match="agent uci plays only chess, not checkers"):
        engine.analyse(pg.game("checkers").start())


def test_a_missing_command_is_an_error() -> None:
    with pytest.raises(UciEngineError, match="the UCI engine '/nowhere/engine' was not found"):
        agent("uci", command="/nowhere/engine").analyse(pg.game("chess").start())
    with pytest.raises(UciEngineError, match="has an invalid command"):
        agent("uci", command="engine 'unclosed").analyse(pg.game("chess").start())


def test_a_program_that_is_no_uci_engine_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_process, "START_S", 0.1)
    with pytest.raises(UciEngineError, match="did not start within"):
        agent("uci", command="cat").analyse(pg.game("chess").start())


def test_a_crash_is_an_error_and_the_next_analysis_starts_a_new_process(tmp_path: Path) -> None:
    flag = tmp_path / "crashed"
    die = f"open({str(flag)!r}, 'x') and sys.exit(1)"
    body = f"print('bestmove e2e4', flush=True) if os.path.exists({str(flag)!r}) else {die}"
    made = agent("uci", command=script(tmp_path, body))
    assert isinstance(made, UciAgent)
    with pytest.raises(UciEngineError, match=r"failed: .*died"):
        made.analyse(pg.game("chess").start())
    assert made.play(pg.game("chess").start()) == "e2e4"
    made.close()


def test_an_engine_that_ignores_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_process, "STOP_S", 0.05)
    monkeypatch.setattr(uci_process, "QUIT_S", 0.05)
    made = agent("uci", command=script(tmp_path, "print('info depth 1', flush=True); time.sleep(1000)"))
    assert isinstance(made, UciAgent)
    with pytest.raises(UciEngineError, match="does not respond"):
        made.analyse(pg.game("chess").start(), seconds=0.05)
    made.close()


def test_a_silent_engine_is_considered_hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_process, "SILENCE_S", 0.05)
    monkeypatch.setattr(uci_process, "QUIT_S", 0.05)
    made = agent("uci", command=script(tmp_path, "time.sleep(1000)"))
    assert isinstance(made, UciAgent)
    with pytest.raises(UciEngineError, match="does not respond"):
        made.analyse(pg.game("chess").start())
    made.close()


def test_an_illegal_move_of_the_engine_is_an_error(tmp_path: Path) -> None:
    made = agent("uci", command=script(tmp_path, "print('bestmove e2e5', flush=True)"))
    assert isinstance(made, UciAgent)
    with pytest.raises(UciEngineError, match="failed: illegal uci"):
        made.analyse(pg.game("chess").start())
    made.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"elo": 1500}, "has no option UCI_LimitStrength"), ({"hash": 2**20}, "must be between 1 and 65536, got 1048576")],
)
def test_options_that_the_engine_lacks_are_errors(options: dict[str, int], message: str) -> None:
    with pytest.raises(ParseError, match=message):
        agent("uci", command=f"{COMMAND} uci", **options).analyse(pg.game("chess").start())


def test_the_engines_probabilities_of_win_draw_and_loss_give_the_value(tmp_path: Path) -> None:
    body = "print('info depth 9 score cp 300 wdl 500 300 200 nodes 7 pv d2d4 d7d5 z9z9\\nbestmove d2d4', flush=True)"
    made = agent("uci", command=script(tmp_path, body))
    assert isinstance(made, UciAgent)
    analysis = made.analyse(pg.game("chess").start())
    assert analysis.value == pytest.approx(0.65)
    assert (analysis.nodes, analysis.mean_depth) == (7, 9.0)
    made.close()


def test_processes_do_not_survive_the_program() -> None:
    code = (
        "from plyground.agents import agent; import plyground as pg\n"
        f"made = agent({SPEC!r}); made.play(pg.game('chess').start())\n"
        "print(made._process._transport.get_pid())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG_S, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
    assert done.stderr == ""
