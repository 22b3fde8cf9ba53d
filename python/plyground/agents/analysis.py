"""Limits of an analysis and its result: a value, visit share and interval of every legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plyground._engine import Position
from plyground.agents.options import MAX_INTEGER, MAX_SECONDS
from plyground.errors import ParseError
from plyground.notebook import paragraph, percent, side_by_side, table

if TYPE_CHECKING:
    from plyground.agents.tree import Tree

GameResult = Literal["win", "draw", "loss"]
ProvenResult = GameResult
RESULT_VALUE: dict[ProvenResult, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The value of each proven result."""
HTML_MOVES = 12
"""Maximum number of moves shown in a notebook."""
HTML_PLIES = 8
"""Maximum length of a principal variation in a notebook."""


@dataclass(frozen=True)
class Limit:
    """Stop conditions of an analysis; None means no limit. The analysis ends when the first limit is reached."""

    simulations: int | None = None
    seconds: float | None = None
    depth: int | None = None
    """Plies."""
    mebibytes: int | None = None
    """Memory of the search tree or transposition table."""
    nodes: int | None = None
    """Positions visited by an alpha-beta search."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            is_count = name != "seconds"
            maximum = MAX_INTEGER if is_count else MAX_SECONDS
            if value is not None and not (0 < value <= maximum and (isinstance(value, int) or not is_count)):
                kind = "integer" if is_count else "number"
                raise ParseError(f"limit {name} must be a positive {kind} up to {maximum:.10g}, got {value}")

    def or_default(self, default: Limit) -> Limit:
        """Return this limit, or `default` if this one sets neither simulations, seconds, depth nor nodes.

        The memory limit falls back to the default separately.
        """
        chosen = self if any((self.simulations, self.seconds, self.depth, self.nodes)) else default
        return replace(chosen, mebibytes=self.mebibytes or default.mebibytes)


@dataclass(frozen=True)
class MoveAnalysis:
    """The analysis of one legal move. Values are for the side to move: 1 is a win, 0.5 a draw, 0 a loss."""

    move: str
    share: float
    """The agent's preference for this move, 0 to 1; the shares of all moves add up to 1."""
    value: float | None = None
    """Expected result for the side to move, 0 to 1; None if the move was not evaluated."""
    low: float | None = None
    """Lower bound of the 95% confidence interval of `value`."""
    high: float | None = None
    """Upper bound of the 95% confidence interval of `value`."""
    visits: int = 0
    """Number of simulations that began with this move."""
    prior: float | None = None
    """Prior probability of the move, 0 to 1."""
    proven: ProvenResult | None = None
    """The result for the side to move, if it is proven."""
    distance: int | None = None
    """Plies from the position to the end of the game, if the result is proven."""
    pv: tuple[str, ...] = ()
    """Principal variation, beginning with this move."""
    bound: Literal["lower", "upper"] | None = None
    """Whether `value` is only a lower or an upper bound; None if it is the value itself."""


