"""Minimax and alpha-beta agree, and alpha-beta visits fewer nodes."""

from __future__ import annotations

import pytest

from plyground import GameOverError, Position, Rng, game
from plyground.plain import Minimax, material
from plyground.plain.minimax import WIN

SPECS = [("tictactoe", 4), ("connect4", 4), ("checkers", 4), ("chess", 2)]


def random_position(spec: str, seed: int) -> Position:
    position, rng = game(spec).start(), Rng(seed)
    for _ in range(rng.below(4) + (0 if spec == "tictactoe" else 8)):
        position = position.play_random(rng)
    return position


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("spec", "depth"), SPECS)
def test_pruning_changes_neither_value_nor_move(spec: str, depth: int, seed: int) -> None:
    position = random_position(spec, seed)
    full, pruned = Minimax(depth, pruning=False).run(position), Minimax(depth).run(position)
    assert (pruned.value, pruned.move) == (full.value, full.move)
    assert pruned.nodes <= full.nodes


@pytest.mark.parametrize(("spec", "depth"), SPECS)
def test_pruning_visits_fewer_nodes(spec: str, depth: int) -> None:
    start = game(spec).start()
    full, pruned = Minimax(depth, pruning=False).run(start), Minimax(depth).run(start)
    assert pruned.nodes < full.nodes / 2
    assert pruned.cutoffs > full.cutoffs == 0


@pytest.mark.parametrize("seed", range(3))
def test_pruned_values_are_upper_bounds(seed: int) -> None:
    position = random_position("checkers", seed)
    full, pruned = Minimax(4, pruning=False).run(position), Minimax(4).run(position)
    assert all(pruned.values[move] >= full.values[move] for move in position.moves)


@pytest.mark.parametrize(("spec", "depth", "nodes"), [("tictactoe", 3, 9 + 72 + 504), ("chess", 2, 20 + 400)])
def test_minimax_without_pruning_visits_every_position(spec: str, depth: int, nodes: int) -> None:
    assert Minimax(depth, pruning=False).run(game(spec).start()).nodes == nodes


def test_tic_tac_toe_is_a_draw() -> None:
    assert Minimax(9).run(game("tictactoe").start()).value == 0


def test_a_quicker_win_scores_higher() -> None:
    result = Minimax(3).run(game("connect4").position("112233"))
    assert (result.move, result.value) == ("4", WIN + 2)


def test_captures_a_hanging_queen() -> None:
    position = game("chess").position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    assert Minimax(1).run(position).move == "e4d5"


def test_material_is_for_the_side_to_move() -> None:
    assert material(game("chess").position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")) == -8
    assert material(game("chess").position("4k3/8/8/3q4/4P3/8/8/4K3 b - - 0 1")) == 8
    assert material(game("connect4").position("44")) == 0


def test_another_evaluation_function_changes_the_move() -> None:
    start = game("tictactoe").start()
    assert Minimax(1, evaluate=lambda position: -(position.cells.get("b2") == "x")).run(start).move == "b2"


def test_a_side_may_move_twice() -> None:
    class Board:
        """A game in which one side makes all moves and scores their sum."""

        outcome, turn = None, "first"

        def __init__(self, score: int = 0) -> None:
            self.moves, self.score = ["1", "3", "2"], score

        def play(self, move: str) -> Board:
            return Board(self.score + int(move))

    for pruning in (True, False):
        search = Minimax(3, pruning=pruning, evaluate=lambda board: board.score)  # type: ignore[attr-defined]
        assert search.run(Board()).value == 9  # type: ignore[arg-type]


def test_a_finished_game_is_rejected() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        Minimax(2).run(game("connect4").position("1212121"))
