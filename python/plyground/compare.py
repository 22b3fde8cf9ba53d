"""Several agents on one position.

>>> import plyground as pg
>>> position = pg.game("connect4").position("4455")
>>> found = compare(position, ["flat", "mcts"], simulations=500, seed=1)
>>> [(proposal.move, proposal.exact.result, proposal.exact.distance) for proposal in found.proposals]
[('3', 'win', 3), ('3', 'win', 3)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from plyground._engine import Game, Position
from plyground.agents import Agent, Analysis, Limit
from plyground.agents.agent import check_unfinished, limit_from
from plyground.agents.analysis import result_for
from plyground.agents.forced import OPPOSITE
from plyground.agents.registry import learners
from plyground.errors import ParseError
from plyground.levels import player
from plyground.notebook import percent, side_by_side, table
from plyground.progress import progress_bar
from plyground.review import ExactLookup, ExactValue, exact_lookup

SEARCHES = ("flat", "mcts", "alphabeta")
"""The agents that are compared by default, besides the learned agents of the game."""
SECONDS = 1.0
"""Time of an agent without a limit of its own."""
EXACT_SECONDS = 3.0
"""Time limit of the solver for a position."""
MAX_COMPARED = 24
"""Maximum number of agents in a comparison."""


@dataclass(frozen=True)
class Proposal:
    """The move of one agent."""

    agent: str
    """The name or spec of the agent."""
    analysis: Analysis
    exact: ExactValue | None
    """The exact value of the move for the side that makes it; None if unknown."""

    @property
    def move(self) -> str:
        """The move."""
        return self.analysis.best.move

    @property
    def value(self) -> float | None:
        """The agent's expected score for the side to move, from 0 to 1; None if it does not evaluate positions."""
        return self.analysis.value


@dataclass(frozen=True)
class Comparison:
    """What several agents play in one position."""

    position: Position
    exact: ExactValue | None
    """The exact value of the position for the side to move; None if unknown."""
    proposals: tuple[Proposal, ...]
    """In the order of the agents."""

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON data."""
        return {
            "game": self.position.game.spec,
            "position": self.position.text,
            "turn": self.position.turn,
            "exact": _exact_data(self.exact),
            "proposals": [
                {
                    "agent": one.agent,
                    "move": one.move,
                    "value": one.value,
                    "proven": one.analysis.proven,
                    "exact": _exact_data(one.exact),
                    "seconds": one.analysis.seconds,
                    "simulations": one.analysis.simulations,
                    "nodes": one.analysis.nodes,
                    "pv": list(one.analysis.pv),
                }
                for one in self.proposals
            ],
        }

    def _repr_html_(self) -> str:
        """Show the board and a table of the agents."""
        rows = [
            [
                one.agent,
                self.position.notation(one.move),
                percent(one.value),
                exact_text(one.exact),
                f"{one.analysis.seconds:.2f} s",
                work_text(one.analysis),
            ]
            for one in self.proposals
        ]
        known = f", exact value: {exact_text(self.exact)}" if self.exact is not None else ""
        header = ["Agent", "Move", "Value", "Exact", "Time", "Work"]
        return side_by_side(self.position._repr_svg_(), table(header, rows, f"{self.position.turn} to move{known}"))


def compare(
    position: Position,
    agents: Sequence[str | Agent] = (),
    limit: Limit | None = None,
    *,
    seed: int = 0,
    progress: bool | None = None,
    **limits: Any,
) -> Comparison:
    """Let several agents analyse a position of an unfinished game, one after the other.

    `agents` are levels, presets, specs or `Agent` objects; by default, flat Monte Carlo, tree search, alpha-beta and
    the learned agents of the game. The limit of each agent is a `Limit` or its fields (``simulations=500``), by default
    its own or one second. Exact values come from the solver, the endgame tables and the rules. `progress` shows or
    hides the progress bar.
    """
    chosen = agents or default_agents(position.game)
    with progress_bar("Agents", len(chosen), progress) as show:
        exact = exact_lookup(position.game, EXACT_SECONDS)
        found = []
        for proposal in propose(position, chosen, limit_from(limit, limits), seed=seed, exact=exact):
            found.append(proposal)
            show(len(found))
        return Comparison(position, exact(position), tuple(found))


def propose(
    position: Position, agents: Sequence[str | Agent], limit: Limit, *, seed: int, exact: ExactLookup
) -> Iterator[Proposal]:
    """Yield the move of each agent."""
    check_unfinished(position)
    if len(agents) > MAX_COMPARED:
        raise ParseError(f"at most {MAX_COMPARED} agents can be compared, got {len(agents)}")
    players = [one if isinstance(one, Agent) else player(position.game.spec, one) for one in agents]
    for one in players:
        analysis = one.analyse(position, limit_of(one, limit), seed=seed)
        yield Proposal(one.spec, analysis, exact_move(position, analysis.best.move, exact))
        one.clear()


def limit_of(agent: Agent, limit: Limit) -> Limit:
    """Return the limit of an agent in a comparison: the one given, its own, or `SECONDS`."""
    return limit if limit != Limit() or agent.limits_itself else Limit(seconds=SECONDS)


def exact_move(position: Position, move: str, exact: ExactLookup) -> ExactValue | None:
    """Return the exact value of a move for the side that makes it; None if unknown."""
    after = position.play(move)
    if (outcome := after.outcome) is not None:
        return ExactValue(result_for(outcome.winner, position.turn), 1, "rules", move)
    found = exact(after)
    if found is None:
        return None
    result = found.result if after.turn == position.turn else OPPOSITE[found.result]
    return ExactValue(result, None if found.distance is None else found.distance + 1, found.source, move)


def default_agents(game: Game) -> list[str]:
    """Return the agents that are compared by default.

    >>> import plyground
    >>> default_agents(plyground.game("chess"))[:3]
    ['flat', 'mcts', 'alphabeta']
    """
    return [*SEARCHES, *learners(game)]


def exact_text(exact: ExactValue | None) -> str:
    """Return an exact value as text.

    >>> exact_text(ExactValue("win", 9, "solver")), exact_text(ExactValue("draw", 30, "solver"))
    ('win in 9', 'draw')
    """
    if exact is None:
        return ""
    return exact.result if exact.result == "draw" or exact.distance is None else f"{exact.result} in {exact.distance}"


def work_text(analysis: Analysis) -> str:
    """Return the work of an analysis as text: ``1,000 simulations``."""
    return f"{analysis.simulations:,} simulations" if analysis.simulations else f"{analysis.nodes:,} nodes"


def _exact_data(exact: ExactValue | None) -> dict[str, Any] | None:
    return None if exact is None else asdict(exact)
