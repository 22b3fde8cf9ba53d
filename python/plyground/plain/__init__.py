"""The algorithms of the engine in plain Python: to read, to change by subclassing, and to test the engine against.

They know games only through `Position`, so they play every game. They are many times slower than the engine.
"""

from plyground.plain.flat import Score, flat
from plyground.plain.mcts import Mcts, Node, uct
from plyground.plain.minimax import Minimax, material
from plyground.plain.playout import playout

__all__ = ["Mcts", "Minimax", "Node", "Score", "flat", "material", "playout", "uct"]
