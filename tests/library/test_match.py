"""Matches with `plyground.match`."""

from __future__ import annotations

import math

import pytest

import plyground as pg
from plyground.arena.elo import difference
from user_games.sample_games import Count


def even(positions: list[pg.Position]) -> tuple[list[float], None]:
    return [0.5] * len(positions), None


def test_a_match_has_a_score_an_interval_and_records() -> None:
    result = pg.match("tictactoe", "random", "alphabeta(depth=5)", games=10, seed=1)
    assert result.wins + result.draws + result.losses == len(result.records) == 10
    assert result.score == (result.wins + result.draws / 2) / 10
    low, high = result.interval
    assert low < result.elo < high
    assert result.elo == difference(result.points).elo
    for index, record in enumerate(result.records):
        players = ["random", "alphabeta(depth=5)"]
        assert list(record.players.values()) == (players if index % 2 == 0 else players[::-1])
        record.check()
    assert result.to_dict()["games"] == 10
    assert "random v alphabeta(depth=5)" in str(result)


def test_a_perfect_score_has_an_infinite_elo_difference() -> None:
    start = "xx./oo./..."  # the side to move wins
    assert pg.game("tictactoe").position(start).winning_move() is not None
    result = pg.match("connect4", "solver", "random", games=2, seed=1)
    assert (result.elo, result.interval[1]) == (math.inf, math.inf)
    assert math.isfinite(result.interval[0])
    assert result.to_dict()["elo"] is None
    back = pg.match("connect4", "random", "solver", games=2, seed=1)
    assert (back.elo, back.interval[0]) == (-math.inf, -math.inf)


def test_players_can_be_levels_presets_specs_or_agents() -> None:
    bot = pg.agent("mcts", evaluator=even, batch=16, simulations=50)
    pairs: list[tuple[str | pg.Agent, str | pg.Agent]] = [
        ("Easy", bot),
        (bot, "uct-easy"),
        (bot, bot),
        (pg.agent("Medium"), "random"),
        ("random", "random"),
    ]
    for a, b in pairs:
        result = pg.match("tictactoe", a, b, games=2, progress=False)
        assert len(result.records) == 2
    assert pg.match(pg.game("tictactoe"), "random", "random", games=1).a == "random"


def test_the_same_seed_plays_the_same_games_in_any_number_of_processes() -> None:
    serial = pg.match("tictactoe", "Easy", pg.agent("random"), games=6, seed=4)
    parallel = pg.match("tictactoe", "Easy", pg.agent("random"), games=6, seed=4, processes=2)
    assert serial.records == parallel.records
    assert serial.points == parallel.points
    assert pg.match("tictactoe", "Easy", "random", games=6, seed=5).records != serial.records


def test_an_agent_with_a_python_evaluator_plays_in_this_process_only() -> None:
    bot = pg.agent("mcts", evaluator=even)
    with pytest.raises(pg.ParseError, match=r"mcts\(evaluator=even\) exists in this process only; use processes=1"):
        pg.match("tictactoe", bot, "random", games=2, processes=2)


def test_a_user_defined_agent_class_plays_in_this_process_only() -> None:
    from plyground.agents.random import RandomAgent

    class Mine(RandomAgent):
        name = "mine"

    assert len(pg.match("tictactoe", Mine(), "random", games=2).records) == 2
    with pytest.raises(pg.ParseError, match="mine exists in this process only"):
        pg.match("tictactoe", Mine(), "random", games=2, processes=2)


def test_a_registered_game_is_played_in_this_process_only() -> None:
    game = pg.register(Count("count-match"))
    assert pg.match("count-match", "mcts(simulations=100)", "random", games=4).score >= 0.5
    with pytest.raises(pg.ParseError, match="count-match is registered in this process only"):
        pg.match(game, "random", "random", games=2, processes=2)


def test_games_that_repeat_earlier_ones_are_counted() -> None:
    result = pg.match("tictactoe", "alphabeta(depth=2)", "alphabeta(depth=3)", games=6, openings="start")
    assert result.duplicates == 5
    assert "5 games repeat earlier ones" in str(result)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games must be between 1 and"),
        ({"processes": 0}, "processes must be between 1 and"),
        ({"openings": "nothing.txt"}, "openings must be start, deck or a file"),
        ({"clock": "x"}, "clock must be SECONDS"),
        ({"adjudication": "x"}, "unknown adjudication"),
    ],
)
def test_invalid_settings_are_rejected(changes: dict[str, object], message: str) -> None:
    with pytest.raises(pg.PlygroundError, match=message):
        pg.match("tictactoe", "random", "random", **{"games": 2, **changes})  # type: ignore[arg-type]


def test_a_misspelt_player_is_reported_with_suggestions() -> None:
    with pytest.raises(pg.UnknownNameError, match="did you mean Hard"):
        pg.match("connect4", "Hrd", "random", games=2)


def test_an_evaluator_may_return_numpy_arrays() -> None:
    import numpy as np

    def evaluate(positions: list[pg.Position]) -> tuple[object, object]:
        assert pg.batch(positions).shape[0] == len(positions)
        return np.full(len(positions), 0.5, np.float32), [np.ones(len(one.moves)) for one in positions]

    analysis = pg.agent("mcts", evaluator=evaluate, batch=64).analyse(pg.game("connect4").start(), simulations=300)
    assert analysis.simulations == 300
