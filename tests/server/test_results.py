"""The server reports the results of visitors' games to the agents."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plyground.agents.mcts import MctsAgent
from plyground.server.play.live import LiveGame
from plyground.server.play.models import ClockRequest, NewGameRequest
from plyground.server.services import Services
from plyground.server.settings import Settings

ADAPTIVE = "mcts(reuse=adaptive, simulations=30)"
OWNER, OTHER = "a" * 32, "b" * 32
WAIT_S = 60
"""Timeout in seconds; far longer than a move takes, even on a loaded machine."""


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """The server's services, without HTTP."""
    made = Services(Settings(store=str(tmp_path / "store.sqlite"), searches=1))
    yield made
    made.close()


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, str]]:
    """The agent and the result of each report to a tree search agent."""
    found: list[tuple[object, str]] = []
    original = MctsAgent.report_result

    def report_result(self: MctsAgent, result: str) -> None:
        found.append((self, result))
        original(self, result)  # type: ignore[arg-type]

    monkeypatch.setattr(MctsAgent, "report_result", report_result)
    return found


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def start(services: Services, owner: str = OWNER, **fields: object) -> LiveGame:
    """Start a game against the adaptive agent."""
    request = {"game": "tictactoe", "player": ADAPTIVE, "seed": 1, **fields}
    return services.games.create(owner, NewGameRequest.model_validate(request))


def play(live: LiveGame, move: str) -> None:
    """Play a move and wait for the reply."""
    live.move(move, live.position.ply)
    wait_until(lambda: not live.is_thinking)
    assert live.agents.error is None


def results(reports: list[tuple[object, str]]) -> list[str]:
    return [result for _, result in reports]


def test_a_game_that_ends_by_the_rules_is_reported(services: Services, reports: list[tuple[object, str]]) -> None:
    live = start(services, position="xx./oo./...", side="x")
    play(live, "b1")
    assert live.outcome is not None
    assert live.outcome.winner == "o"
    assert results(reports) == ["win"]


def test_a_resignation_is_a_win_for_the_agent(services: Services, reports: list[tuple[object, str]]) -> None:
    live = start(services)
    play(live, "b2")
    live.resign(None)
    assert results(reports) == ["win"]


def test_a_loss_on_time_is_reported(services: Services, reports: list[tuple[object, str]]) -> None:
    live = start(services, clock=ClockRequest(seconds=3600, increment=0).model_dump())
    play(live, "b2")
    with live.lock:
        assert live.state.clocks is not None
        live.update(clocks=live.state.clocks.with_remaining("x", 0.0))
    wait_until(lambda: live.is_over)
    assert live.outcome is not None
    assert live.outcome.reason == "time"
    assert results(reports) == ["win"]


def test_an_agreed_draw_is_reported(services: Services, reports: list[tuple[object, str]]) -> None:
    live = start(services)
    play(live, "b2")
    with live.lock:
        live.end(None, "agreement")
    assert results(reports) == ["draw"]


def test_a_finished_game_is_reported_once(services: Services, reports: list[tuple[object, str]]) -> None:
    live = start(services)
    play(live, "b2")
    live.resign(None)
    with live.lock:
        live.update(coach_enabled=True)
    live.undo(None)
    live.resign(None)
    assert results(reports) == ["win"]


def test_a_deleted_game_is_not_reported(services: Services, reports: list[tuple[object, str]]) -> None:
    live = start(services)
    play(live, "b2")
    services.games.delete(OWNER, live.id)
    assert reports == []


def test_both_agents_in_a_watched_game_receive_the_result(
    services: Services, reports: list[tuple[object, str]]
) -> None:
    live = start(services, humans=0, second="mcts(reuse=adaptive, simulations=5)", move_delay=0)
    live.subscribe(lambda *_: None)
    live.agents.schedule_move()
    wait_until(lambda: live.is_over)
    wait_until(lambda: len(reports) == 2)
    assert live.outcome is not None
    assert sorted(results(reports)) == (["draw", "draw"] if live.outcome.winner is None else ["loss", "win"])


def test_the_agent_of_the_next_game_knows_the_visitors_earlier_results(
    services: Services, reports: list[tuple[object, str]]
) -> None:
    play(start(services, position="xx./oo./...", side="x"), "b1")
    live = start(services)
    play(live, "b2")
    live.resign(None)
    first, *second = reports
    assert results(reports) == ["win", "win", "win"]
    assert len({agent for agent, _ in second} - {first[0]}) == 1

    reports.clear()
    stranger = start(services, owner=OTHER)
    play(stranger, "b2")
    assert reports == []


def test_losses_to_a_visitor_turn_off_adaptive_reuse(services: Services, reports: list[tuple[object, str]]) -> None:
    for _ in range(2):
        live = start(services, position="x.x/oo./o.x", side="x")
        live.move("b3", live.position.ply)
        assert live.outcome is not None
        assert live.outcome.winner == "x"
    live = start(services)
    play(live, "b2")
    (agent, _), *_ = reports
    assert results(reports) == ["loss", "loss"]
    assert isinstance(agent, MctsAgent)
    assert not agent.keeps_tree
