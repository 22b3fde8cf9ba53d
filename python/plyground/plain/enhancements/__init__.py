"""The enhancements of the engine's tree search as small subclasses of the plain `Mcts`, to read alongside the papers.

They can be combined: `compose` makes one class from several, and `plain_search` a search from `mcts(...)` options.
"""

from plyground.plain.enhancements.choice import FinalMove
from plyground.plain.enhancements.compose import compose, plain_search
from plyground.plain.enhancements.decisive import DecisiveMoves, TwoPlyCheck
from plyground.plain.enhancements.formulas import (
    FirstPlayUrgency,
    ProgressiveBias,
    ProgressiveWidening,
    Puct,
    Ucb1Tuned,
)
from plyground.plain.enhancements.minimax import ImplicitMinimax
from plyground.plain.enhancements.playouts import (
    DecisivePlayouts,
    DecisiveWeightedPlayouts,
    DeepeningPlayouts,
    EvaluatedCutoff,
    EvaluatedLeaves,
    MaterialCutoff,
    PieceCutoff,
    WeightedPlayouts,
)
from plyground.plain.enhancements.rave import Grave, Rave
from plyground.plain.enhancements.reuse import TreeReuse
from plyground.plain.enhancements.solver import Solver
from plyground.plain.enhancements.transpositions import Transpositions

__all__ = [
    "DecisiveMoves",
    "DecisivePlayouts",
    "DecisiveWeightedPlayouts",
    "DeepeningPlayouts",
    "EvaluatedCutoff",
    "EvaluatedLeaves",
    "FinalMove",
    "FirstPlayUrgency",
    "Grave",
    "ImplicitMinimax",
    "MaterialCutoff",
    "PieceCutoff",
    "ProgressiveBias",
    "ProgressiveWidening",
    "Puct",
    "Rave",
    "Solver",
    "Transpositions",
    "TreeReuse",
    "TwoPlyCheck",
    "Ucb1Tuned",
    "WeightedPlayouts",
    "compose",
    "plain_search",
]
