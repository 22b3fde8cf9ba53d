"""Learning by temporal differences: what it promises, and the three traps it must not fall into."""

from __future__ import annotations

import pytest

from plyground import ParseError, WeightsError, game
from plyground._engine import duel, measure, terms
from plyground.learn import TdLearning, TdSettings
from plyground.weights import engine_weights, load


def learned(game: str, seed: int = 0, **settings: object) -> dict[str, float]:
    learner = TdLearning(game, TdSettings(**settings), seed)  # type: ignore[arg-type]
    while learner.played < learner.total:
        learner.play()
    return learner.weights


def score(a: str, b: str, games: int, depth: int, opening: int = 0) -> tuple[int, int, int]:
    """Wins, draws and losses of A, sides changing from game to game."""
    start = game("checkers").start()
    judges = [name if name == "random" else engine_weights(name, start) for name in (a, b)]
    tally = [0, 0, 0]
    for index in range(games):
        first, second = judges if index % 2 == 0 else judges[::-1]
        result = duel(start, first, second, depth=depth, opening=opening, seed=index // 2)
        tally[1 - result if index % 2 == 0 else 1 + result] += 1
    return tally[0], tally[1], tally[2]


@pytest.mark.parametrize("id", ["checkers", "connect4", "tictactoe", "chess", "connect4(columns=5, rows=4)"])
@pytest.mark.parametrize("variant", ["td", "tdleaf"])
def test_every_game_can_be_learned_and_a_seed_repeats_it(id: str, variant: str) -> None:  # noqa: A002
    settings = {"games": 6, "depth": 1, "variant": variant, "refresh": 1}
    once = learned(id, seed=3, **settings)
    assert once == learned(id, seed=3, **settings)
    assert once != load("default", id.partition("(")[0]).values
    assert once != learned(id, seed=4, **settings)


def test_the_package_s_sets_are_what_the_stated_settings_teach() -> None:
    for name in ("rookie", "trained"):
        shipped = load(name, "checkers")
        again = learned("checkers", shipped.seed, **dict(shipped.settings))
        assert again == pytest.approx(dict(shipped.values), abs=1e-9)
        assert shipped.settings["lambda_"] == 0.7
        assert shipped.settings["rate"] == 0.003
        assert shipped.settings["epsilon"] == 0.1


def test_weights_do_not_explode_and_where_they_would_it_is_said() -> None:
    weights = load("veteran", "checkers").values
    assert all(abs(value) < 3 for value in weights.values())
    with pytest.raises(WeightsError, match="accepted is a number from -100 to 100"):
        learned("checkers", games=50, depth=1, rate=1.0, terminal=1000.0)


@pytest.mark.parametrize("side", [0, 1])
def test_signs_are_right_whichever_side_learns(side: int) -> None:
    """Two games against random moves; in the one that counts, the learner has the side."""
    learner = TdLearning("checkers", TdSettings(games=200, depth=2, random_share=1.0), seed=5)
    before = list(learner.weights.values())
    gained = 0.0
    for index in range(40):
        learner.play()
        after = list(learner.weights.values())
        if index % 2 == side:
            gained += after[0] - before[0] + after[1] - before[1]
        before = after
    assert gained > 0, "winning with more men and kings makes them worth more, for black as for white"


def test_having_moves_stays_a_good_thing() -> None:
    for name in ("rookie", "trained", "veteran"):
        values = load(name, "checkers").values
        assert values["mobility"] > 0
        assert values["opp_mobility"] > 0


def test_playing_oneself_tempers_what_random_play_teaches_of_defence() -> None:
    only_random = learned("checkers", games=300, depth=2, random_share=1.0)
    both = learned("checkers", games=300, depth=2)
    assert both["back_row"] < only_random["back_row"]
    assert load("veteran", "checkers").values["back_row"] < 0.95


@pytest.mark.parametrize("depth", [3, 5])
def test_trained_beats_random_play_twenty_to_nothing(depth: int) -> None:
    assert score("trained", "random", 20, depth) == (20, 0, 0)


def test_trained_does_not_lose_to_untrained() -> None:
    wins, draws, losses = score("trained", "default", 10, 3)
    assert losses == 0
    assert wins + draws == 10


def test_the_best_weights_beat_the_untrained_ones() -> None:
    wins, _, losses = score("best", "default", 100, 3, opening=3)
    assert wins > 2 * losses + 10


def test_settings_that_make_no_sense_are_refused() -> None:
    for settings in ({"variant": "q"}, {"games": 0}, {"lambda_": 1.5}, {"depth": 0}, {"epsilon": -0.1}):
        with pytest.raises(ParseError, match="accepted is"):
            TdSettings(**settings)
    with pytest.raises(WeightsError, match="of patterns"):
        TdLearning("checkers", TdSettings(start="best"), 0)


def test_terms_are_seen_by_the_first_side_whoever_moves() -> None:
    start = game("checkers").start()
    position = start.play("11-15").play("22-18").play("15x22")
    assert measure(position)[0] == pytest.approx(1 / 12)
    assert len(terms(start)) == 10
