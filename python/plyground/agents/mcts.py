"""Monte Carlo Tree Search, run by the engine.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("connect4").position("112233")
>>> analysis = agent("mcts").analyse(position, Limit(simulations=1000), seed=1)
>>> analysis.best.move, analysis.proven
('4', 'win')
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from plyground._engine import Network, Position, QTable, Search, Weights, search_options
from plyground.agents.agent import Agent, check_unfinished
from plyground.agents.analysis import Analysis, GameResult, Limit, MoveAnalysis, ProvenResult, interval
from plyground.agents.budget import Budget
from plyground.agents.engine_analysis import read_analysis
from plyground.agents.evaluators import AgentEvaluator, evaluator, runs_python
from plyground.agents.members import first_able, make_agents
from plyground.agents.options import (
    NETWORK,
    SECONDS,
    SIMULATIONS,
    THREADS,
    WEIGHTS,
    Option,
    engine_options,
    format_value,
    mebibytes,
)
from plyground.agents.tree import Tree
from plyground.agents.treefile import read_tree, save_tree
from plyground.errors import ParseError
from plyground.exact.tables import GAME as TABLES_GAME
from plyground.exact.tables import activate_tables
from plyground.networks import engine_network
from plyground.networks.network import checked_network
from plyground.weights import BEST, checked_weights, engine_weights, has_best

SEARCH_OPTIONS = engine_options(search_options())
"""The options of the engine's search."""

DEFAULT_SIMULATIONS = 1000
DEFAULT_MEBIBYTES = 256
AGENT_OPTIONS = (
    SIMULATIONS,
    SECONDS,
    mebibytes("maximum memory of the tree", DEFAULT_MEBIBYTES),
    replace(THREADS, description="threads that share one tree; results are reproducible only with one thread"),
    Option(
        "workers",
        "integer",
        "independent trees, one thread each, whose visits are added up; results are reproducible",
        "1",
        1,
        256,
        visitor_setting="threads",
    ),
    Option(
        "evaluator",
        "evaluator",
        "evaluates leaves, or guides playouts if guide is set: a registered name or an agent spec",
    ),
    replace(
        NETWORK,
        description="compact network that gives leaf values and move priors, or guides playouts if guide is set: a "
        "name, such as best, or a file",
    ),
    replace(
        WEIGHTS,
        description="evaluation weights: a name, a file, or none for the game's heuristic",
        default="best, if the game has it",
    ),
    Option(
        "guides",
        "agents",
        "agents that choose the fraction `guide` of playout moves: the first of them that can play the game, or none; "
        "agents without a file for the game are skipped",
    ),
    Option(
        "reuse",
        "choice",
        "true reuses the tree of the previous move; adaptive does so while the agent has won more than 30% of its last "
        "ten games",
        "false",
        choices=("true", "false", "adaptive"),
    ),
)
"""The options of the agent itself."""

PLAYOUT_OPTIONS = (
    "playout_plies",
    "deepening",
    "cutoff",
    "playout_decisive",
    "capture_weight",
    "edge_weight",
    "guide",
    "guides",
)
"""Playout options: setting any of them makes `leaf=playout` the default."""

EVALUATOR_DEFAULTS = {"leaf": "evaluator", "selection": "puct", "c": "1.5", "first_play": "0.5", "minimax": "0"}
"""Default search options if an evaluator evaluates the leaves."""
DEFAULT_GUIDE = "0.7"
"""Fraction of playout moves that ``guides`` choose by default."""
NETWORK_DEFAULTS = {**EVALUATOR_DEFAULTS, "batch": "1"}
"""Default search options if a compact network, which evaluates single positions as fast as batches, does."""

RECENT_RESULTS = 10
"""Number of games that ``reuse=adaptive`` considers."""
REUSE_WIN_SHARE = 0.3
"""Fraction of won games above which ``reuse=adaptive`` reuses the tree."""


