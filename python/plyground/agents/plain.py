"""The algorithms of `plyground.plain` as agents, to play against and to compare with those of the engine.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("tictactoe").position("xx./oo./...")
>>> [agent(name).analyse(position, Limit(), seed=1).best.move for name in ("plain-mcts", "plain-flat", "plain-minimax")]
['c3', 'c3', 'c3']
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground._engine import Position, Rng, split_seed
from plyground.agents import flat as engine_flat
from plyground.agents.agent import Analysis, Known, Limit, MoveAnalysis, Report, check_unfinished, interval
from plyground.agents.options import number_within, truth, whole
from plyground.agents.pace import Pace, Paced
from plyground.plain.flat import PLAYOUTS, Score, sample
from plyground.plain.mcts import Mcts, Node
from plyground.plain.minimax import WIN, Minimax, Result
from plyground.plain.playout import PLIES
from plyground.spec import Spec


@dataclass
class Work:
    """What a tree search did."""

    nodes: int = 1
    plies: int = 0
    """Sum of the lengths of all simulations' paths."""
    deepest: int = 0


class PlainMctsAgent(Paced):
    """Tree search; the same seed grows the tree of ``mcts(solver=false, decisive=false, playout_decisive=false)``."""

    def __init__(self, **options: str) -> None:
        self.spec = str(Spec("plain-mcts", options))
        self._simulations = whole(options, "simulations") or 1000
        c = number_within(options, "c", 0, 100)
        self._c = 0.5 if c is None else c
        self._playout_plies = whole(options, "playout_plies") or PLIES

    def analyse(self, position: Position, limit: Limit, *, seed: int, report: Report = None) -> Analysis:
        """Simulates until the limit."""
        check_unfinished(position)
        pace = self.start(limit.seconds, report)
        search = Mcts(Rng(split_seed(seed, 0)), self._c, self._playout_plies)
        root = search.root(position)
        work = Work()
        simulations = limit.simulations or (None if limit.seconds else self._simulations)
        while root.visits != simulations and not (pace.is_over and root.visits):
            path = search.simulate(root)
            work.plies += len(path) - 1
            work.deepest = max(work.deepest, len(path) - 1)
            work.nodes += path[-1].visits == 1
            pace.tell(lambda: tree_analysis(search, root, work, pace.elapsed))
        return tree_analysis(search, root, work, pace.elapsed)


class PlainFlatAgent(Paced):
    """Flat Monte Carlo."""

    def __init__(self, **options: str) -> None:
        self.spec = str(Spec("plain-flat", options))
        self._playouts = whole(options, "playouts") or PLAYOUTS

    def analyse(self, position: Position, limit: Limit, *, seed: int, report: Report = None) -> Analysis:
        """A playout of each move in turn until the limit; its `simulations` are those of all moves together."""
        check_unfinished(position)
        pace = self.start(limit.seconds, report)
        rng = Rng(seed)
        scores = [Score(move) for move in position.moves]
        simulations = limit.simulations or (None if limit.seconds else self._playouts * len(scores))
        made = 0
        while made != simulations and not pace.is_over:
            sample(position, scores[made % len(scores)], rng)
            made += 1
            pace.tell(lambda: engine_flat.analysis_of(position, scores, {}, pace.elapsed))
        return engine_flat.analysis_of(position, scores, {}, pace.elapsed)


class PlainMinimaxAgent(Paced):
    """Minimax by material to a fixed depth, with alpha-beta pruning or without.

    Stopped or out of time, it has the best of the moves it searched to the end, or none and then takes the first.
    """

    def __init__(self, **options: str) -> None:
        self.spec = str(Spec("plain-minimax", options))
        self._depth = whole(options, "depth") or 3
        self._pruning = truth(options, "pruning", default=True)

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        seed: int,  # noqa: ARG002
        report: Report = None,  # noqa: ARG002
    ) -> Analysis:
        """Searches to the depth; all trust goes to the best move, of equals the first."""
        check_unfinished(position)
        pace = self.start(limit.seconds)
        depth = limit.depth or self._depth
        result = PacedMinimax(depth, pace, pruning=self._pruning).run(position)
        best = result.move or position.moves[0]
        moves = []
        for move in position.moves:
            is_best = move == best
            # With pruning the others have upper bounds only.
            value = result.values.get(move) if is_best or not self._pruning else None
            known, distance = certain(value, depth)
            moves.append(MoveAnalysis(move, float(is_best), expectation(value), known=known, distance=distance))
        value = result.value if result.move else None
        known, distance = certain(value, depth)
        return Analysis(
            position,
            tuple(moves),
            value=expectation(value),
            known=known,
            distance=distance,
            seconds=pace.elapsed,
            nodes=result.nodes,
            depth=float(depth),
            deepest=depth,
        )


class TimeUp(Exception):  # noqa: N818
    """Thrown through the recursion of a minimax whose time is up."""


class PacedMinimax(Minimax):
    """Minimax that gives up when its time is up, with what it knows of the moves before."""

    def __init__(self, depth: int, pace: Pace, *, pruning: bool) -> None:
        super().__init__(depth, pruning=pruning)
        self._pace = pace

    def run(self, position: Position) -> Result:
        """As of every minimax; fewer values where time was up."""
        try:
            return super().run(position)
        except TimeUp:
            return self.result

    def order(self, position: Position) -> list[str]:
        """The moves, unless time is up."""
        if self._pace.is_over:
            raise TimeUp
        return super().order(position)


def tree_analysis(search: Mcts, root: Node, work: Work, seconds: float) -> Analysis:
    """What a tree says of every legal move."""
    children = {child.move: child for child in root.children}
    order = root.position.moves
    moves = []
    for move in order:
        child = children.get(move)
        if child is None:
            moves.append(MoveAnalysis(move, 0.0, low=0.0, high=1.0))
            continue
        low, high = interval(child.mean, child.visits)
        share = child.visits / root.visits
        moves.append(MoveAnalysis(move, share, child.mean, low, high, child.visits, line=line(child)))
    return Analysis(
        root.position,
        tuple(moves),
        choice=order.index(search.best(root).move),
        value=1 - root.mean,
        seconds=seconds,
        simulations=root.visits,
        nodes=work.nodes,
        depth=work.plies / root.visits,
        deepest=work.deepest,
    )


def line(node: Node) -> tuple[str, ...]:
    """The most visited way down from a node, its own move first."""
    moves = [node.move]
    while node.children:
        node = max(node.children, key=lambda child: child.visits)
        moves.append(node.move)
    return tuple(moves)


def certain(value: float | None, depth: int) -> tuple[Known | None, int | None]:
    """What a value of minimax proves, and after how many plies.

    >>> certain(WIN + 2, depth=3), certain(4.0, depth=3)
    (('win', 1), (None, None))
    """
    if value is None or abs(value) < WIN:
        return None, None
    return "win" if value > 0 else "loss", depth - int(abs(value) - WIN)


def expectation(value: float | None) -> float | None:
    """A value of minimax as 0 to 1, as is usual for pawns in chess: ``1 / (1 + 10 ** (-value / 4))``.

    >>> expectation(0.0), expectation(WIN), expectation(-WIN)
    (0.5, 1.0, 0.0)
    """
    if value is None:
        return None
    return float(value > 0) if abs(value) >= WIN else 1 / (1 + 10 ** (-value / 4))
