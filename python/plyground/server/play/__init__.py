"""Games of visitors: playing, hints, the coach, clocks and playback."""
