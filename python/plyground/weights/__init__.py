"""Learned weights: named sets of feature or pattern weights or Q-values, stored in safetensors files.

>>> from plyground.weights import load
>>> load("default", "checkers").values["king_count"]
1.5
"""

from plyground.weights.sets import (
    BEST,
    QLEARNING,
    RUN_PREFIX,
    WeightSet,
    checked_weights,
    engine_q_values,
    engine_weights,
    has_best,
    load,
    load_file,
    names,
    register_source,
    save,
)

__all__ = [
    "BEST",
    "QLEARNING",
    "RUN_PREFIX",
    "WeightSet",
    "checked_weights",
    "engine_q_values",
    "engine_weights",
    "has_best",
    "load",
    "load_file",
    "names",
    "register_source",
    "save",
]
