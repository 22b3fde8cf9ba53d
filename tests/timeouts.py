"""Timeouts."""

from __future__ import annotations

SUBPROCESS_S = 600.0
"""Timeout for a subprocess in seconds; generous, because test machines may be busy."""
