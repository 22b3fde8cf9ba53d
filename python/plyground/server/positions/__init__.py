"""Positions: boards, legal moves, and positions set up from pieces."""
