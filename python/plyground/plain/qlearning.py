"""Q-learning on afterstates in plain Python (Watkins 1989): a dictionary of position values, learned by self-play.

>>> import plyground
>>> learner = QLearning(plyground.Rng(1))
>>> learner.train(plyground.game("tictactoe").start(), games=2000)
>>> learner.best_move(plyground.game("tictactoe").position("xx./oo./..."))
'c3'
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plyground._engine import Position, Rng

MAX_PLIES = 300
"""Games end without a result after this many plies."""


@dataclass
class QLearning:
    """Learns the value of every position for its side to move: 1 is a win, 0 a draw, -1 a loss.

    The Q-value of a move is the value of the position after it, its *afterstate*.
    """

    rng: Rng
    learning_rate: float = 0.5
    epsilon: float = 0.5
    """Probability of a random move. Since every update uses the best move, exploration does not change the values."""
    discount: float = 0.95
    """Factor per ply, so that quick wins are worth more than slow ones."""
    max_positions: int = 1_000_000
    """Positions beyond this number are not stored and keep the value 0."""
    values: dict[int, float] = field(default_factory=dict)
    """Values by the key of the position."""

    def q_value(self, position: Position, move: str) -> float:
        """Return the value of a move for the side that makes it."""
        after = position.play(move)
        if (outcome := after.outcome) is not None:
            return 0.0 if outcome.winner is None else 1.0 if outcome.winner == position.turn else -1.0
        value = self.values.get(after.key, 0.0)
        # The sides need not alternate, so the sign depends on the side to move.
        return value if after.turn == position.turn else -value

    def q_values(self, position: Position) -> dict[str, float]:
        """Return the value of each legal move."""
        return {move: self.q_value(position, move) for move in position.moves}

    def best_move(self, position: Position) -> str:
        """Return a move with the largest Q-value; ties are broken randomly."""
        values = self.q_values(position)
        best = [move for move, value in values.items() if value == max(values.values())]
        return best[self.rng.below(len(best))]

    def train(self, start: Position, games: int) -> None:
        """Play games against itself and learn from each."""
        for _ in range(games):
            self.play_game(start)

    def play_game(self, start: Position) -> None:
        """Play a game and learn from it."""
        visited: list[Position] = []
        position = start
        while position.outcome is None and len(visited) < MAX_PLIES:
            visited.append(position)
            position = position.play(self.choose(position))
        # Learning from the end carries the result through the whole game at once.
        for earlier in reversed(visited):
            self.update(earlier)

    def choose(self, position: Position) -> str:
        """Return a random move with probability epsilon, otherwise the best one."""
        if self.rng.unit() < self.epsilon:
            return position.moves[self.rng.below(len(position.moves))]
        return self.best_move(position)

    def update(self, position: Position) -> None:
        """Move the value of a position towards the discounted value of its best move."""
        key = position.key
        if key not in self.values and len(self.values) >= self.max_positions:
            return
        value = self.values.get(key, 0.0)
        target = self.discount * max(self.q_values(position).values())
        self.values[key] = value + self.learning_rate * (target - value)
