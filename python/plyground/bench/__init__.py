"""How fast the engine is, alone and beside its peers."""

from plyground.bench.clock import Effort, Speed
from plyground.bench.measures import MEASURES, measure
from plyground.bench.result import Result

__all__ = ["MEASURES", "Effort", "Result", "Speed", "measure"]
