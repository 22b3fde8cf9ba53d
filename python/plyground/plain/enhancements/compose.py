"""Composition of searches from enhancements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground._engine import Game, Rng, Weights, search_options
from plyground.errors import ParseError
from plyground.plain.enhancements.choice import FinalMove
from plyground.plain.enhancements.decisive import DecisiveMoves, TwoPlyCheck
from plyground.plain.enhancements.formulas import (
    FirstPlayUrgency,
    ProgressiveBias,
    ProgressiveWidening,
    Puct,
    Ucb1Tuned,
)
from plyground.plain.enhancements.knowledge import Evaluations, MoveWeights
from plyground.plain.enhancements.minimax import ImplicitMinimax
from plyground.plain.enhancements.playouts import (
    DecisivePlayouts,
    DecisiveWeightedPlayouts,
    DeepeningPlayouts,
    EvaluatedCutoff,
    EvaluatedLeaves,
    MaterialCutoff,
    PieceCutoff,
    StoredLeaves,
    WeightedPlayouts,
)
from plyground.plain.enhancements.rave import Grave
from plyground.plain.enhancements.reuse import TreeReuse
from plyground.plain.enhancements.solver import Solver
from plyground.plain.enhancements.transpositions import Transpositions
from plyground.plain.mcts import Mcts

UNSUPPORTED = {"tables", "noise", "guide", "root", "lines"}
"""Options of the engine's search that must keep their defaults here."""


def compose(*enhancements: type[Mcts]) -> type[Any]:
    """Return a class that combines enhancements; each method calls those of the enhancements after it.

    >>> from plyground.plain.enhancements import Rave, Solver
    >>> compose(Rave, Solver).__name__
    'RaveSolver'
    """
    bases = enhancements or (Mcts,)
    return type("".join(base.__name__ for base in bases), bases, {})


def plain_search(
    game: Game, options: Mapping[str, str], rng: Rng, *, weights: Weights | None = None, reuse: bool = False
) -> Mcts:
    """Return a plain search with `mcts(...)` options; raise `ParseError` for those that it does not support.

    With `reuse`, each run continues the tree of the previous run if its position follows from that of the previous run.

    >>> import plyground
    >>> game = plyground.game("connect4")
    >>> search = plain_search(game, {"rave": "0.001", "c": "0.3"}, plyground.Rng(1))
    >>> search.best(search.run(game.position("112233"), simulations=100)).move
    '4'
    """
    defaults = {name: default for name, _, default, *_ in search_options()}
    values = defaults | game.tuning | dict(options)
    for name, value in values.items():
        if name not in defaults:
            raise ParseError(f"unknown option {name!r} for the plain search; available: {', '.join(defaults)}")
        if name in UNSUPPORTED and value != defaults[name]:
            raise ParseError(f"the plain search supports only {name}={defaults[name]}, got {value!r}")
    enhancements, arguments = list[type[Mcts]](), dict[str, Any]()

    def add(enhancement: type[Mcts], **keywords: Any) -> None:
        enhancements.append(enhancement)
        arguments.update(keywords)

    def number(name: str) -> float:
        return float(values.get(name, "0"))

    def is_on(name: str) -> bool:
        return values[name] == "true"

    # The first enhancements are outermost: RAVE mixes into the minimax mean, and both see the solver's proofs.
    add(FinalMove, choice=values["choice"])
    if reuse:
        add(TreeReuse)
    if number("rave"):
        add(Grave, rave=number("rave"), grave=int(values["grave"]))
    if number("minimax"):
        add(ImplicitMinimax, minimax=number("minimax"))
    if is_on("solver"):
        add(TwoPlyCheck if is_on("decisive") else Solver)
    if is_on("transpositions"):
        add(Transpositions)
    if is_on("decisive"):
        add(DecisiveMoves)
    match values["selection"]:
        case "ucb1-tuned":
            add(Ucb1Tuned)
        case "puct":
            add(Puct)
    if number("bias"):
        add(ProgressiveBias, bias=number("bias"))
    if number("first_play") >= 0:
        add(FirstPlayUrgency, first_play=number("first_play"))
    if number("widening"):
        add(ProgressiveWidening, widening=number("widening"))
    match values["leaf"]:
        case "heuristic":
            add(StoredLeaves if number("minimax") else EvaluatedLeaves)
        case "evaluator":
            raise ParseError("the plain search does not support leaf=evaluator")
    if number("deepening"):
        add(DeepeningPlayouts, deepening=number("deepening"))
    match values["cutoff"]:
        case "heuristic":
            add(EvaluatedCutoff)
        case "pieces":
            add(PieceCutoff)
        case "material":
            add(MaterialCutoff)
    weighted = number("capture_weight") != 1 or number("edge_weight") != 1
    if is_on("playout_decisive"):
        add(DecisiveWeightedPlayouts if weighted else DecisivePlayouts)
    elif weighted:
        add(WeightedPlayouts)
    if any(issubclass(one, MoveWeights) for one in enhancements):
        arguments.update(capture_weight=number("capture_weight"), edge_weight=number("edge_weight"))
    if any(issubclass(one, Evaluations) for one in enhancements):
        arguments.update(weights=weights)
    search: Mcts = compose(*enhancements)(rng, c=number("c"), playout_plies=int(values["playout_plies"]), **arguments)
    return search
