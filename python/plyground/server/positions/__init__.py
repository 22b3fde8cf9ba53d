"""Positions as the web UI sees them: boards, legal moves and set-up positions."""
