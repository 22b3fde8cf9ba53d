"""Games as PettingZoo environments."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest

import plyground as pg
from plyground.rl.aec import GameEnv
from user_games.sample_games import Count, example

GAMES = [game.id for game in pg.games()]
SHARED_ACTIONS = "W:WK2:B6,7,14,15,22,23"
"""Captures between the same squares that take different men share an action."""


@pytest.mark.parametrize("name", [*GAMES, "connect4(columns=5, rows=4)", "othello", "five-in-a-row"])
def test_passes_the_tests_of_pettingzoo(name: str) -> None:
    from pettingzoo.test import api_test, seed_test

    if name in ("othello", "five-in-a-row"):
        example(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # recommendations, such as naming agents player_0
        api_test(pg.env(name), num_cycles=200)
        seed_test(lambda: pg.env(name, max_plies=30), num_cycles=20)


def play(env: GameEnv, moves: list[str]) -> None:
    for move in moves:
        actions = {text: action for action, text in env.legal_moves().items()}
        env.step(actions[move])


def test_the_winner_gets_1_and_the_loser_minus_1() -> None:
    env = pg.env("connect4")
    env.reset()
    play(env, list("121212"))
    assert env.rewards == {"red": 0.0, "yellow": 0.0}
    play(env, ["1"])
    assert env.rewards == {"red": 1.0, "yellow": -1.0}
    assert env.terminations == {"red": True, "yellow": True}
    assert env.last()[1:4] == (-1.0, True, False)
    env.step(None)
    assert env.last()[1:4] == (1.0, True, False)
    env.step(None)
    assert env.agents == []


def test_a_draw_is_worth_0_and_a_new_game_can_begin() -> None:
    env = pg.env("tictactoe")
    env.reset()
    play(env, ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"])
    assert env.position.outcome is not None
    assert env.rewards == {"x": 0.0, "o": 0.0}
    assert all(env.terminations.values())
    env.reset(seed=1)
    assert env.agents == ["x", "o"]
    assert env.position.ply == 0
    assert not any(env.terminations.values())


def test_each_agent_sees_the_board_from_its_side() -> None:
    env = pg.env("checkers")
    env.reset()
    play(env, ["11-15"])
    white, black = env.observe("white"), env.observe("black")
    assert (white["observation"] == env.position.planes()).all()
    assert white["action_mask"].sum() == len(env.position.moves)
    assert black["action_mask"].sum() == 0
    assert black["observation"][0, 4, 3] == 1.0, "15 is in the fourth row from the bottom for black"
    assert env.observation_space("white").contains(white)


def test_moves_that_share_an_action_get_different_actions() -> None:
    position = pg.game("checkers").position(SHARED_ACTIONS)
    assert len(set(position.actions)) < len(position.moves)
    env = pg.env("checkers", start=SHARED_ACTIONS)
    env.reset()
    assert list(env.legal_moves().values()) == position.moves
    assert env.observe("white")["action_mask"].sum() == len(position.moves)


def test_an_illegal_action_error_lists_legal_actions() -> None:
    env = pg.env("connect4", start="111111")
    env.reset()
    assert env.observe("red")["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1]
    with pytest.raises(pg.IllegalMoveError, match=r"action 0 is illegal for red; legal actions include 1 \(2\)"):
        env.step(0)


def test_a_long_game_is_truncated() -> None:
    env = pg.env("chess", max_plies=2)
    env.reset()
    play(env, ["e2e4", "e7e5"])
    assert env.truncations == {"white": True, "black": True}
    assert env.last()[2:4] == (False, True)


def test_sides_need_not_alternate() -> None:
    env = pg.env(example("othello"))
    env.reset()
    rng = np.random.default_rng(0)
    turns = []
    while not any(env.terminations.values()):
        turns.append(env.agent_selection)
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert set(turns) == {"black", "white"}


def test_the_board_is_rendered() -> None:
    text = pg.env("tictactoe", render_mode="ansi")
    text.reset()
    play(text, ["b2"])
    assert "(x)" in str(text.render())
    picture = pg.env("tictactoe", render_mode="svg")
    picture.reset()
    assert str(picture.render()).startswith("<svg")
    quiet = pg.env("tictactoe")
    quiet.reset()
    assert quiet.render() is None
    with pytest.raises(pg.ParseError, match="render_mode must be ansi or svg, got 'human'"):
        pg.env("tictactoe", render_mode="human")


def test_invalid_starts_are_rejected() -> None:
    with pytest.raises(pg.GameOverError, match="already over at the start"):
        pg.env("connect4", start="1212121")
    with pytest.raises(pg.ParseError, match="has no planes"):
        pg.env(pg.register(Count("count-env")))
    with pytest.raises(pg.ParseError, match="max_plies must be a positive integer"):
        pg.env("connect4", max_plies=0)


@pytest.mark.parametrize("package", ["pettingzoo", "gymnasium"])
def test_a_missing_extra_is_reported(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "plyground.rl.aec", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(pg.PlygroundError, match=r"requires the `rl` extra: pip install 'plyground\[rl\]'"):
        pg.env("connect4")
