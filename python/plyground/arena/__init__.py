"""Matches, rosters and schedules. Tournaments, which require the store, are in `plyground.arena.tournament`."""

from plyground.arena.executors import Executor, RayExecutor, SerialExecutor, executor
from plyground.arena.game import MAX_PLIES, play_game
from plyground.arena.match import Match, MatchGame, Score
from plyground.arena.roster import BASELINES, Entrant, Lineup, entrants, lineup, roster
from plyground.arena.schedule import Schedule
from plyground.arena.scheduled_game import Rules, ScheduledGame, play_scheduled_game
from plyground.arena.workers import LocalExecutor

__all__ = [
    "BASELINES",
    "MAX_PLIES",
    "Entrant",
    "Executor",
    "Lineup",
    "LocalExecutor",
    "Match",
    "MatchGame",
    "RayExecutor",
    "Rules",
    "Schedule",
    "ScheduledGame",
    "Score",
    "SerialExecutor",
    "entrants",
    "executor",
    "lineup",
    "play_game",
    "play_scheduled_game",
    "roster",
]
