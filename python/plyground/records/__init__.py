"""Game records, in memory and in files."""

from plyground.records.record import HUMAN, Record

__all__ = ["HUMAN", "Record"]
