"""The algorithms of `plyground.plain` as agents, to play against and to compare with the engine.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("tictactoe").position("xx./oo./...")
>>> [agent(name).analyse(position, Limit(), seed=1).best.move for name in ("plain-mcts", "plain-flat", "plain-minimax")]
['c3', 'c3', 'c3']
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from plyground._engine import Position, Rng, split_seed
from plyground.agents.agent import Agent
from plyground.agents.analysis import Analysis, Limit, MoveAnalysis, ProvenResult, interval
from plyground.agents.budget import Budget
from plyground.agents.flat import PLAYOUTS_OPTION, read_scores
from plyground.agents.options import SIMULATIONS, Option, depth
from plyground.agents.tree import Row, Tree
from plyground.errors import Interrupted
from plyground.plain.flat import PLAYOUTS, Score, sample
from plyground.plain.mcts import Mcts, Node
from plyground.plain.minimax import WIN, Minimax, Result
from plyground.plain.playout import PLIES


@dataclass
class SearchStats:
    """Statistics of a tree search."""

    nodes: int = 1
    plies: int = 0
    """Sum of the path lengths of all simulations."""
    max_depth: int = 0


class PlainMctsAgent(Agent):
    """Tree search that grows the same tree as ``mcts(solver=false, decisive=false, playout_decisive=false)``."""

    name = "plain-mcts"
    description = "mcts in plain Python"
    options = (
        SIMULATIONS,
        Option("c", "real", "exploration constant", "0.5", 0, 100),
        Option("playout_plies", "integer", "maximum length of a playout in plies", str(PLIES), 1, 1_000_000),
    )
    runs_python = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        self.default_limit = Limit(simulations=options.get("simulations", 1000))
        self._c = options.get("c", 0.5)
        self._playout_plies = options.get("playout_plies", PLIES)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Run simulations until the limit: at least one, unless a user game is interrupted during the first."""
        limit = budget.limit
        search = Mcts(Rng(split_seed(seed, 0)), self._c, self._playout_plies)
        root = search.root(position)
        stats = SearchStats()
        simulations = limit.simulations if limit.simulations or limit.seconds else self.default_limit.simulations
        with suppress(Interrupted), budget:
            while root.visits != simulations and not (budget.expired and root.visits):
                path = search.simulate(root)
                stats.plies += len(path) - 1
                stats.max_depth = max(stats.max_depth, len(path) - 1)
                stats.nodes += path[-1].visits == 1
                budget.report_if_due(lambda: read_tree(search, root, stats, budget.elapsed))
        analysis = read_tree(search, root, stats, budget.elapsed)
        return analysis.with_tree(Tree(position, analysis.value, rows_of(root)))


