"""Agents against each other: games, matches, ratings. Tournaments, which need the store, are in `tournament`."""

from plyground.arena.executors import Executor, RayExecutor, SerialExecutor, executor
from plyground.arena.game import LONGEST, play_game
from plyground.arena.job import GameJob, Rules, play_job
from plyground.arena.match import Match, MatchGame, Score
from plyground.arena.roster import Entrant, entrants, roster
from plyground.arena.schedule import Schedule
from plyground.arena.workers import LocalExecutor

__all__ = [
    "LONGEST",
    "Entrant",
    "Executor",
    "GameJob",
    "LocalExecutor",
    "Match",
    "MatchGame",
    "RayExecutor",
    "Rules",
    "Schedule",
    "Score",
    "SerialExecutor",
    "entrants",
    "executor",
    "play_game",
    "play_job",
    "roster",
]
