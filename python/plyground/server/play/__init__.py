"""Visitors' games: playing, hints, the coach, clocks and playback."""
