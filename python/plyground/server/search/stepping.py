"""Tree search one iteration at a time, phase by phase, using the plain Python MCTS of `plyground.plain` in a worker."""

from __future__ import annotations

from functools import partial
from itertools import count, pairwise

from plyground._engine import Position, Rng
from plyground.agents import Budget
from plyground.errors import ParseError, PlygroundError
from plyground.plain.mcts import Mcts, Node, uct
from plyground.plain.playout import reward
from plyground.server.search.models import (
    BackupStep,
    CandidateView,
    Formula,
    IterationView,
    SelectionStep,
    TreeView,
)
from plyground.server.search.pool import Priority, SearchTask
from plyground.server.search.views import DIGITS
from plyground.server.workers.agents import Line
from plyground.server.workers.pool import WorkerPool
from plyground.server.workers.process import Call

STEP_SECONDS = 10.0
"""Time limit of one request."""
PLAYOUT_PLIES = 200
"""Ply limit of a playout; a truncated playout counts as a draw."""
MAX_ITERATIONS = 20_000
MAX_NODES = 2000
MEBIBYTES_PER_NODE = 0.01
"""Generous estimate of the memory of a node with its position."""


_keys = count()


class TooSlowError(PlygroundError):
    """The iterations of a step take too long."""

    http_status = 503


class TracingMcts(Mcts):
    """MCTS that records each phase of the last iteration."""

    def __init__(self, rng: Rng, c: float) -> None:
        super().__init__(rng, c, PLAYOUT_PLIES)
        self.selection: list[tuple[Node, list[CandidateView]]] = []
        """The nodes of the selection path, each with its candidates."""
        self.expanded: Node | None = None
        self.playout: list[str] = []
        self.end: Position | None = None
        self.value = 0.5
        """Reward of the playout, for the side to move in its start position."""

    def select(self, root: Node) -> list[Node]:
        """Select a path and record the scores of the candidates."""
        self.selection, path = [], super().select(root)
        for parent, chosen in pairwise(path):
            candidates = [self._candidate(parent, child, child is chosen) for child in parent.children]
            self.selection.append((parent, candidates))
        self.selection.append((path[-1], []))
        return path

    def _candidate(self, parent: Node, child: Node, chosen: bool) -> CandidateView:
        exploration = self.exploration(parent, child)
        return CandidateView(
            move=child.move,
            notation=_notation(child),
            visits=child.visits,
            value=round(child.mean, DIGITS),
            exploration=round(exploration, DIGITS),
            score=round(self.score(parent, child), DIGITS),
            chosen=chosen,
        )

    def expand(self, path: list[Node]) -> None:
        """Expand and record the new node."""
        before = len(path)
        super().expand(path)
        self.expanded = path[-1] if len(path) > before else None

    def evaluate_leaf(self, leaf: Node) -> float:
        """Evaluate a leaf and record its value."""
        self.playout, self.end = [], leaf.position
        self.value = super().evaluate_leaf(leaf)
        return self.value

    def evaluate(self, position: Position) -> float:
        """Play a random playout and record its moves."""
        end = position
        while end.outcome is None and len(self.playout) < self.playout_plies:
            moves = end.moves
            self.playout.append(moves[self.rng.below(len(moves))])
            end = end.play(self.playout[-1])
        self.end = end
        return reward(end, position.turn)


class SteppedTree:
    """A search tree that a tab grows step by step. The tree itself is in a worker process."""

    def __init__(self, workers: WorkerPool, position: Position, c: float, seed: int) -> None:
        self._workers = workers
        self._key = f"tree {next(_keys)}"
        self._create = partial(Stepper, Line.of(position), c, seed)
        self._iterations = 0

    def task(self, iterations: int) -> SearchTask:
        """Return a task that runs iterations and returns an `IterationView` of the last one."""
        if self._iterations + iterations > MAX_ITERATIONS:
            raise ParseError(f"a stepped tree must have at most {MAX_ITERATIONS} iterations; restart it")

        def run(task: SearchTask) -> IterationView:
            with task.searching():
                view: IterationView = self._workers.call(
                    self._key, self._create, "step", self._iterations, iterations, budget=Budget()
                )
            self._iterations = view.number
            return view

        return SearchTask(run, Priority.REPLY, seconds=STEP_SECONDS)

    def close(self) -> None:
        """Free the tree."""
        self._workers.forget(self._key)


