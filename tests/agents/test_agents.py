"""The random agent, the registry, and `pick`."""

from __future__ import annotations

from collections import Counter

import pytest

from plyground import Game, GameOverError, ParseError, UnknownNameError, game, games
from plyground.agents import Analysis, Limit, MoveAnalysis, agent, agents, pick


@pytest.mark.parametrize("name", agents())
def test_an_agents_spec_creates_an_equal_agent(name: str) -> None:
    assert agent(agent(name).spec).spec == agent(name).spec


def test_an_unknown_agent_error_lists_the_available_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown agent 'stockfish'; available: mcts, alphabeta"):
        agent("stockfish")


def test_an_unknown_option_error_lists_the_available_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown option 'depth' for agent random; available: none"):
        agent("random(depth=3)")


@pytest.mark.parametrize("one", games(), ids=lambda one: one.id)
def test_random_gives_its_entire_share_to_one_legal_move(one: Game) -> None:
    position = one.start()
    analysis = agent("random").analyse(position, Limit(), seed=4)
    assert [move.move for move in analysis.moves] == position.moves
    assert sorted(move.share for move in analysis.moves)[-2:] == [0, 1]
    assert analysis.pv == (analysis.best.move,)


def test_random_does_not_evaluate() -> None:
    assert agent("random").analyse(game("chess").start(), Limit(), seed=0).value is None


def test_the_same_seed_gives_the_same_analysis() -> None:
    position = game("chess").start()
    assert agent("random").analyse(position, Limit(), seed=7) == agent("random").analyse(position, Limit(), seed=7)


def test_random_plays_every_move_about_equally_often() -> None:
    position = game("checkers").start()
    seen = Counter(agent("random").analyse(position, Limit(), seed=seed).best.move for seed in range(7000))
    assert set(seen) == set(position.moves)
    assert min(seen.values()) > 850


def test_a_finished_game_cannot_be_analysed() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        agent("random").analyse(game("connect4").position("1212121"), Limit(), seed=0)


@pytest.mark.parametrize("limit", [{"simulations": 0}, {"seconds": -1.0}, {"depth": 0}, {"seconds": float("nan")}])
def test_a_limit_must_be_positive(limit: dict[str, int]) -> None:
    with pytest.raises(ParseError, match="must be a positive"):
        Limit(**limit)


def make_analysis(*shares: float) -> Analysis:
    position = game("tictactoe").start()
    moves = zip(position.moves, shares, strict=False)
    return Analysis(position, tuple(MoveAnalysis(move, share) for move, share in moves))


def test_temperature_zero_picks_the_best_move_or_the_first_of_equals() -> None:
    assert {pick(make_analysis(0.2, 0.4, 0.4), 0, seed) for seed in range(20)} == {"b1"}


def test_temperature_one_samples_by_share() -> None:
    seen = Counter(pick(make_analysis(0.25, 0.75, 0), 1, seed) for seed in range(4000))
    assert set(seen) == {"a1", "b1"}
    assert seen["b1"] / 4000 == pytest.approx(0.75, abs=0.03)


def test_a_lower_temperature_favours_the_best_move_more() -> None:
    seen = Counter(pick(make_analysis(0.25, 0.75), 0.5, seed) for seed in range(4000))
    assert seen["b1"] / 4000 == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize("temperature", [-0.1, 101, float("nan")])
def test_a_temperature_out_of_range_is_rejected(temperature: float) -> None:
    with pytest.raises(ParseError, match="temperature must be between 0 and 100"):
        pick(make_analysis(1.0), temperature, 0)


def test_a_tiny_temperature_picks_the_best_move() -> None:
    assert pick(make_analysis(0.4, 0.6), 1e-6, seed=1) == "b1"
