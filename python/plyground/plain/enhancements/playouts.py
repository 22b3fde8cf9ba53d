"""Enhancements of playouts: move weights, decisive moves, cutoffs, and evaluation instead of playouts."""

from __future__ import annotations

from math import floor, log2
from typing import Any

from plyground._engine import Position, Rng, game_ids
from plyground.plain.enhancements.knowledge import Evaluations, MoveWeights, for_side
from plyground.plain.mcts import Mcts, Node
from plyground.plain.minimax import material

CENTIPAWNS = {"pawn": 100, "knight": 320, "bishop": 330, "rook": 500, "queen": 900, "man": 100, "king": 130}
"""The engine's piece values. The chess kings cancel out."""


class WeightedPlayouts(MoveWeights):
    """Playouts whose moves have probabilities proportional to their weights."""

    def playout_move(self, position: Position) -> Position:
        """Play a random move drawn by weight."""
        moves = position.moves
        cumulative = list[float]()
        for move in moves:
            cumulative.append((cumulative[-1] if cumulative else 0.0) + self.weight(position, move))
        threshold = self.rng.unit() * cumulative[-1]
        chosen = next((move for move, bound in zip(moves, cumulative, strict=True) if threshold < bound), moves[-1])
        return position.play(chosen)


class DecisivePlayouts(Mcts):
    """Playouts with decisive and anti-decisive moves (Teytaud and Teytaud 2010), where they are cheap to find."""

    def playout_move(self, position: Position) -> Position:
        """Win at once, otherwise prevent the opponent from winning at once, otherwise play a random move."""
        return position.play_decisive(self.rng)


class DecisiveWeightedPlayouts(WeightedPlayouts):
    """Playouts with decisive and anti-decisive moves, in which the other moves are weighted."""

    def playout_move(self, position: Position) -> Position:
        """Win at once, otherwise prevent the opponent from winning at once, otherwise draw a move by weight."""
        decisive = position.winning_move() or position.blocking_move()
        return super().playout_move(position) if decisive is None else position.play(decisive)


class EvaluatedCutoff(Evaluations):
    """Evaluates cut-off playouts with game knowledge (Lorentz 2008, "Amazons Discover Monte-Carlo")."""

    def cut_off(self, position: Position, side: str) -> float:
        """Return the expected score of a side according to the evaluation."""
        return self.expected_score(position, side)


class PieceCutoff(Mcts):
    """Evaluates cut-off playouts by the difference in piece counts, at 100 centipawns per piece on the Elo scale."""

    def cut_off(self, position: Position, side: str) -> float:
        """Return the expected score of a side based on the number of pieces.

        >>> import plyground
        >>> position = plyground.game("checkers").position("W:W21,22,23:B1,2")
        >>> round(PieceCutoff(plyground.Rng(1)).cut_off(position, "white"), 3)
        0.64
        """
        return for_side(side, 1 / (1 + 10 ** (-piece_difference(position) / 4)), position)


def piece_difference(position: Position) -> int:
    """Return the number of pieces of the side to move minus those of the opponent; 0 in games without captures.

    >>> import plyground
    >>> piece_difference(plyground.game("checkers").position("W:W21,22,23:B1,2"))
    1
    """
    if position.game.id in ("connect4", "tictactoe"):
        return 0
    pieces, turn = position.game.pieces, position.turn
    return sum(1 if pieces[letter][0] == turn else -1 for letter in position.cells.values())


class MaterialCutoff(Evaluations):
    """Evaluates cut-off playouts by the material balance, on the Elo scale; in user games, by their heuristic."""

    def cut_off(self, position: Position, side: str) -> float:
        """Return the expected score of a side based on material.

        >>> import plyground
        >>> position = plyground.game("chess").position("7k/8/8/8/8/8/8/R6K w - - 0 1")
        >>> round(MaterialCutoff(plyground.Rng(1)).cut_off(position, "white"), 3)
        0.947
        """
        if position.game.id not in game_ids():
            return self.expected_score(position, side)
        return for_side(side, 1 / (1 + 10 ** (-material(position, CENTIPAWNS) / 400)), position)


class DeepeningPlayouts(Mcts):
    """Playouts that become longer as the parent of the leaf gains visits: by `deepening * log2(visits)` plies."""

    def __init__(self, rng: Rng, *, deepening: float = 1.0, **options: Any) -> None:
        super().__init__(rng, **options)
        self.deepening = deepening
        self.initial_plies = self.playout_plies

    def expand(self, path: list[Node]) -> None:
        """Expand the tree and set the maximum length of the playout."""
        super().expand(path)
        parent = path[max(0, len(path) - 2)]
        self.playout_plies = self.initial_plies + floor(self.deepening * log2(parent.visits + 1))


class EvaluatedLeaves(Evaluations):
    """Evaluates leaves with game knowledge, without playouts."""

    def evaluate(self, position: Position) -> float:
        """Return the expected score of the side to move."""
        return self.expected_score(position, position.turn)


class StoredLeaves(EvaluatedLeaves):
    """Evaluates leaves by the value that implicit minimax has stored, so that no position is evaluated twice.

    The end of a game, other than by repetition, is detected when its last position is expanded, on the second visit.
    """

    minimax: dict[Node, float]

    def evaluate_leaf(self, leaf: Node) -> float:
        """Return the stored value of a new node for the side to move."""
        outcome = leaf.position.outcome
        is_new = leaf.visits == 0 and leaf.proven is None and leaf in self.minimax
        if is_new and (outcome is None or outcome.reason != "repetition"):
            return self.minimax[leaf] if leaf.mover == leaf.position.turn else 1 - self.minimax[leaf]
        return super().evaluate_leaf(leaf)