class Stepper:
    """A search tree that grows one iteration at a time."""

    def __init__(self, line: Line, c: float, seed: int) -> None:
        self.search = TracingMcts(Rng(seed), c)
        self.root = self.search.root(line.position())

    @property
    def mebibytes(self) -> float:
        """Approximate memory of the tree, in MiB."""
        return self.root.visits * MEBIBYTES_PER_NODE

    def step(self, call: Call, before: int, iterations: int) -> IterationView:
        """Grow the tree to `before` iterations, run some more and return the last one."""
        budget = Budget()
        call.on_stop(budget.stop)
        while self.root.visits < before + iterations - 1:
            if budget.expired:
                raise TooSlowError(f"{iterations} iterations take too long in this position; run fewer at a time")
            self.search.simulate(self.root)
        rows_before = _row_numbers(self._nodes())
        path = self.search.simulate(self.root)
        nodes = self._nodes()
        rows = _row_numbers(nodes)
        search, end = self.search, self.search.end or path[-1].position
        turn = path[-1].position.turn
        return IterationView(
            number=self.root.visits,
            selection=[
                SelectionStep(
                    row=rows_before.get(id(node), -1),
                    move=next((one.move for one in candidates if one.chosen), ""),
                    notation=next((one.notation for one in candidates if one.chosen), ""),
                    candidates=candidates,
                )
                for node, candidates in search.selection
            ],
            expanded_move=None if search.expanded is None else search.expanded.move,
            expanded_notation=None if search.expanded is None else _notation(search.expanded),
            new_row=None if search.expanded is None else rows.get(id(search.expanded)),
            playout=end.history_notation[path[-1].position.ply :],
            playout_truncated=end.outcome is None,
            end_position=end.text,
            end_description="truncated: counts as a draw" if end.outcome is None else str(end.outcome),
            backup=[
                BackupStep(
                    row=rows.get(id(node), -1),
                    move=node.move,
                    notation=_notation(node),
                    reward=search.value if node.mover == turn else 1 - search.value,
                    visits=node.visits,
                    value=round(node.mean, DIGITS),
                )
                for node in reversed(path)
            ],
            tree=self._tree(nodes),
        )

    def _nodes(self) -> list[Node]:
        """Return the nodes to show in breadth-first order, so that parents precede children."""
        nodes, index = [self.root], 0
        while index < len(nodes) and len(nodes) < MAX_NODES:
            visited = [child for child in nodes[index].children if child.visits]
            nodes += visited[: MAX_NODES - len(nodes)]
            index += 1
        return nodes

    def _tree(self, nodes: list[Node]) -> TreeView:
        rows = _row_numbers(nodes)
        parents = [-1] * len(nodes)
        exploration, score = [0.0] * len(nodes), [0.0] * len(nodes)
        for row, node in enumerate(nodes):
            for child in node.children:
                if (child_row := rows.get(id(child))) is not None:  # and therefore has been visited
                    parents[child_row] = row
                    exploration[child_row] = round(uct(0, child.visits, node.visits, self.search.c), DIGITS)
                    score[child_row] = round(uct(child.total, child.visits, node.visits, self.search.c), DIGITS)
        return TreeView(
            formula=Formula(name="uct", c=self.search.c),
            parent=parents,
            move=[node.move for node in nodes],
            notation=[_notation(node) for node in nodes],
            turn=[node.position.turn for node in nodes],
            visits=[node.visits for node in nodes],
            value=[round(node.mean, DIGITS) for node in nodes],
            minimax=[None] * len(nodes),
            exploration=exploration,
            score=score,
            proven=[None] * len(nodes),
            children=[len(node.children) for node in nodes],
            total_nodes=len(nodes),
        )


def _notation(node: Node) -> str:
    """Return the move that leads to a node in standard notation; empty for the root."""
    return node.before.notation(node.move) if node.move else ""


def _row_numbers(nodes: list[Node]) -> dict[int, int]:
    """Return the row of each node by the node's `id()`."""
    return {id(node): row for row, node in enumerate(nodes)}
