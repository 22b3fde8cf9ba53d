"""Play, analyse, train and rate game-playing programs.

>>> import plyground
>>> position = plyground.game("checkers").start()
>>> position.turn, position.moves[:3]
('black', ['9-13', '12-16', '11-15'])
>>> position.play("11-15").turn
'white'
"""

from plyground._engine import Game, Outcome, Position, Rng, Tally, __version__, split_seed
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
)
from plyground.games import game, games
from plyground.own import OwnGame, register

__all__ = [
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "Outcome",
    "OwnGame",
    "ParseError",
    "PlygroundError",
    "Position",
    "Rng",
    "StoreError",
    "TablesError",
    "Tally",
    "UnknownNameError",
    "WeightsError",
    "__version__",
    "compiled",
    "game",
    "games",
    "register",
    "split_seed",
]
