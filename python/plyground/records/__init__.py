"""Game records, in memory and in files."""

from plyground.records.annotations import Note, Variation
from plyground.records.record import HUMAN, Record

__all__ = ["HUMAN", "Note", "Record", "Variation"]
