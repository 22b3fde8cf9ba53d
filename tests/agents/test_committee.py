"""The committee: members propose moves, a judge chooses, and all of them share one budget."""

from __future__ import annotations

import pytest

from plyground import ParseError, Position, game
from plyground.agents import Agent, Analysis, Budget, Limit, MoveAnalysis, agent
from plyground.agents.committee import CommitteeAgent
from plyground.agents.mcts import MctsAgent
from plyground.agents.options import Option
from plyground.agents.registry import AGENTS
from plyground.server.search.players import check_spec
from plyground.server.settings import Settings
from plyground.spec import parse_spec

FORK = ("connect4", "112233")
"""Red wins with 4."""
LIMITS: list[Limit] = []


class Fixed(Agent):
    """Plays a fixed move, and records the limit of each analysis."""

    name = "fixed"
    description = "plays a fixed move"
    options = (Option("index", "integer", "index of the move"),)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        LIMITS.append(budget.limit)
        moves = position.moves
        index = min(self.values.get("index", 0), len(moves) - 1)
        found = tuple(MoveAnalysis(move, float(at == index), 0.5) for at, move in enumerate(moves))
        return Analysis(position, found, value=0.5, simulations=3, mebibytes=2.0)


@pytest.fixture(autouse=True)
def _fixed_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "fixed", Fixed)
    LIMITS.clear()


def test_the_proposal_that_the_judge_values_most_is_played() -> None:
    position = game(FORK[0]).position(FORK[1])
    members = "+".join(f"fixed(index={index})" for index in (0, 3, 0))
    analysis = agent(f"committee(members={members}, judge=solver)").analyse(position, seed=1)
    assert (analysis.best.move, analysis.proven, analysis.distance) == ("4", "win", 1)
    values = {move.move: (move.share, move.value) for move in analysis.moves}
    assert values == {**dict.fromkeys("23567", (0.0, None)), "1": (2 / 3, 0.0), "4": (1 / 3, 1.0)}


def test_the_value_is_that_of_the_side_to_move() -> None:
    position = game("connect4").position("4455")  # red wins with 3 or 6
    analysis = agent("committee(members=fixed(index=0)+fixed(index=5), judge=solver)").analyse(position)
    assert (analysis.best.move, analysis.value, analysis.distance) == ("6", 1.0, 3)
    assert {move.move: move.proven for move in analysis.moves if move.share > 0} == {"1": "loss", "6": "win"}


def test_a_unanimous_proposal_is_not_judged() -> None:
    position = game("connect4").start()
    analysis = agent("committee(members=fixed(index=2)+fixed(index=2), judge=fixed)").analyse(position)
    assert (analysis.best.move, analysis.best.share, len(LIMITS)) == ("3", 1.0, 2)


def test_a_single_legal_move_is_played_without_an_analysis() -> None:
    position = game("checkers").position("B:W15,24,32:B1,11")
    analysis = agent("committee(members=fixed+fixed(index=1), judge=fixed)").analyse(position)
    assert (analysis.best.move, analysis.value, LIMITS) == ("11x18", None, [])


def test_time_work_and_memory_are_shared() -> None:
    committee = agent("committee(members=fixed+fixed(index=1)+fixed(index=2), judge=fixed, mebibytes=200)")
    limit = Limit(simulations=600, seconds=60)
    analysis = committee.analyse(game("connect4").start(), limit)
    assert len(LIMITS) == 6
    assert [one.simulations for one in LIMITS] == [100] * 6
    assert [one.mebibytes for one in LIMITS] == [50] * 6
    # The searches take almost no time, so that each of them may use the time that the earlier ones left.
    assert [round(one.seconds or 0) for one in LIMITS] == [10, 12, 15, 20, 30, 60]
    assert analysis.simulations == 18
    assert analysis.mebibytes == 8.0


def test_the_result_is_reported_to_every_member() -> None:
    committee = agent("committee(members=mcts(reuse=adaptive)+mcts(c=2, reuse=adaptive)+random)")
    committee.report_result("loss")
    assert isinstance(committee, CommitteeAgent)
    searches = [member for member in committee.members if isinstance(member, MctsAgent)]
    assert [member.keeps_tree for member in searches] == [False, False]
    committee.report_result("win")
    assert [member.keeps_tree for member in searches] == [True, True]


def test_members_that_cannot_play_the_game_are_skipped() -> None:
    committee = agent("committee(members=solver+fixed(index=1), judge=fixed)")
    position = game("chess").start()
    assert committee.analyse(position).best.move == position.moves[1]
    assert committee.can_play(position.game)
    lonely = agent("committee(members=solver+tables)")
    assert not lonely.can_play(position.game)
    with pytest.raises(ParseError, match="no member of the committee can play chess; set the option members"):
        lonely.analyse(position)


def test_the_same_seed_gives_the_same_move() -> None:
    committee = "committee(members=mcts(simulations=50)+flat(playouts=5)+random, judge=mcts(simulations=20))"
    position = game("checkers").start()
    first, second = (agent(committee).analyse(position, seed=5) for _ in range(2))
    assert [(move.share, move.value) for move in first.moves] == [(move.share, move.value) for move in second.moves]


def test_progress_reports_are_about_the_whole_committee() -> None:
    reports: list[Analysis] = []
    start = game("checkers").start()
    committee = agent("committee(members=mcts(simulations=3000)+fixed, judge=fixed)")
    committee.analyse(start, Budget(report=reports.append))
    assert all(report.best.move in start.moves for report in reports)
    assert all(len(report.moves) == len(start.moves) for report in reports)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("committee(members=)", "is not key=value"),
        ("committee(members=mcts+nobody)", "unknown agent 'nobody'"),
        ("committee(members=mcts++flat)", r"option members must be up to 12 specs of agents joined by \+"),
        (f"committee(members={'+'.join(['random'] * 13)})", r"option members must be up to 12 specs"),
    ],
)
def test_invalid_members_are_rejected(spec: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        agent(spec)


def test_members_can_be_given_as_a_list() -> None:
    made = agent("committee", members=["mcts(c=2)", "flat"], judge="mcts")
    assert made.spec == "committee(members=mcts(c=2)+flat, judge=mcts)"
    assert agent(made.spec).values == made.values


def test_visitors_may_not_name_files_in_members() -> None:
    with pytest.raises(ParseError, match="weights must be a name, not a file"):
        check_spec(parse_spec("committee(members=flat+mcts(weights=/etc/x.safetensors))"), Settings())
    check_spec(parse_spec("committee(members=flat+mcts(simulations=5))"), Settings())
