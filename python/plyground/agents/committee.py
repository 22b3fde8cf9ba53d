"""A committee: its members each propose a move, and a judge chooses among the proposals.

>>> import plyground
>>> from plyground.agents import agent
>>> position = plyground.game("connect4").position("112233")
>>> analysis = agent("committee(members=random+flat(playouts=20), judge=solver)").analyse(position, seed=1)
>>> analysis.best.move
'4'
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from plyground._engine import Game, Position, split_seed
from plyground.agents.agent import Agent
from plyground.agents.analysis import Analysis, GameResult, Limit, MoveAnalysis
from plyground.agents.budget import Budget
from plyground.agents.forced import analyse_through_forced_moves, move_before
from plyground.agents.members import able, make_agents
from plyground.agents.options import SECONDS, Option, mebibytes
from plyground.errors import Interrupted, ParseError
from plyground.spec import SEPARATOR

MEMBERS = ("mcts", "alphabeta")
JUDGE = "alphabeta"
DEFAULT_MEBIBYTES = 256
MIN_SECONDS = 1e-3
"""Minimum time limit of the search of a member or of the judge."""


@dataclass
class Ballot:
    """The members' proposals for a position, and the judge's values of them."""

    position: Position
    votes: list[MoveAnalysis] = field(default_factory=list)
    """The best move of each member so far."""
    judged: dict[str, MoveAnalysis] = field(default_factory=dict)
    """The judge's analysis of each proposal so far."""
    memory: dict[str, float] = field(default_factory=dict)
    """Memory in MiB that each agent used in its last analysis."""
    simulations: int = 0
    nodes: int = 0
    max_depth: int = 0

    @property
    def proposals(self) -> list[str]:
        """The distinct proposals, those of most members first."""
        moves = [vote.move for vote in self.votes]
        return sorted(dict.fromkeys(moves), key=moves.count, reverse=True)

    def add_work(self, name: str, analysis: Analysis) -> None:
        """Count the work of an analysis by an agent."""
        self.memory[name] = analysis.mebibytes
        self.simulations += analysis.simulations
        self.nodes += analysis.nodes
        self.max_depth = max(self.max_depth, analysis.max_depth)

    def result(self, seconds: float) -> Analysis:
        """Return the analysis so far: the share of a move is the fraction of the members that proposed it."""
        texts = self.position.moves
        moves = tuple(self._move(text, len(texts)) for text in texts)
        best = texts.index(max(self.proposals or texts, key=self._rank))
        is_won = moves[best].proven == "win"
        return Analysis(
            self.position,
            moves,
            best_index=best,
            value=moves[best].value,
            proven="win" if is_won else None,
            distance=moves[best].distance if is_won else None,
            seconds=seconds,
            simulations=self.simulations,
            nodes=self.nodes,
            mebibytes=sum(self.memory.values()),
            max_depth=self.max_depth,
        )

    def _rank(self, move: str) -> tuple[bool, float]:
        """Order the proposals by the judge's value; those without one come last."""
        judged = self.judged.get(move)
        return (False, 0.0) if judged is None or judged.value is None else (True, judged.value)

    def _move(self, text: str, count: int) -> MoveAnalysis:
        votes = [vote for vote in self.votes if vote.move == text]
        share = len(votes) / len(self.votes) if self.votes else 1 / count
        found = self.judged.get(text) or next(iter(votes), MoveAnalysis(text, share))
        return replace(found, share=share)


class CommitteeAgent(Agent):
    """Plays the proposal of its members that the judge values most.

    The members have half of the time of a move in equal parts; the judge has the rest. A proposal of all members, or
    one that a member has proven to win, is not judged. Members that cannot play the game are skipped.
    """

    name = "committee"
    description = "plays the move that a judge values most among the proposals of several agents"
    options = (
        Option("members", "agents", "agents that each propose a move", SEPARATOR.join(MEMBERS)),
        Option("judge", "agent", "agent that analyses the position after each proposal", JUDGE),
        replace(SECONDS, description="seconds per move for all analyses together, unless another limit is given"),
        mebibytes("maximum memory of all members and the judge together", DEFAULT_MEBIBYTES),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.members = make_agents(self.values.get("members", MEMBERS))
        (self.judge,) = make_agents([self.values.get("judge", JUDGE)])
        agents = [*self.members, self.judge]
        self.runs_python = any(one.runs_python for one in agents)
        self.uses_registered_evaluator = any(one.uses_registered_evaluator for one in agents)
        self.default_limit = Limit(
            seconds=self.values.get("seconds"), mebibytes=self.values.get("mebibytes", DEFAULT_MEBIBYTES)
        )

    def can_play(self, game: Game) -> bool:
        """Whether the judge and a member can play a game."""
        return self.judge.can_play(game) and bool(able(self.members, game))

    def report_result(self, result: GameResult) -> None:
        """Report the result to every member."""
        for member in self.members:
            member.report_result(result)

    def clear(self) -> None:
        """Free the memory of the members and the judge."""
        for one in (*self.members, self.judge):
            one.clear()

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Let the members propose moves and the judge analyse the position after each distinct proposal."""
        members = able(self.members, position.game)
        if not members:
            raise ParseError(f"no member of the committee can play {position.game.id}; set the option members")
        ballot = Ballot(position)
        with suppress(Interrupted), budget:
            if len(position.moves) > 1:
                self._vote(ballot, members, budget, seed)
                self._judge(ballot, len(members), budget, seed)
        return ballot.result(budget.elapsed)

    def _vote(self, ballot: Ballot, members: list[Agent], budget: Budget, seed: int) -> None:
        count = len(members)
        for index, member in enumerate(members):
            if budget.expired and ballot.votes:
                break
            limit = _part(budget, 2 * count - index, count)
            analysis = member.analyse(
                ballot.position,
                limit,
                seed=split_seed(seed, index),
                report=lambda found: budget.report_if_due(
                    lambda: replace(ballot, votes=[*ballot.votes, found.best]).result(budget.elapsed)
                ),
            )
            ballot.votes.append(analysis.best)
            ballot.add_work(f"member {index}", analysis)
            if analysis.best.proven == "win":
                break

    def _judge(self, ballot: Ballot, members: int, budget: Budget, seed: int) -> None:
        proposals = ballot.proposals
        if len(proposals) == 1 or any(vote.proven == "win" for vote in ballot.votes):
            return
        for index, move in enumerate(proposals):
            if budget.expired:
                break
            limit = _part(budget, len(proposals) - index, members)
            after = ballot.position.play(move)
            found = analyse_through_forced_moves(self.judge, after, limit, seed=split_seed(seed, members + index))
            ballot.judged[move] = move_before(ballot.position, move, found)
            ballot.add_work("judge", found)
            budget.report_if_due(lambda: ballot.result(budget.elapsed))


def _part(budget: Budget, parts: int, members: int) -> Limit:
    """Return the limit of one analysis: a part of the remaining time, and equal parts of the work and the memory."""

    def divide(total: int | None, by: int) -> int | None:
        return None if total is None else max(1, total // by)

    limit = budget.limit
    return Limit(
        divide(limit.simulations, 2 * members),
        None if limit.seconds is None else max(MIN_SECONDS, (limit.seconds - budget.elapsed) / parts),
        limit.depth,
        divide(limit.mebibytes, members + 1),
        divide(limit.nodes, 2 * members),
    )
