"""API models of exact values, analyses, search trees and single iterations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plyground.agents.analysis import ProvenResult
from plyground.server.models import PlayerText, Seed, View
from plyground.server.positions.models import PositionRequest


class ExactView(View):
    """Exact value under perfect play."""

    result: ProvenResult
    """Result for the side to move or, for a move, for the side that makes it."""
    distance: int | None = None
    """Plies to the end of the game, if known."""
    source: Literal["solver", "tables", "rules"]


class ExactMoves(View):
    """Exact values of a position and of its moves."""

    exact: ExactView | None = None
    """None if unknown."""
    moves: dict[str, ExactView]


class ProposalRequest(PositionRequest):
    """A position and the agent that proposes a move."""

    agent: PlayerText
    seconds: Annotated[float, Field(gt=0, le=60)] | None = None
    """Defaults to the agent's own limit, or one second; at most the server's limit for a move."""
    seed: Seed = 0


class ProposalView(View):
    """The move of an agent."""

    agent: str
    move: str
    notation: str
    path: list[str]
    """Squares of the move, in order; empty for games without a board."""
    value: float | None = None
    """The agent's expected score for the side to move, 0 to 1; None if it does not evaluate positions."""
    proven: ProvenResult | None = None
    """Result for the side to move, if the agent has proven it."""
    distance: int | None = None
    """Plies to the proven result."""
    seconds: float
    simulations: int
    nodes: int
    pv: list[str]
    """Principal variation, starting with the move."""
    exact: ExactView | None = None
    """Exact value of the position, for the side to move; None if unknown."""
    exact_move: ExactView | None = None
    """Exact value of the move, for the side that makes it; None if unknown."""


class MoveAnalysisView(View):
    """Analysis of one legal move. Values are for the side to move, from 0 (loss) to 1 (win)."""

    move: str
    notation: str
    visits: int
    share: float
    """The agent's preference for this move, 0 to 1; the shares of all moves sum to 1."""
    value: float | None = None
    """Expected score: 1 is a win, 0.5 a draw, 0 a loss."""
    low: float | None = None
    """Lower bound of the value's 95% confidence interval."""
    high: float | None = None
    """Upper bound of the value's 95% confidence interval."""
    bound: Literal["lower", "upper"] | None = None
    """Whether the value is only a lower or an upper bound."""
    prior: float | None = None
    """Probability of the move before the search, 0 to 1."""
    proven: ProvenResult | None = None
    """Result proven by the search."""
    distance: int | None = None
    """Plies to the proven result."""
    exact: ExactView | None = None
    """Exact value from the solver or the endgame tables."""
    pv: list[str]
    """Principal variation, starting with this move."""


class AnalysisView(View):
    """An agent's analysis of a position."""

    game: str
    ply: int
    position: str
    """The analysed position as text."""
    turn: str
    agent: str
    simulations: int
    rate: float
    """Simulations per second, or nodes per second for agents without simulations."""
    seconds: float
    mean_depth: float
    """Mean search depth in plies."""
    max_depth: int
    """Maximum search depth in plies."""
    nodes: int
    mebibytes: float
    value_first: float | None = None
    """Expected score of the first player, 0 to 1."""
    value: float | None = None
    """Expected score of the side to move, 0 to 1."""
    win: float | None = None
    """Fraction of finished playouts won by the first player; None if at least half of the playouts were cut off."""
    draw: float | None = None
    """Fraction of finished playouts that were drawn."""
    loss: float | None = None
    """Fraction of finished playouts lost by the first player."""
    proven: ProvenResult | None = None
    """Result proven by the search, for the side to move."""
    distance: int | None = None
    """Plies to the proven result."""
    exact: ExactView | None = None
    """Exact value from the solver or the endgame tables, for the side to move."""
    best: str
    pv: list[str]
    """Principal variation."""
    moves: list[MoveAnalysisView]
    """In the order of the position's legal moves."""
    playout_results: list[int]
    """Playouts won by the first player, won by the second player, drawn, and cut off before the end of the game."""
    playout_lengths: list[int]
    """Histogram of playout lengths in bins of ten plies; the last bin is open-ended."""
    mean_playout_length: float
    """Mean length of the playouts in plies."""
    mean_playout_score: float | None = None
    """Mean reward of the first player in the playouts, 0 to 1; None without playouts."""


class Formula(View):
    """Selection formula: (1 - minimax_weight)·value + minimax_weight·minimax + exploration, and other enhancements."""

    name: str
    """`uct`: c·√(ln N / n); `puct`: c·P·√N / (1 + n); `ucb1-tuned`; `graph`: N counts all paths (transpositions)."""
    c: float
    minimax_weight: float = 0.0
    """The weight of the minimax value in the value used by selection, 0 to 1."""


class TreeView(View):
    """The top nodes of a search tree as the columns of a table; parents precede children and row 0 is the root.

    `children` also counts the children outside the table, which account for the node's remaining `visits`.
    """

    formula: Formula
    parent: list[int]
    """Row of the parent; -1 for the root."""
    move: list[str]
    """Move that leads to the node; empty for the root."""
    notation: list[str]
    """The same in standard notation, such as `Nf3`."""
    turn: list[str]
    """Side to move."""
    visits: list[int]
    value: list[float]
    """Mean value for the side that moved to the node, 0 to 1; for the root, for the side not to move."""
    minimax: list[float | None]
    """Minimax of the evaluations below the node, for the side that moved to it; null if the formula ignores it."""
    exploration: list[float]
    """Exploration term of the formula."""
    score: list[float]
    """Score by which selection ranks the node among its siblings, with all enhancements; 0 for the root."""
    proven: list[ProvenResult | None]
    """Proven result for the side that moved to the node."""
    children: list[int]
    """Number of children, including those outside the table."""
    total_nodes: int
    """Number of nodes in the tree."""


class CandidateView(View):
    """A child considered by selection."""

    move: str
    notation: str
    visits: int
    value: float
    exploration: float
    score: float
    """value + exploration; selection follows the highest score."""
    chosen: bool


class SelectionStep(View):
    """One node of the selection path."""

    row: int
    """Row of the node in the tree before the iteration."""
    move: str
    """Selected move; empty for the last node of the path."""
    notation: str
    candidates: list[CandidateView]


class BackupStep(View):
    """Update of one node, listed from the new node up to the root."""

    row: int
    """Row of the node in the tree after the iteration."""
    move: str
    notation: str
    reward: float
    """Reward for the side that moved to the node, 0 to 1."""
    visits: int
    """Visits after the iteration."""
    value: float
    """Mean value after the iteration, for the side that moved to the node, 0 to 1."""


class IterationView(View):
    """One iteration of tree search, phase by phase."""

    number: int
    """Counted from 1."""
    selection: list[SelectionStep]
    expanded_move: str | None = None
    """Move that leads to the new node; None if selection reached the end of the game."""
    expanded_notation: str | None = None
    new_row: int | None = None
    """Row of the new node in the tree after the iteration."""
    playout: list[str]
    """Random moves played from the new node, in standard notation."""
    playout_truncated: bool
    """Whether the playout was stopped by the ply limit before the end of the game."""
    end_position: str
    """Final position of the playout as text."""
    end_description: str
    """Result of the playout, such as "red wins: line"."""
    backup: list[BackupStep]
    tree: TreeView
    """The tree after the iteration."""