class MctsAgent(Agent):
    """A tree search with its options, which can reuse its tree from move to move."""

    name = "mcts"
    description = "Monte Carlo Tree Search"
    options = AGENT_OPTIONS + SEARCH_OPTIONS
    main_options = ("simulations", "c", "seconds", "threads", "selection", "reuse", "lines")
    can_restrict_moves = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        given = options.get("evaluator")
        self._evaluator = None if given is None else evaluator(given)
        if self._evaluator is not None:
            self.runs_python, self.uses_registered_evaluator = runs_python(self._evaluator)
        defaults = {"leaf": "playout"} if any(name in options for name in PLAYOUT_OPTIONS) else {}
        self._network = checked_network(options.get("network"))
        sources = [name for name in ("evaluator", "network", "guides") if name in options]
        if len(sources) > 1:
            raise ParseError(f"options {' and '.join(sources)} cannot be combined; set one of them")
        self._guides = make_agents(options.get("guides", ()))
        if self._guides:
            defaults["guide"] = DEFAULT_GUIDE
            self.runs_python = any(guide.runs_python for guide in self._guides)
            self.uses_registered_evaluator = any(guide.uses_registered_evaluator for guide in self._guides)
        if (given is not None or self._network is not None) and "guide" not in options:
            defaults = EVALUATOR_DEFAULTS if given is not None else NETWORK_DEFAULTS
        own = {option.name for option in AGENT_OPTIONS}
        search = {key: format_value(value) for key, value in options.items() if key not in own}
        self._search_options = list({**defaults, **search}.items())
        self.default_limit = Limit(
            simulations=options.get("simulations", None if "seconds" in options else DEFAULT_SIMULATIONS),
            seconds=options.get("seconds"),
            mebibytes=options.get("mebibytes", DEFAULT_MEBIBYTES),
        )
        self._threads = options.get("threads", 1)
        self._workers = options.get("workers", 1)
        self._weights = checked_weights(options.get("weights"))
        self._reuse = options.get("reuse", "false")
        self._recent_results: tuple[GameResult, ...] = ()
        self._search: Search | None = None
        self._root: Position | None = None
        self._loaded = False
        self._last_tree: weakref.ref[Tree] | None = None
        """The tree of the last analysis, while it is referenced elsewhere."""

    @property
    def keeps_tree(self) -> bool:
        """Whether the next search reuses the current tree."""
        if self._reuse == "adaptive":
            recent = self._recent_results
            return not recent or recent.count("win") > REUSE_WIN_SHARE * len(recent)
        return bool(self._reuse == "true")

    def report_result(self, result: GameResult) -> None:
        """Record the result of a game; with ``reuse=adaptive`` the last ten decide whether the tree is reused."""
        # Replaced, not modified, because a search in another thread may be reading it.
        self._recent_results = (*self._recent_results, result)[-RECENT_RESULTS:]
        if self._reuse == "adaptive" and not self.keeps_tree:
            self.clear()

    def clear(self) -> None:
        """Discard the tree."""
        self._search = None
        if (tree := self._shared_tree()) is not None:
            tree.discard()

    @property
    def tree(self) -> Search | None:
        """The search of the last or running analysis."""
        return self._search

    def search(self, position: Position, limit: Limit) -> Search:
        """Return the search that `analyse` runs: the previous one moved to the position, or a new one."""
        check_unfinished(position)
        if ("tables", "true") in self._search_options and position.game.id == TABLES_GAME:
            activate_tables()
        reused = self._search if self.keeps_tree or self._loaded else None
        if reused is not None:
            if (tree := self._shared_tree()) is not None:
                tree.freeze()
            try:
                reused.move_to(position)
            except ParseError:  # a position of another game
                reused = None
        self._search = reused or self._new_search(position, limit)
        self._loaded = False
        self._root = position
        return self._search

    def _new_search(self, position: Position, limit: Limit) -> Search:
        memory = limit.mebibytes or DEFAULT_MEBIBYTES
        options, evaluator = self._search_options, self._evaluator
        policy: Network | QTable | None = None
        if self._network is not None:
            policy = engine_network(self._network, position)
        if self._guides:
            guide = first_able(self._guides, position.game)
            if guide is None:
                options = [*(dict(options) | {"guide": "0"}).items()]
            elif (policy := guide.engine_policy(position)) is None:
                evaluator = AgentEvaluator(guide)
        if isinstance(evaluator, AgentEvaluator):
            memory = evaluator.share_memory(memory)
        return Search(
            position,
            options,
            evaluator=evaluator,
            network=policy if isinstance(policy, Network) else None,
            q_table=policy if isinstance(policy, QTable) else None,
            weights=self._engine_weights(position),
            threads=self._threads,
            workers=self._workers,
            mebibytes=memory,
        )

    def _engine_weights(self, position: Position) -> Weights | None:
        name = self._weights or (BEST if has_best(position.game.id) else "none")
        return None if name == "none" else engine_weights(name, position)

    def save_tree(self, path: str | Path) -> None:
        """Write the tree of the last search to a file that `load_tree` of an agent with the same spec can read."""
        if self._search is None or self._root is None:
            raise ParseError("there is no tree to save; run analyse first")
        save_tree(Path(path), self._search, self._root, self._search_options)

    def load_tree(self, path: str | Path) -> Position:
        """Load a saved tree, which the next search continues, and return its root position."""
        position, tree = read_tree(Path(path), self._search_options, self.default_limit.mebibytes or DEFAULT_MEBIBYTES)
        search = self._new_search(position, self.default_limit)
        search.restore(tree)
        self._search, self._root, self._loaded = search, position, True
        return position

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Search until the limit or until the value is proven; a single legal move is returned without searching."""
        limit, report = budget.limit, budget.report
        search = self.search(position, limit)
        with budget:
            data = search.run(
                simulations=limit.simulations,
                seconds=limit.seconds,
                seed=seed,
                root_moves=budget.moves,
                report=None if report is None else lambda data: report(read_search(position, data)),
            )
        analysis = read_search(position, data)
        if not any(move.visits for move in analysis.moves):  # no search was needed
            return analysis
        tree = Tree(position, analysis.value, search.top_nodes)
        self._last_tree = weakref.ref(tree)
        return analysis.with_tree(tree)

    def _shared_tree(self) -> Tree | None:
        return None if self._last_tree is None else self._last_tree()


def read_search(position: Position, data: dict[str, Any]) -> Analysis:
    """Convert a search result of the engine to an Analysis."""
    visits = sum(move["visits"] for move in data["moves"])
    uniform_share = 1 / len(data["moves"])

    def read_move(_: int, move: Mapping[str, Any], proven: ProvenResult | None, distance: int | None) -> MoveAnalysis:
        low, high = interval(move["value"], move["visits"]) if proven is None else (move["value"], move["value"])
        return MoveAnalysis(
            move["move"],
            share=move["visits"] / visits if visits else uniform_share,
            value=move["value"] if move["visits"] or proven else None,
            low=low,
            high=high,
            visits=move["visits"],
            prior=move["prior"],
            proven=proven,
            distance=None if distance is None else distance + 1,
            pv=tuple(move["pv"]),
        )

    return read_analysis(position, data, read_move, lambda proven: data["value"] if visits or proven else None)
