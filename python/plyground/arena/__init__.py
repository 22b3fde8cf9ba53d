"""Agents against each other."""

from plyground.arena.game import LONGEST, play_game
from plyground.arena.match import Match, MatchGame, Score

__all__ = ["LONGEST", "Match", "MatchGame", "Score", "play_game"]
