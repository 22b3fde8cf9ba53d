"""Symmetries of games as data augmentation."""

from __future__ import annotations

import numpy as np
import pytest

import plyground
from plyground import Position, Rng
from plyground.exact import Solver
from plyground.learn.network import training_games
from plyground.learn.network_model import Samples

SYMMETRIES = {"tictactoe": 7, "tictactoe(rows=3, columns=4, line=3)": 3, "connect4": 1, "chess": 1, "checkers": 0}


def mirrored(position: Position, actions: list[int]) -> Position:
    """Return the position after the moves that a symmetry maps the moves of a game to."""
    image = position.game.start()
    for ply, move in enumerate(position.history):
        target = actions[position.replay(ply).action(move)]
        image = image.play(next(one for one in image.moves if image.action(one) == target))
    return image


def random_position(spec: str, plies: int, seed: int) -> Position:
    """Return an unfinished position after at most `plies` random moves."""
    position, rng = plyground.game(spec).start(), Rng(seed)
    while position.ply < plies:
        after = position.play_random(rng)
        if after.outcome is not None:
            break
        position = after
    return position


@pytest.mark.parametrize("spec", SYMMETRIES)
def test_each_game_has_its_symmetries(spec: str) -> None:
    start = plyground.game(spec).start()
    found = start.symmetries
    assert len({tuple(features) for features, _ in found}) == SYMMETRIES[spec]
    for features, actions in found:
        assert sorted(features) == list(range(start.game.features)) != features
        assert sorted(actions) == list(range(start.game.actions))


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe(rows=3, columns=4, line=3)", "connect4"])
def test_symmetries_keep_features_and_results(spec: str) -> None:
    solver = Solver(spec)
    for seed in range(5):
        position = random_position(spec, 5 if spec.startswith("tictactoe") else 26, seed)
        solution = solver.solve_moves(position)
        scores = {position.action(move.move): move.score for move in solution.moves}
        for features, actions in position.symmetries:
            image = mirrored(position, actions)
            assert image.active_features == sorted(features[feature] for feature in position.active_features)
            found = {image.action(move.move): move.score for move in solver.solve_moves(image).moves}
            assert found == {actions[action]: score for action, score in scores.items()}


def test_chess_positions_are_symmetric_without_castling_rights() -> None:
    game = plyground.game("chess")
    position = game.position("r3k3/1P3pp1/8/3pP3/8/2N5/5PPP/4K2R w - d6 0 1")
    image = game.position("3k3r/1pp3P1/8/3Pp3/8/5N2/PPP5/R2K4 w - e6 0 1")
    ((features, actions),) = position.symmetries
    assert image.active_features == sorted(features[feature] for feature in position.active_features)
    assert sorted(image.actions) == sorted(actions[action] for action in position.actions)
    games = training_games(game.start(), depth=1, opening_plies=0, epsilon=0, seed=1)
    games.append(["e2e4", "e7e5", "e1e2", "e8e7", "e2e3"], [0] * 5, 0)
    samples = Samples(games.samples(1), game.start())
    assert samples.symmetric.tolist() == [False, False, False, False, True]
    chosen = np.arange(5)
    assert set(samples.random_symmetries(np.full(100, 4), np.random.default_rng(1))) == {0, 1}
    assert not samples.random_symmetries(chosen[:4], np.random.default_rng(1)).any()


def test_batches_apply_symmetries_to_features_and_actions() -> None:
    start = plyground.game("connect4").start()
    games = training_games(start, depth=1, opening_plies=0, epsilon=0, seed=1)
    games.append(["1", "2", "7"], [0, 0, 0], 0)
    games.append(["7", "6", "1"], [0, 0, 0], 0)
    samples = Samples(games.samples(2), start)
    plain = samples.batch(np.arange(3, 6), 8, 1)
    reflected = samples.batch(np.arange(3), 8, 1, np.ones(3, np.int64))
    for name in ("own", "other", "legal"):
        assert plain[name].sort(1)[0].equal(reflected[name].sort(1)[0])
    assert plain["action"].equal(reflected["action"])
