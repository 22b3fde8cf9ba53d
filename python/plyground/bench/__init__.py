"""Engine benchmarks, alone or interleaved with a peer."""

from plyground.bench.measures import MEASURES, SETS, measure, measure_set
from plyground.bench.result import Result
from plyground.bench.timing import Effort, Speed

__all__ = ["MEASURES", "SETS", "Effort", "Result", "Speed", "measure", "measure_set"]
