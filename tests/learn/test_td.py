"""Temporal-difference learning: reproducibility, correct signs, bounded weights, playing strength."""

from __future__ import annotations

import pytest

from plyground import ParseError, WeightsError, game
from plyground._engine import evaluate_features, features, play_game
from plyground.learn import TdLearner, TdSettings
from plyground.learn.td import OPPONENT_METRIC
from plyground.weights import engine_weights, load


def learn_weights(game: str, seed: int = 0, **settings: object) -> dict[str, float]:
    learner = TdLearner(game, TdSettings(**settings), seed)  # type: ignore[arg-type]
    while learner.games_played < learner.total_games:
        learner.play()
    return learner.weights


def score(a: str, b: str, games: int, depth: int, opening: int = 0) -> tuple[int, int, int]:
    """Return A's wins, draws and losses; sides alternate."""
    start = game("checkers").start()
    players = [name if name == "random" else engine_weights(name, start) for name in (a, b)]
    counts = [0, 0, 0]
    for index in range(games):
        first, second = players if index % 2 == 0 else players[::-1]
        result = play_game(start, first, second, depth=depth, opening_plies=opening, seed=index // 2)
        counts[1 - result if index % 2 == 0 else 1 + result] += 1
    return counts[0], counts[1], counts[2]


@pytest.mark.parametrize("id", ["checkers", "connect4", "tictactoe", "chess", "connect4(columns=5, rows=4)"])
@pytest.mark.parametrize("variant", ["td", "tdleaf"])
def test_learns_every_game_reproducibly(id: str, variant: str) -> None:  # noqa: A002
    settings = {"games": 6, "depth": 1, "variant": variant, "refresh_games": 1}
    weights = learn_weights(id, seed=3, **settings)
    assert weights == learn_weights(id, seed=3, **settings)
    assert weights != load("default", id.partition("(")[0]).values
    assert weights != learn_weights(id, seed=4, **settings)


def test_the_shipped_weights_can_be_reproduced_from_their_settings() -> None:
    for name in ("rookie", "trained"):
        shipped = load(name, "checkers")
        relearned = learn_weights("checkers", shipped.seed, **dict(shipped.settings))
        assert relearned == pytest.approx(dict(shipped.values), abs=1e-9)
        assert shipped.settings["lambda_"] == 0.7
        assert shipped.settings["learning_rate"] == 0.003
        assert shipped.settings["epsilon"] == 0.1


def test_weights_stay_bounded_and_divergence_is_an_error() -> None:
    weights = load("veteran", "checkers").values
    assert all(abs(value) < 3 for value in weights.values())
    with pytest.raises(WeightsError, match="must be between -100 and 100"):
        learn_weights("checkers", games=50, depth=1, learning_rate=1.0, terminal_value=1000.0)


@pytest.mark.parametrize("side", [0, 1])
def test_signs_are_correct_for_both_sides(side: int) -> None:
    """The learner alternates sides; only its games on this side count."""
    learner = TdLearner("checkers", TdSettings(games=200, depth=2, random_fraction=1.0), seed=5)
    before = list(learner.weights.values())
    gain = 0.0
    for index in range(40):
        learner.play()
        after = list(learner.weights.values())
        if index % 2 == side:
            gain += after[0] - before[0] + after[1] - before[1]
        before = after
    assert gain > 0, "wins with more men and kings must increase their weights"


def test_mobility_weights_stay_positive() -> None:
    for name in ("rookie", "trained", "veteran"):
        values = load(name, "checkers").values
        assert values["mobility"] > 0
        assert values["opp_mobility"] > 0


def test_self_play_reduces_the_back_row_weight() -> None:
    only_random = learn_weights("checkers", games=300, depth=2, random_fraction=1.0)
    both = learn_weights("checkers", games=300, depth=2)
    assert both["back_row"] < only_random["back_row"]
    assert load("veteran", "checkers").values["back_row"] < 0.95


@pytest.mark.parametrize("depth", [3, 5])
def test_trained_weights_win_every_game_against_random_play(depth: int) -> None:
    assert score("trained", "random", 20, depth) == (20, 0, 0)


def test_trained_weights_do_not_lose_to_the_default() -> None:
    wins, draws, losses = score("trained", "default", 10, 3)
    assert losses == 0
    assert wins + draws == 10


def test_the_best_weights_beat_the_default() -> None:
    wins, _, losses = score("best", "default", 100, 3, opening=3)
    assert wins > 2 * losses + 10


def test_the_strength_is_the_score_against_the_initial_weights() -> None:
    learner = TdLearner("checkers", TdSettings(games=40, depth=1), 3)
    assert learner.strength() == 0.5  # equal weights, and each opening is played with both sides
    while learner.games_played < 40:
        learner.play()
    assert learner.strength() == learner.strength() != 0.5
    points = {}
    long_run = TdLearner("tictactoe", TdSettings(games=10_000, depth=1), 3)
    for step in range(20, 441, 20):
        for _ in range(20):
            long_run.play()
        points[step] = "strength" in long_run.metrics()
    assert [step for step, is_measured in points.items() if is_measured] == [400]


def test_metrics_show_when_the_opponent_changed() -> None:
    learner = TdLearner("checkers", TdSettings(games=50, depth=1, random_fraction=0.4, refresh_games=7), 3)
    changes = []
    while learner.games_played < 50:
        learner.play()
        changes.append(int(learner.metrics()[OPPONENT_METRIC]))
    assert changes == [0] * 20 + [20] * 7 + [27] * 7 + [34] * 7 + [41] * 7 + [48] * 2


def test_invalid_settings_are_rejected() -> None:
    for settings in ({"variant": "q"}, {"games": 0}, {"lambda_": 1.5}, {"depth": 0}, {"epsilon": -0.1}):
        with pytest.raises(ParseError, match=f"{next(iter(settings)).rstrip('_')} must be "):
            TdSettings(**settings)
    with pytest.raises(WeightsError, match="temporal-difference learning requires feature weights"):
        TdLearner("checkers", TdSettings(start="best"), 0)


def test_features_are_from_the_first_sides_point_of_view() -> None:
    start = game("checkers").start()
    position = start.play("11-15").play("22-18").play("15x22")
    assert evaluate_features(position)[0] == pytest.approx(1 / 12)
    assert len(features(start)) == 10
