"""Played games, in memory and on disk."""

from plyground.records.record import HUMAN, Record

__all__ = ["HUMAN", "Record"]
