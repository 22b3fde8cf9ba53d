"""Play, analyse, train and rate game-playing programs.

>>> import plyground as pg
>>> position = pg.game("checkers").start()
>>> position.turn, position.moves[:3]
('black', ['9-13', '12-16', '11-15'])
>>> position.play("11-15").turn
'white'
>>> pg.agent("mcts", simulations=200).play(position, seed=7) in position.moves
True

Agents, matches, training and other modules that are slow to import are imported on first use.
"""

import sys as _sys
from importlib import import_module as _import_module
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING

from plyground._engine import Game, Outcome, PlayoutResults, Position, Rng, __version__, split_seed
from plyground.compiled import compiled
from plyground.errors import (
    GameOverError,
    IllegalMoveError,
    ParseError,
    PlygroundError,
    StoreError,
    TablesError,
    UnknownNameError,
    WeightsError,
    WorkerError,
)
from plyground.games import game, games
from plyground.user_games import UserGame, register

if TYPE_CHECKING:
    from plyground.agents import Agent, Analysis, Limit, MoveAnalysis, Tree, TreeNode, register_evaluator
    from plyground.arena.api import MatchResult, TournamentResult, match, tournament
    from plyground.compare import Comparison, Proposal, compare
    from plyground.game_review import GameReview, review
    from plyground.learn.api import train
    from plyground.levels import agent
    from plyground.planes import batch
    from plyground.records import Record
    from plyground.records.formats import read_games, write_games
    from plyground.rl import env

__all__ = [
    "Agent",
    "Analysis",
    "Comparison",
    "Game",
    "GameOverError",
    "GameReview",
    "IllegalMoveError",
    "Limit",
    "MatchResult",
    "MoveAnalysis",
    "Outcome",
    "ParseError",
    "PlayoutResults",
    "PlygroundError",
    "Position",
    "Proposal",
    "Record",
    "Rng",
    "StoreError",
    "TablesError",
    "TournamentResult",
    "Tree",
    "TreeNode",
    "UnknownNameError",
    "UserGame",
    "WeightsError",
    "WorkerError",
    "__version__",
    "agent",
    "batch",
    "compare",
    "compiled",
    "env",
    "game",
    "games",
    "match",
    "read_games",
    "register",
    "register_evaluator",
    "review",
    "split_seed",
    "tournament",
    "train",
    "write_games",
]

_LAZY = {
    name: module
    for module, names in {
        "agents": ("Agent", "Analysis", "Limit", "MoveAnalysis", "Tree", "TreeNode", "register_evaluator"),
        "arena.api": ("MatchResult", "TournamentResult", "match", "tournament"),
        "compare": ("Comparison", "Proposal", "compare"),
        "game_review": ("GameReview", "review"),
        "learn.api": ("train",),
        "levels": ("agent",),
        "planes": ("batch",),
        "records": ("Record",),
        "records.formats": ("read_games", "write_games"),
        "rl": ("env",),
    }.items()
    for name in names
}
"""The submodule that defines each name that is imported on first use (PEP 562)."""


if not TYPE_CHECKING:  # so that type checkers report unknown names

    def __getattr__(name: str) -> object:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(_import_module(f"{__name__}.{_LAZY[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


class _Package(_ModuleType):
    """Prevents the import of a submodule from replacing the function of the same name, such as `review`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _LAZY and isinstance(value, _ModuleType)):
            super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package
