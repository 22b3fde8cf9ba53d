"""The engine's algorithms in plain Python, for reading, for modification by subclassing, and for testing the engine.

They use only `Position`, so they work for every game. They are much slower than the engine.
"""

from plyground.plain.enhancements import PieceCutoff, compose, plain_search
from plyground.plain.flat import Score, flat
from plyground.plain.mcts import Mcts, Node, uct
from plyground.plain.minimax import Minimax, material
from plyground.plain.playout import playout
from plyground.plain.qlearning import QLearning

__all__ = [
    "Mcts",
    "Minimax",
    "Node",
    "PieceCutoff",
    "QLearning",
    "Score",
    "compose",
    "flat",
    "material",
    "plain_search",
    "playout",
    "uct",
]
