"""How fast the engine is, alone and beside its peers."""

from plyground.bench.clock import Effort, Speed
from plyground.bench.measures import MEASURES, SETS, measure, measure_set
from plyground.bench.result import Result

__all__ = ["MEASURES", "SETS", "Effort", "Result", "Speed", "measure", "measure_set"]