class PlainFlatAgent(Agent):
    """Flat Monte Carlo."""

    name = "plain-flat"
    description = "flat in plain Python"
    options = (PLAYOUTS_OPTION,)
    runs_python = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        self._playouts = options.get("playouts", PLAYOUTS)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Run a playout of each move in turn until the limit; `limit.simulations` is the total for all moves."""
        limit, rng = budget.limit, Rng(seed)
        scores = [Score(move) for move in position.moves]
        simulations = limit.simulations or (None if limit.seconds else self._playouts * len(scores))
        count = 0
        with suppress(Interrupted), budget:
            while count != simulations and not budget.expired:
                sample(position, scores[count % len(scores)], rng)
                count += 1
                budget.report_if_due(lambda: read_scores(position, scores, {}, budget.elapsed))
        return read_scores(position, scores, {}, budget.elapsed)


class PlainMinimaxAgent(Agent):
    """Minimax with a material evaluation to a fixed depth, with or without alpha-beta pruning.

    If stopped early, it plays the best of the moves searched so far, or the first legal move if there is none.
    """

    name = "plain-minimax"
    description = "minimax and alpha-beta in plain Python"
    options = (
        depth("search depth in plies", "3"),
        Option("pruning", "boolean", "whether to use alpha-beta pruning", "true"),
    )
    runs_python = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        self._depth = options.get("depth", 3)
        self._pruning = options.get("pruning", True)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        """Search to a fixed depth; the best move (the first, if several are equal) has a share of 1."""
        depth = budget.limit.depth or self._depth
        result = MinimaxWithBudget(depth, budget, pruning=self._pruning).run(position)
        best = result.move or position.moves[0]
        moves = []
        for move in position.moves:
            is_best = move == best
            # With pruning, the values of other moves are only upper bounds.
            value = result.values.get(move) if is_best or not self._pruning else None
            proven, distance = proven_value(value, depth)
            moves.append(MoveAnalysis(move, float(is_best), expected_score(value), proven=proven, distance=distance))
        value = result.value if result.move else None
        proven, distance = proven_value(value, depth)
        return Analysis(
            position,
            tuple(moves),
            value=expected_score(value),
            proven=proven,
            distance=distance,
            seconds=budget.elapsed,
            nodes=result.nodes,
            mean_depth=float(depth),
            max_depth=depth,
        )


class MinimaxWithBudget(Minimax):
    """Minimax that returns the moves searched so far when its budget expires."""

    def __init__(self, depth: int, budget: Budget, *, pruning: bool) -> None:
        super().__init__(depth, pruning=pruning)
        self._budget = budget

    def run(self, position: Position) -> Result:
        """Return the result, which lacks the unfinished moves if the budget expired."""
        with suppress(Interrupted), self._budget:
            return super().run(position)
        return self.result

    def order(self, position: Position) -> list[str]:
        """Return the moves in search order; raise `Interrupted` to unwind the search if the budget has expired."""
        if self._budget.expired:
            raise Interrupted
        return super().order(position)


def read_tree(search: Mcts, root: Node, stats: SearchStats, seconds: float) -> Analysis:
    """Convert a tree to an Analysis."""
    children = {child.move: child for child in root.children if child.visits}
    order = root.position.moves
    moves = []
    for move in order:
        child = children.get(move)
        if child is None:
            moves.append(MoveAnalysis(move, 0.0, low=0.0, high=1.0))
            continue
        low, high = interval(child.mean, child.visits)
        share = child.visits / max(1, root.visits)
        moves.append(MoveAnalysis(move, share, child.mean, low, high, child.visits, pv=principal_variation(child)))
    return Analysis(
        root.position,
        tuple(moves),
        best_index=order.index(search.best(root).move) if root.children else 0,
        value=1 - root.mean,
        seconds=seconds,
        simulations=root.visits,
        nodes=stats.nodes,
        mean_depth=stats.plies / max(1, root.visits),
        max_depth=stats.max_depth,
    )


def rows_of(root: Node) -> Callable[[int], list[Row]]:
    """Return a function that lists the visited nodes as `Search.top_nodes` does: most visited first."""

    def read(max_nodes: int) -> list[Row]:
        rows: list[Row] = []
        queue: list[tuple[int, int, int | None, Node]] = [(-root.visits, 0, None, root)]
        seen = 0
        while queue and len(rows) < max_nodes:
            _, _, parent, node = heapq.heappop(queue)
            for child in node.children:
                if child.visits:
                    seen += 1
                    heapq.heappush(queue, (-child.visits, seen, len(rows), child))
            fields = {"parent": parent, "move": node.move, "turn": node.position.turn, "visits": node.visits}
            rows.append({**fields, "value": node.mean, "proven": None, "children": len(node.children)})
        return rows

    return read


def principal_variation(node: Node) -> tuple[str, ...]:
    """Return the moves along the most visited nodes, beginning with the node's own move."""
    moves = [node.move]
    while visited := [child for child in node.children if child.visits]:
        node = max(visited, key=lambda child: child.visits)
        moves.append(node.move)
    return tuple(moves)


def proven_value(value: float | None, depth: int) -> tuple[ProvenResult | None, int | None]:
    """Return the result that a minimax value proves, and its distance in plies.

    >>> proven_value(WIN + 2, depth=3), proven_value(4.0, depth=3)
    (('win', 1), (None, None))
    """
    if value is None or abs(value) < WIN:
        return None, None
    return "win" if value > 0 else "loss", depth - int(abs(value) - WIN)


def expected_score(value: float | None) -> float | None:
    """Convert a minimax value in pawns to an expected score, 0 to 1: ``1 / (1 + 10 ** (-value / 4))``.

    >>> expected_score(0.0), expected_score(WIN), expected_score(-WIN)
    (0.5, 1.0, 0.0)
    """
    if value is None:
        return None
    return float(value > 0) if abs(value) >= WIN else 1 / (1 + 10 ** (-value / 4))
