"""Minimax and alpha-beta agree, and alpha-beta looks at less."""

from __future__ import annotations

import pytest

from plyground import GameOverError, Position, Rng, game
from plyground.plain import Minimax, material
from plyground.plain.minimax import WIN

SPECS = [("tictactoe", 4), ("connect4", 4), ("checkers", 4), ("chess", 2)]


def after_some_moves(spec: str, seed: int) -> Position:
    position, rng = game(spec).start(), Rng(seed)
    for _ in range(rng.below(4) + (0 if spec == "tictactoe" else 8)):
        position = position.play_random(rng)
    return position


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("spec", "depth"), SPECS)
def test_pruning_changes_neither_value_nor_move(spec: str, depth: int, seed: int) -> None:
    position = after_some_moves(spec, seed)
    whole, pruned = Minimax(depth, pruning=False).run(position), Minimax(depth).run(position)
    assert (pruned.value, pruned.move) == (whole.value, whole.move)
    assert pruned.nodes <= whole.nodes


@pytest.mark.parametrize(("spec", "depth"), SPECS)
def test_pruning_looks_at_less(spec: str, depth: int) -> None:
    start = game(spec).start()
    whole, pruned = Minimax(depth, pruning=False).run(start), Minimax(depth).run(start)
    assert pruned.nodes < whole.nodes / 2
    assert pruned.cutoffs > whole.cutoffs == 0


@pytest.mark.parametrize("seed", range(3))
def test_pruned_values_are_upper_bounds(seed: int) -> None:
    position = after_some_moves("checkers", seed)
    whole, pruned = Minimax(4, pruning=False).run(position), Minimax(4).run(position)
    assert all(pruned.values[move] >= whole.values[move] for move in position.moves)


@pytest.mark.parametrize(("spec", "depth", "nodes"), [("tictactoe", 3, 9 + 72 + 504), ("chess", 2, 20 + 400)])
def test_without_pruning_every_position_is_looked_at(spec: str, depth: int, nodes: int) -> None:
    assert Minimax(depth, pruning=False).run(game(spec).start()).nodes == nodes


def test_tic_tac_toe_is_a_draw() -> None:
    assert Minimax(9).run(game("tictactoe").start()).value == 0


def test_the_quicker_win_is_worth_more() -> None:
    result = Minimax(3).run(game("connect4").position("112233"))
    assert (result.move, result.value) == ("4", WIN + 2)


def test_a_queen_left_hanging_is_taken() -> None:
    position = game("chess").position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    assert Minimax(1).run(position).move == "e4d5"


def test_material_is_seen_by_the_mover() -> None:
    assert material(game("chess").position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")) == -8
    assert material(game("chess").position("4k3/8/8/3q4/4P3/8/8/4K3 b - - 0 1")) == 8
    assert material(game("connect4").position("44")) == 0


def test_another_evaluation_leads_elsewhere() -> None:
    start = game("tictactoe").start()
    assert Minimax(1, evaluate=lambda position: -(position.cells.get("b2") == "x")).run(start).move == "b2"


def test_a_side_may_move_twice() -> None:
    class Board:
        """Three moves in a row by the same side, worth their sum; the tree of a game whose turn does not alternate."""

        outcome, turn = None, "first"

        def __init__(self, worth: int = 0) -> None:
            self.moves, self.worth = ["1", "3", "2"], worth

        def play(self, move: str) -> Board:
            return Board(self.worth + int(move))

    for pruning in (True, False):
        search = Minimax(3, pruning=pruning, evaluate=lambda board: board.worth)  # type: ignore[attr-defined]
        assert search.run(Board()).value == 9  # type: ignore[arg-type]


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        Minimax(2).run(game("connect4").position("1212121"))
