"""Tree search one iteration at a time, phase by phase, by the plain search of `plyground.plain`."""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt

from plyground._engine import Position, Rng
from plyground.errors import ParseError
from plyground.games import game
from plyground.plain.mcts import Mcts, Node
from plyground.plain.playout import reward
from plyground.server.messages import Step
from plyground.server.views.search import (
    BackupStep,
    CandidateView,
    Formula,
    IterationView,
    SelectionStep,
    TreeView,
)

PLAYOUT_PLIES = 200
"""Plies after which a playout is cut off and counts as drawn."""
MOST_ITERATIONS = 20_000
MOST_NODES = 2000


class Traced(Mcts):
    """The plain search, remembering what each phase of the last iteration did."""

    def __init__(self, rng: Rng, c: float) -> None:
        super().__init__(rng, c, PLAYOUT_PLIES)
        self.looks: list[tuple[Node, list[CandidateView]]] = []
        self.opened: Node | None = None
        self.playout: list[str] = []
        self.end: Position | None = None
        self.value = 0.5

    def select(self, root: Node) -> list[Node]:
        """As every search, with a note of what each child scored."""
        self.looks, path = [], super().select(root)
        for parent, chosen in pairwise(path):
            self.looks.append((parent, [self._candidate(parent, child, child is chosen) for child in parent.children]))
        self.looks.append((path[-1], []))
        return path

    def _candidate(self, parent: Node, child: Node, chosen: bool) -> CandidateView:
        bonus = self.c * sqrt(log(parent.visits + 1) / child.visits)
        return CandidateView(
            move=child.move,
            visits=child.visits,
            value=round(child.mean, 4),
            bonus=round(bonus, 4),
            score=round(child.mean + bonus, 4),
            chosen=chosen,
        )

    def expand(self, path: list[Node]) -> None:
        """As every search, with a note of the new node."""
        before = len(path)
        super().expand(path)
        self.opened = path[-1] if len(path) > before else None

    def evaluate(self, position: Position) -> float:
        """As every search, with a note of the moves of the playout."""
        self.playout, end = [], position
        while end.outcome is None and len(self.playout) < self.playout_plies:
            moves = end.moves
            self.playout.append(moves[self.rng.below(len(moves))])
            end = end.play(self.playout[-1])
        self.end = end
        self.value = reward(end, position.turn)
        return self.value


class Stepper:
    """A tree that grows an iteration at a time."""

    def __init__(self, wanted: Step) -> None:
        position = game(wanted.game).position(wanted.text, wanted.moves)
        self.search = Traced(Rng(wanted.seed), wanted.c)
        self.root = self.search.root(position)
        self.asked = self.question(wanted)

    @staticmethod
    def question(wanted: Step) -> tuple[object, ...]:
        """What must be the same for the tree to grow on."""
        return wanted.game, wanted.text, tuple(wanted.moves), wanted.c, wanted.seed

    def step(self, iterations: int) -> IterationView:
        """Make iterations and tell the last one."""
        if self.root.visits + iterations > MOST_ITERATIONS:
            raise ParseError(f"a tree that grows step by step has at most {MOST_ITERATIONS} iterations; begin again")
        for _ in range(iterations - 1):
            self.search.simulate(self.root)
        before = self._rows()
        path = self.search.simulate(self.root)
        rows = self._rows()
        number = {id(node): row for row, node in enumerate(rows)}
        search, end = self.search, self.search.end or path[-1].position
        old = {id(node): row for row, node in enumerate(before)}
        turn = path[-1].position.turn
        return IterationView(
            number=self.root.visits,
            selection=[
                SelectionStep(
                    row=old.get(id(node), -1),
                    move=next((one.move for one in candidates if one.chosen), ""),
                    candidates=candidates,
                )
                for node, candidates in search.looks
            ],
            expanded=None if search.opened is None else search.opened.move,
            new_row=None if search.opened is None else number.get(id(search.opened)),
            playout=search.playout,
            playout_cut=end.outcome is None,
            end=end.text,
            end_words="cut off: counts as a draw" if end.outcome is None else str(end.outcome),
            backup=[
                BackupStep(
                    row=number.get(id(node), -1),
                    move=node.move,
                    reward=search.value if node.mover == turn else 1 - search.value,
                    visits=node.visits,
                    value=round(node.mean, 4),
                )
                for node in reversed(path)
            ],
            tree=self._tree(rows),
        )

    def _rows(self) -> list[Node]:
        """The nodes to show, parents first: level by level, so that rows keep their order as the tree grows."""
        rows, at = [self.root], 0
        while at < len(rows) and len(rows) < MOST_NODES:
            rows += rows[at].children[: MOST_NODES - len(rows)]
            at += 1
        return rows

    def _tree(self, rows: list[Node]) -> TreeView:
        number = {id(node): row for row, node in enumerate(rows)}
        parents = [-1] * len(rows)
        bonus = [0.0] * len(rows)
        for row, node in enumerate(rows):
            for child in node.children:
                if (place := number.get(id(child))) is not None:
                    parents[place] = row
                    bonus[place] = round(self.search.c * sqrt(log(max(1, node.visits)) / max(1, child.visits)), 4)
        return TreeView(
            formula=Formula(name="uct", c=self.search.c),
            parent=parents,
            move=[node.move for node in rows],
            turn=[node.position.turn for node in rows],
            visits=[node.visits for node in rows],
            value=[round(node.mean, 4) for node in rows],
            judged=[None] * len(rows),
            bonus=bonus,
            known=[None] * len(rows),
            children=[len(node.children) + len(node.untried or ()) for node in rows],
            total_nodes=len(rows),
        )
