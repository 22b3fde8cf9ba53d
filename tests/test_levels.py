"""Levels: what they are made of, and what none of them overlooks."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

import plyground
from plyground import ParseError, Position, Rng, UnknownNameError
from plyground.agents import Limit
from plyground.levels import level, levels, player

SHARP = ["Medium", "Hard", "Expert"]


def wins_at_once(position: Position) -> set[str]:
    """The moves that end the game in favour of the side to move."""
    moves = {move: position.play(move).outcome for move in position.moves}
    return {move for move, outcome in moves.items() if outcome is not None and outcome.winner == position.turn}


@functools.cache
def critical(game: str) -> tuple[list[tuple[Position, set[str]]], list[tuple[Position, set[str]]]]:
    """Positions of random games with a win in one, and positions where some moves allow one; with the right moves."""
    wins: list[tuple[Position, set[str]]] = []
    saves: list[tuple[Position, set[str]]] = []
    rng = Rng(1)
    while len(wins) < 15 or len(saves) < 15:
        position = plyground.game(game).start()
        while position.outcome is None:
            position = position.play_random(rng)
        for ply in range(max(0, position.ply - 3), position.ply):
            earlier = position.replay(ply)
            if len(wins) < 15 and 0 < len(wins_at_once(earlier)) < len(earlier.moves):
                wins.append((earlier, wins_at_once(earlier)))
            elif len(saves) < 15 and not wins_at_once(earlier):
                safe = {move for move in earlier.moves if not wins_at_once(earlier.play(move))}
                if 0 < len(safe) < len(earlier.moves):
                    saves.append((earlier, safe))
    return wins, saves


@pytest.mark.parametrize(
    ("name", "simulations", "c"), [("Easy", 20, 2**0.5), ("Medium", 50, 5**0.5), ("Hard", 150, 3), ("Expert", 500, 4)]
)
def test_the_classic_levels_are_what_they_were(name: str, simulations: int, c: float) -> None:
    for game in plyground.games():
        one = level(game.spec, name)
        assert one.limit == Limit(simulations=simulations)
        assert float(one.spec.split("c=")[1].split(",")[0]) == pytest.approx(c)
        assert "playout_plies=20" in one.spec


@pytest.mark.parametrize("name", SHARP)
@pytest.mark.parametrize("game", [game.id for game in plyground.games()])
def test_wins_in_one_are_taken_and_losses_in_one_prevented(name: str, game: str) -> None:
    wins, saves = critical(game)
    for seed, (position, right) in enumerate(wins + saves):
        assert player(game, name).analyse(position, Limit(), seed=seed).best.move in right, position


def test_a_player_is_a_level_or_an_agent() -> None:
    assert player("chess", "EXPERT").spec == "Expert"
    assert player("chess", "mcts(c=2)").spec == "mcts(c=2)"
    with pytest.raises(UnknownNameError, match="and levels: Easy, Medium"):
        player("chess", "grandmaster")
    with pytest.raises(UnknownNameError, match="it has: Easy"):
        level("chess", "grandmaster")


def test_a_file_of_one_s_own_adds_a_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "levels.toml"
    file.write_text('[[level]]\nname = "Wild"\nagent = "mcts"\nsimulations = 9\ntemperature = 2\ngames = ["chess"]\n')
    monkeypatch.setenv("PLYGROUND_LEVELS", str(file))
    assert [one.name for one in levels("chess")][-1] == "Wild"
    assert "Wild" not in [one.name for one in levels("checkers")]
    moves = {
        player("chess", "wild").analyse(plyground.game("chess").start(), Limit(), seed=seed).best.move
        for seed in range(20)
    }
    assert len(moves) > 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[level]]\nname = 'A'\n", "level 1: agent is missing"),
        ("[[level]]\nname = 'A'\nagent = 'nobody'\n", "no agent is called 'nobody'"),
        ("[[level]]\nname = 'A'\nagent = 'mcts'\nspeed = 3\n", "unknown key 'speed'"),
        ("[[level]]\nname = 'A'\nagent = 'mcts'\nsimulations = 'many'\n", "accepted is a number"),
        ("[[level]]\nname = 'A'\nagent = 'mcts'\ngames = ['go']\n", "accepted is a list of checkers"),
        ("[[level]", "Expected"),
        ("level = 3", "accepted is a list"),
    ],
)
def test_a_wrong_file_says_where(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    monkeypatch.setenv("PLYGROUND_LEVELS", str(file))
    with pytest.raises(ParseError, match=message) as caught:
        levels("chess")
    assert "mine.toml" in str(caught.value)
