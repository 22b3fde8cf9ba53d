"""Levels: their definitions, the user's level file, and mistakes that levels above Easy never make."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import pytest

import plyground
from plyground import ParseError, Position, Rng, UnknownNameError
from plyground.agents import Limit
from plyground.levels import level, levels, player
from plyground.levels_file import check_levels

ABOVE_EASY = ["Medium", "Hard", "Expert"]
LEVELS_FILE = Path(plyground.__file__).with_name("levels.toml")


def winning_moves(position: Position) -> set[str]:
    """Return the moves that win at once."""
    outcomes = {move: position.play(move).outcome for move in position.moves}
    return {move for move, outcome in outcomes.items() if outcome is not None and outcome.winner == position.turn}


@functools.cache
def critical_positions(game: str) -> list[tuple[Position, set[str]]]:
    """Return positions from random games and their correct moves: 15 with a win in one, 15 with a threat to parry."""
    wins: list[tuple[Position, set[str]]] = []
    threats: list[tuple[Position, set[str]]] = []
    rng = Rng(1)
    while len(wins) < 15 or len(threats) < 15:
        position = plyground.game(game).start()
        while position.outcome is None:
            position = position.play_random(rng)
        for ply in range(max(0, position.ply - 3), position.ply):
            earlier = position.replay(ply)
            if len(wins) < 15 and 0 < len(winning_moves(earlier)) < len(earlier.moves):
                wins.append((earlier, winning_moves(earlier)))
            elif len(threats) < 15 and not winning_moves(earlier):
                safe = {move for move in earlier.moves if not winning_moves(earlier.play(move))}
                if 0 < len(safe) < len(earlier.moves):
                    threats.append((earlier, safe))
    return wins + threats


@pytest.mark.parametrize(
    ("name", "simulations", "c"), [("Easy", 20, 2**0.5), ("Medium", 50, 5**0.5), ("Hard", 150, 3), ("Expert", 500, 4)]
)
def test_classic_levels_keep_their_settings(name: str, simulations: int, c: float) -> None:
    for game in plyground.games():
        found = level(game.spec, name)
        assert found.limit == Limit(simulations=simulations)
        assert float(found.spec.split("c=")[1].split(",")[0]) == pytest.approx(c)
        assert "playout_plies=20, cutoff=pieces" in found.spec


@pytest.mark.parametrize("name", ["Easy", *ABOVE_EASY])
def test_classic_levels_know_who_has_more_pieces(name: str) -> None:
    # Neither game can end within the playouts of these searches.
    checkers = plyground.game("checkers").position("B:W21-29:B1-12")
    chess = plyground.game("chess").position("rnbqkbnr/pppppppp/8/8/8/8/PPPP4/RNBQKBNR w KQkq - 0 1")
    for position, is_ahead in ((checkers, True), (chess, False)):
        value = player(position.game.id, name).analyse(position, Limit(), seed=1).value
        assert value is not None
        assert value > 0.6 if is_ahead else value < 0.4


@pytest.mark.parametrize("name", ABOVE_EASY)
@pytest.mark.parametrize("game", [game.id for game in plyground.games()])
def test_takes_wins_in_one_and_prevents_losses_in_one(name: str, game: str) -> None:
    for seed, (position, correct) in enumerate(critical_positions(game)):
        assert player(game, name).analyse(position, Limit(), seed=seed).best.move in correct, position


def test_a_player_is_a_level_or_an_agent() -> None:
    assert player("chess", "EXPERT").spec == "Expert"
    assert player("chess", "mcts(c=2)").spec == "mcts(c=2)"
    with pytest.raises(
        UnknownNameError,
        match=r"unknown agent 'grandmaster' \(did you mean Master\?\); available: .*; levels: Easy, Medium",
    ):
        player("chess", "grandmaster")
    with pytest.raises(UnknownNameError, match=r"unknown level 'grandmaster' for chess .*; available: Easy, "):
        level("chess", "grandmaster")


def test_the_shipped_file_is_valid() -> None:
    check_levels(tomllib.loads(LEVELS_FILE.read_text()), "levels.toml")


def test_a_user_file_adds_a_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        ("[[level]]\nname = 'A'\n", r"mine\.toml, level 1, agent is required"),
        ("[[level]]\nname = 'A'\nagent = 'nobody'\n", "level 1, agent: unknown agent 'nobody'; available: mcts"),
        ("[[level]]\nname = 'A'\nagent = 'mcts'\nspeed = 3\n", "level 1, speed: unknown key; allowed: name, agent"),
        (
            "[[level]]\nname = 'A'\nagent = 'mcts'\nsimulations = 'many'\n",
            'simulations must be a valid integer, got "many"',
        ),
        (
            "[[level]]\nname = 'A'\nagent = 'mcts'\nseconds = 0\n",
            "level 1, seconds must be greater than 0, got 0$",
        ),
        (
            "[[level]]\nname = 'A'\nagent = 'mcts'\ngames = ['go']\n",
            "games 1: unknown game 'go'; available: checkers",
        ),
        ("[[level]", "Expected"),
        ("level = 3", "level must be a valid list, got 3"),
    ],
)
def test_an_error_in_a_user_file_names_its_location(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    monkeypatch.setenv("PLYGROUND_LEVELS", str(file))
    with pytest.raises(ParseError, match=message) as caught:
        levels("chess")
    assert "mine.toml" in str(caught.value)
