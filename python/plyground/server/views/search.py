"""What searches think."""

from __future__ import annotations

from plyground.server.views.common import View
from plyground.server.views.positions import ExactView, Known


class MoveThought(View):
    """What an agent thinks of one legal move. Values are for the side to move."""

    move: str
    notation: str
    visits: int
    share: float
    """How much of its trust the agent gives this move, 0 to 1; all together make 1."""
    value: float | None = None
    """1 a win, 0.5 a draw, 0 a loss."""
    low: float | None = None
    """The 95 % interval of the value."""
    high: float | None = None
    prior: float | None = None
    known: Known | None = None
    """What the search has proven."""
    distance: int | None = None
    """Plies to the proven end."""
    exact: ExactView | None = None
    """What solver or tables know."""
    line: list[str]
    """Best play of both sides, this move first."""


class Thought(View):
    """What an agent thinks of a position."""

    game: str
    ply: int
    position: str
    """The text of the position that is thought about."""
    turn: str
    agent: str
    simulations: int
    per_second: float
    """Simulations a second, or nodes a second where the agent makes no simulations."""
    seconds: float
    depth: float
    """Plies looked ahead, on average."""
    deepest: int
    nodes: int
    mebibytes: float
    value_first: float | None = None
    """What the side that begins the game may expect, 0 to 1."""
    value: float | None = None
    """The same for the side to move."""
    win: float | None = None
    """How often playouts ended so for the side that begins, 0 to 1; None where there were none."""
    draw: float | None = None
    loss: float | None = None
    known: Known | None = None
    """What the search has proven, for the side to move."""
    distance: int | None = None
    exact: ExactView | None = None
    """What solver or tables know, for the side to move."""
    best: str
    line: list[str]
    moves: list[MoveThought]
    """In the order of the position's moves."""
    results: list[int]
    """Playouts won by the first side, by the second, and by neither."""
    lengths: list[int]
    """Playouts by length, ten plies a bin, the last bin for all longer ones."""


class Formula(View):
    """How a tree search chooses among children: (1 - minimax)·value + minimax·judged + bonus."""

    name: str
    """`uct`: c·√(ln N / n); `puct`: c·P·√N / (1 + n); `ucb1-tuned`."""
    c: float
    minimax: float = 0.0
    """The share of what a node is judged to be worth in the value that selection looks at; 0: none."""


class TreeView(View):
    """The top nodes of a tree as columns of one table, parents before children; row 0 is the root.

    What a node has besides its children in the table: `children` less those, and `visits` less theirs.
    """

    formula: Formula
    parent: list[int]
    """The row of the parent; -1 for the root."""
    move: list[str]
    """The move that leads to it; empty for the root."""
    turn: list[str]
    """Who moves there."""
    visits: list[int]
    value: list[float]
    """The mean for the side that moved to it, 0 to 1; of the root, for the side that does not move."""
    judged: list[float | None]
    """The minimax of judgements below it, for the side that moved to it; null where the formula has no use for it."""
    bonus: list[float]
    """What the formula adds for being tried seldom."""
    known: list[Known | None]
    """What is proven, for the side that moved to it."""
    children: list[int]
    """How many children the node has, in the table or not."""
    total_nodes: int
    """Nodes of the whole tree."""


class CandidateView(View):
    """A child that selection looked at."""

    move: str
    visits: int
    value: float
    bonus: float
    score: float
    """value + bonus: the highest is followed."""
    chosen: bool


class SelectionStep(View):
    """One node on the way down."""

    row: int
    """Its row in the tree as it stands before the iteration."""
    move: str
    """The move followed from here; empty where the way ends."""
    candidates: list[CandidateView]


class BackupStep(View):
    """What an iteration adds to a node of its path, from the new one up to the root."""

    row: int
    """Its row in the tree after the iteration."""
    move: str
    reward: float
    """For the side that moved to it, 0 to 1."""
    visits: int
    """After the iteration."""
    value: float


class IterationView(View):
    """One iteration of tree search, phase by phase."""

    number: int
    """Counted from 1."""
    selection: list[SelectionStep]
    expanded: str | None = None
    """The move that leads to the new node; None where the game was over."""
    new_row: int | None = None
    """The row of the new node in the tree after the iteration."""
    playout: list[str]
    """The random moves that were played from there."""
    playout_cut: bool
    """Whether the playout ended at the ply limit and not at an end of the game."""
    end: str
    """The text of the position where it ended."""
    end_words: str
    """How it ended: "red wins: line"."""
    backup: list[BackupStep]
    tree: TreeView
    """After the iteration."""
