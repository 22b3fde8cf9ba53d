"""Decisive moves (Teytaud and Teytaud 2010, "On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search")."""

from __future__ import annotations

from plyground._engine import Game, Position, game_ids
from plyground.compiled import Compiled
from plyground.plain.enhancements.solver import Solver
from plyground.plain.mcts import Mcts, Node, Proven
from plyground.user_games import rules


class DecisiveMoves(Mcts):
    """Tries an immediately winning move first, except at the root, where every move is soon tried anyway."""

    def open(self, path: list[Node]) -> None:
        """Create the children of the last node, with a winning move first."""
        super().open(path)
        node = path[-1]
        if len(path) > 1 and (winning := node.position.winning_move()) is not None:
            index = next(index for index, child in enumerate(node.children) if child.move == winning)
            node.children[0], node.children[index] = node.children[index], node.children[0]


class TwoPlyCheck(Solver):
    """Proves, before the first simulation, the root moves that end the game or let the opponent win at once.

    >>> import plyground
    >>> from plyground.plain.enhancements.solver import is_lost
    >>> search = TwoPlyCheck(plyground.Rng(1))
    >>> root = search.run(plyground.game("tictactoe").position("x.o/.../x.."), simulations=0)
    >>> [child.move for child in root.children if not is_lost(child, "o")]
    ['a2']
    """

    def prepare(self, root: Node) -> None:
        """Prove the root moves that a two-ply check decides."""
        line, turn = root.position, root.position.turn
        super().prepare(root)
        for child in root.children:
            if child.proven is not None:
                continue
            if (outcome := child.position.outcome) is not None:
                child.proven = Proven(outcome.winner)
            elif line.play(child.move).outcome is not None:
                pass  # In a graph, a draw by repetition belongs to the path and not to the node.
            elif child.position.turn != turn and has_cheap_lookahead(root.position.game) and can_win(child.position):
                child.proven = Proven(child.position.turn, 1)
        self.prove_from_children(root)


def has_cheap_lookahead(game: Game) -> bool:
    """Whether playing every reply to every move is fast: in built-in and compiled games, and if a user game says so.

    >>> import plyground
    >>> has_cheap_lookahead(plyground.game("chess"))
    True
    """
    if game.id in game_ids():
        return True
    user_game = rules(game.id)
    return isinstance(user_game, Compiled) or bool(getattr(user_game, "cheap_lookahead", False))


def can_win(position: Position) -> bool:
    """Whether the side to move can win at once.

    >>> import plyground
    >>> can_win(plyground.game("connect4").position("112233")), can_win(plyground.game("connect4").position("11223"))
    (True, False)
    """
    replies = (position.play(move).outcome for move in position.moves)
    return any(outcome is not None and outcome.winner == position.turn for outcome in replies)
