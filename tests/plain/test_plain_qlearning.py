"""Plain Q-learning."""

from __future__ import annotations

from plyground import Position, Rng, game
from plyground.plain import QLearning

START = game("tictactoe").start()


def loses(learner: QLearning, position: Position, side: str) -> bool:
    """Whether a side that plays by the learned values can lose."""
    if (outcome := position.outcome) is not None:
        return outcome.winner not in (None, side)
    if position.turn != side:
        return any(loses(learner, position.play(move), side) for move in position.moves)
    values = learner.q_values(position)
    return any(loses(learner, position.play(move), side) for move in values if values[move] == max(values.values()))


def test_tic_tac_toe_is_learned_without_losing_lines() -> None:
    # The game is deterministic, so values need no averaging.
    learner = QLearning(Rng(1), learning_rate=1, epsilon=0.9)
    learner.train(START, games=20_000)
    assert not loses(learner, START, "x")
    assert not loses(learner, START, "o")


def test_an_update_moves_the_value_towards_the_best_move() -> None:
    learner = QLearning(Rng(1), learning_rate=0.5, discount=0.8)
    position = START.game.position("xx./oo./...")
    learner.update(position)
    assert learner.values[position.key] == 0.5 * 0.8
    before = START.game.position("xx./o../...")
    assert learner.q_value(before, "b2") == -0.4


def test_the_number_of_stored_positions_is_limited() -> None:
    learner = QLearning(Rng(1), max_positions=10)
    learner.train(START, games=20)
    assert len(learner.values) == 10


def test_the_same_seed_learns_the_same_values() -> None:
    first, second = QLearning(Rng(3)), QLearning(Rng(3))
    first.train(START, games=50)
    second.train(START, games=50)
    assert first.values == second.values
