"""`plyground play` reports the result of each finished game to the agent once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plyground import Position, game
from plyground.agents import agent
from plyground.agents.mcts import MctsAgent
from plyground.cli import session as session_module
from plyground.cli.session import Session, now

SPEC = "mcts(reuse=adaptive, simulations=50)"


def play(
    lines: str, monkeypatch: pytest.MonkeyPatch, position: Position | None = None, side: str = "x"
) -> tuple[list[str], MctsAgent]:
    """Play a session of tic-tac-toe with these input lines, separated by |; return the reports and the agent."""
    reports: list[str] = []
    original = MctsAgent.report_result

    def report_result(self: MctsAgent, result: str) -> None:
        reports.append(result)
        original(self, result)  # type: ignore[arg-type]

    remaining: Iterator[str] = iter(lines.split("|"))

    def next_line(_: Session) -> str:
        line = next(remaining, None)
        if line is None:
            raise EOFError
        return line

    monkeypatch.setattr(MctsAgent, "report_result", report_result)
    monkeypatch.setattr(Session, "read_line", next_line)
    monkeypatch.setattr(Session, "save_to_store", lambda _: None)
    monkeypatch.setattr(session_module, "print_line", lambda *_: None)
    opponent = agent(SPEC)
    assert isinstance(opponent, MctsAgent)
    Session(position or game("tictactoe").start(), side, opponent, seed=1, started=now()).run()
    return reports, opponent


@pytest.mark.parametrize(("text", "side", "result"), [("xx./oo./...", "x", "loss"), ("x.x/oo./x..", "x", "win")])
def test_a_finished_game_is_reported(text: str, side: str, result: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "c3" if result == "loss" else ""
    reports, _ = play(lines, monkeypatch, game("tictactoe").position(text), side)
    assert reports == [result]


def test_a_resignation_is_a_win_for_the_agent_and_keeps_its_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    reports, opponent = play("b2|resign|help", monkeypatch)
    assert reports == ["win"]
    assert opponent.keeps_tree
    assert opponent.tree is not None


def test_an_abandoned_game_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play("b2|quit", monkeypatch)[0] == []
    assert play("b2|new|b2", monkeypatch)[0] == []


def test_a_finished_game_that_continues_after_undo_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play("b2|resign|undo|resign|undo|undo|resign", monkeypatch)[0] == ["win"]


def test_each_game_of_a_session_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play("b2|resign|new|b2|new|resign|new", monkeypatch)[0] == ["win", "win"]


def test_a_game_that_was_over_when_it_was_loaded_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    finished = game("tictactoe").position("xxx/oo./...")
    assert play("help", monkeypatch, finished)[0] == []