@dataclass(frozen=True)
class Analysis:
    """The analysis of a position, with every legal move in the order of `Position.moves`."""

    position: Position
    moves: tuple[MoveAnalysis, ...]
    best_index: int | None = None
    """Index of the best move; None if it is the one with the largest share."""
    value: float | None = None
    """Expected result for the side to move: 1 a win, 0.5 a draw, 0 a loss; None if not evaluated."""
    proven: ProvenResult | None = None
    """The result for the side to move, if it is proven."""
    distance: int | None = None
    """Plies to the end of the game, if the result is proven."""
    seconds: float = 0.0
    """Elapsed time."""
    simulations: int = 0
    """Simulations run."""
    nodes: int = 0
    """Nodes in the tree (tree search) or nodes visited (other searches)."""
    mebibytes: float = 0.0
    """Memory of the search tree or transposition table."""
    table_used: float | None = None
    """Fraction of the transposition table that the search has filled, 0 to 1; None without a table."""
    mean_depth: float = 0.0
    """Mean search depth in plies."""
    max_depth: int = 0
    """Maximum search depth in plies."""
    playout_results: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Playouts won by the first side, won by the second side, drawn, and cut off before the end of the game."""
    playout_lengths: tuple[int, ...] = field(default=())
    """Histogram of playout lengths in bins of ten plies; the last bin also counts all longer playouts."""
    mean_playout_length: float = 0.0
    """Mean length of the playouts in plies."""
    mean_playout_score: float | None = None
    """Mean reward of the first side in the playouts, 0 to 1; None without playouts."""

    @property
    def best(self) -> MoveAnalysis:
        """The best move."""
        if self.best_index is not None:
            return self.moves[self.best_index]
        return max(self.moves, key=lambda move: move.share)

    @property
    def result_shares(self) -> tuple[float, float, float] | None:
        """Fractions of the finished playouts won by the first side, won by the second side and drawn.

        None if there are no playouts or at least half of them were cut off.
        """
        first_wins, second_wins, draws, cut_off = self.playout_results
        finished = first_wins + second_wins + draws
        return (first_wins / finished, second_wins / finished, draws / finished) if finished > cut_off else None

    @property
    def pv(self) -> tuple[str, ...]:
        """Principal variation of the best move."""
        return self.best.pv or (self.best.move,)

    _tree: ClassVar[Tree | None] = None
    """The tree of the search. Not a dataclass field, because it is not part of the result's data."""

    @property
    def tree(self) -> Tree:
        """The search tree; the tree of the principal variations if the agent has no search tree."""
        if self._tree is not None:
            return self._tree
        from plyground.agents.tree import Tree, variations

        return Tree(self.position, self.value, variations(self.position, self.moves))

    def with_tree(self, tree: Tree | None) -> Analysis:
        """Return the analysis with a search tree."""
        copy = replace(self)
        object.__setattr__(copy, "_tree", tree)
        return copy

    def with_best(self, index: int) -> Analysis:
        """Return the analysis with another best move."""
        return replace(self, best_index=index).with_tree(self._tree)

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as JSON data, without the tree."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        del values["position"], values["best_index"]
        return {
            "game": self.position.game.spec,
            "position": self.position.text,
            "turn": self.position.turn,
            "best": self.best.move,
            "pv": list(self.pv),
            **{name: list(value) if isinstance(value, tuple) else value for name, value in values.items()},
            "moves": [{**asdict(move), "pv": list(move.pv)} for move in self.moves],
        }

    def ranked(self) -> list[MoveAnalysis]:
        """Return the best move, then the others by share; ties are ordered by value, with bounds last."""
        best = self.best

        def rank(move: MoveAnalysis) -> tuple[bool, float, bool, float]:
            return move is best, move.share, move.bound is None, move.value or 0.0

        return sorted(self.moves, key=rank, reverse=True)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without the tree, because a search cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name != "_tree"}

    def _repr_html_(self) -> str:
        """Show the board and the best moves."""
        notation = self.position.notation
        rows = []
        for move in self.ranked()[:HTML_MOVES]:
            value = {"upper": "≤ ", "lower": "≥ ", None: ""}[move.bound] + percent(move.value)
            is_exact = move.bound is not None or move.low is None or move.high is None or move.low == move.high
            interval = "" if is_exact else f"{percent(move.low)} – {percent(move.high)}"
            proven = "" if move.proven is None else f"{move.proven} in {move.distance}"
            if move.distance is None:
                proven = move.proven or ""
            visits = f"{move.visits:,}" if move.visits else ""
            line = " ".join(move.pv[:HTML_PLIES])
            rows.append([notation(move.move), value, interval, visits, percent(move.share), proven, line])
        header = ["Move", "Value", "95% interval", "Visits", "Share", "Proven", "Principal variation"]
        work = f"{self.simulations:,} simulations, " if self.simulations else ""
        summary = f"{self.position.turn} to move: {work}{self.nodes:,} nodes in {self.seconds:.2f} s"
        hidden = len(self.moves) - len(rows)
        more = paragraph(f"and {hidden} more {'move' if hidden == 1 else 'moves'}") if hidden else ""
        return side_by_side(self.position._repr_svg_(), table(header, rows, summary) + more)


ReportCallback = Callable[[Analysis], None] | None
"""Callback for progress reports; None disables them."""


def interval(value: float, trials: int) -> tuple[float, float]:
    """Return the 95% confidence interval of a mean reward in [0, 1] by Hoeffding's inequality.

    The half-width is ``sqrt(ln(2 / 0.05) / (2 * trials))``, about ``1.36 / sqrt(trials)``.

    >>> interval(0.5, 100)
    (0.364, 0.636)
    """
    if trials == 0:
        return 0.0, 1.0
    half_width = 1.36 / trials**0.5
    return max(0.0, value - half_width), min(1.0, value + half_width)


def proven_result(proven: Mapping[str, Any] | None, turn: str) -> tuple[ProvenResult | None, int | None]:
    """Convert a proven value of the engine to a result for the side to move and a distance in plies."""
    if proven is None:
        return None, None
    return result_for(proven["winner"], turn), proven["distance"]


def result_for(winner: str | None, side: str) -> GameResult:
    """Return the result of a game for one side; without a winner it is a draw.

    >>> result_for("white", "black")
    'loss'
    """
    return "draw" if winner is None else "win" if winner == side else "loss"
