"""Each agent receives the result of a finished game once."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pytest

from plyground import Outcome, Position, game
from plyground.agents import Agent, agent
from plyground.agents.mcts import MctsAgent
from plyground.arena import LocalExecutor, Match, Rules, Schedule, SerialExecutor, play_game
from plyground.arena.clock import Clock

ADAPTIVE = "mcts(reuse=adaptive, simulations=20)"
LEVEL = '[[level]]\nname = "Adaptive"\nagent = "mcts(reuse=adaptive)"\nsimulations = 20\n'


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, str]]:
    """The agent and the result of each report to a tree search agent in this process."""
    found: list[tuple[object, str]] = []
    original = MctsAgent.report_result

    def report_result(self: MctsAgent, result: str) -> None:
        found.append((self, result))
        original(self, result)  # type: ignore[arg-type]

    monkeypatch.setattr(MctsAgent, "report_result", report_result)
    return found


def seats(name: str = "tictactoe") -> dict[str, Agent]:
    return {side: agent(ADAPTIVE) for side in game(name).sides}


def test_both_agents_receive_the_result(reports: list[tuple[object, str]]) -> None:
    players = seats()
    record = play_game(game("tictactoe").position("xx./oo./..."), players, seed=1)
    assert record.outcome == Outcome("x", "line")
    assert reports == [(players["x"], "win"), (players["o"], "loss")]


@pytest.mark.parametrize(
    ("ending", "results"),
    [("adjudication", ["loss", "win"]), ("ply limit", ["draw", "draw"]), ("time", ["loss", "win"])],
)
def test_every_ending_is_reported(ending: str, results: list[str], reports: list[tuple[object, str]]) -> None:
    def adjudicate(_: Position) -> Outcome | None:
        return Outcome("yellow", "adjudicated") if ending == "adjudication" else None

    record = play_game(
        game("connect4").start(),
        seats("connect4"),
        seed=1,
        max_plies=3 if ending == "ply limit" else 100,
        adjudicate=adjudicate,
        clock=Clock(1e-9, 0) if ending == "time" else None,
    )
    assert record.outcome is not None
    assert record.outcome.reason == {"adjudication": "adjudicated"}.get(ending, ending)
    assert [result for _, result in reports] == results


def test_an_aborted_game_is_not_reported(reports: list[tuple[object, str]]) -> None:
    def abort(position: Position) -> None:
        if position.ply == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_game(game("tictactoe").start(), seats(), seed=1, watch=abort)
    assert reports == []


def test_the_agents_in_a_match_receive_every_result_from_their_point_of_view(reports: list[tuple[object, str]]) -> None:
    a, b = agent(ADAPTIVE), agent("mcts(reuse=adaptive, simulations=1)")
    points = [one.points for one in Match(game("connect4"), a, b, games=6, seed=2).play()]
    values = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    assert [values[result] for player, result in reports if player is a] == points
    assert [values[result] for player, result in reports if player is b] == [1 - point for point in points]


def test_losing_a_match_turns_off_adaptive_reuse() -> None:
    loser = agent("mcts(reuse=adaptive, simulations=1)")
    assert isinstance(loser, MctsAgent)
    for _ in Match(game("connect4"), loser, agent("mcts(simulations=300)"), games=4, seed=2).play():
        pass
    assert not loser.keeps_tree
    assert loser.tree is None


def log_reports(path: Path) -> None:
    """Log each result reported to an agent in this process to a file; every worker process calls this."""
    original = MctsAgent.report_result

    def report_result(self: MctsAgent, result: str) -> None:
        with path.open("a") as file:
            file.write(f"{os.getpid()} {self.spec} {result}\n")
        original(self, result)  # type: ignore[arg-type]

    MctsAgent.report_result = report_result  # type: ignore[method-assign]


@pytest.fixture
def level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a user-defined level with adaptive reuse."""
    file = tmp_path / "levels.toml"
    file.write_text(LEVEL)
    monkeypatch.setenv("PLYGROUND_LEVELS", str(file))
    return "Adaptive"


def test_worker_processes_report_the_results_of_tournament_games(tmp_path: Path, level: str) -> None:
    schedule = Schedule(Rules("tictactoe"), (level, "random"), games=4, seed=3)
    log = tmp_path / "reports"
    executor = LocalExecutor(2, functools.partial(log_reports, log))
    values = {"x": "win", "o": "loss", None: "draw"}
    expected = []
    for scheduled, record in executor.run(schedule.scheduled_games()):
        assert record.outcome is not None
        result = values[record.outcome.winner]
        is_first = scheduled.players[0] == level
        expected.append(result if is_first else {"win": "loss", "loss": "win"}.get(result, result))
    lines = [line.split() for line in log.read_text().splitlines()]
    assert sorted(line[-1] for line in lines) == sorted(expected)
    assert str(os.getpid()) not in {line[0] for line in lines}


def test_the_serial_executor_reports_results_too(reports: list[tuple[object, str]]) -> None:
    schedule = Schedule(Rules("tictactoe"), (ADAPTIVE, "random"), games=4, seed=3)
    assert len(list(SerialExecutor().run(schedule.scheduled_games()))) == 4
    assert len(reports) == 4
