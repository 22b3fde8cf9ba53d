"""Weights: what the terms or patterns of a game are worth, with names, in files.

>>> from plyground.weights import load
>>> load("default", "checkers").values["king_count"]
1.5
"""

from plyground.weights.sets import (
    BEST,
    RUN,
    WeightSet,
    add_source,
    engine_weights,
    has_best,
    load,
    load_file,
    names,
    save,
)

__all__ = ["BEST", "RUN", "WeightSet", "add_source", "engine_weights", "has_best", "load", "load_file", "names", "save"]
