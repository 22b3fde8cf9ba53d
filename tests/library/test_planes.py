"""Positions as planes, the input of neural networks."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import plyground as pg
from user_games.sample_games import Count, example, random_game

BUILT_IN = ["checkers", "connect4", "connect4(columns=9, rows=5, line=3)", "tictactoe", "chess", "chess(draws=forced)"]


def cell_of(position: pg.Position, square: str) -> tuple[int, int]:
    """Return the row and column of a square on the displayed board."""
    return next((row, squares.index(square)) for row, squares in enumerate(position.game.squares) if square in squares)


@pytest.mark.parametrize("spec", BUILT_IN)
def test_every_piece_is_in_the_plane_of_its_kind_and_owner(spec: str) -> None:
    for seed in range(3):
        for position in random_game(pg.game(spec).start(), seed):
            planes = position.planes()
            assert planes.shape == (len(position.game.plane_names), position.game.rows, position.game.columns)
            assert planes.dtype == np.float32
            kinds = list(dict.fromkeys(name for _, name in position.game.pieces.values()))
            pieces = planes[: 2 * len(kinds)]
            assert pieces.sum() == len(position.cells)
            for square, letter in position.cells.items():
                side, name = position.game.pieces[letter]
                row, column = cell_of(position, square)
                second = side != position.turn
                if position.turn != position.game.bottom and position.game.id in ("checkers", "chess"):
                    row = 7 - row
                    column = 7 - column if position.game.id == "checkers" else column
                assert pieces[kinds.index(name) + len(kinds) * second, row, column] == 1.0


@pytest.mark.parametrize("name", ["othello", "five-in-a-row", "my-tictactoe"])
def test_user_games_have_a_plane_for_each_piece_and_one_for_the_side_to_move(name: str) -> None:
    for position in random_game(example(name).start(), 1):
        planes = position.planes()
        assert planes.shape == (3, position.game.rows, position.game.columns)
        for square, letter in position.cells.items():
            row, column = cell_of(position, square)
            assert planes[int(position.game.pieces[letter][0] != position.turn), row, column] == 1.0
        assert planes[:2].sum() == len(position.cells)
        assert set(planes[2].ravel().tolist()) == {float(position.turn == position.game.sides[1])}


@pytest.mark.parametrize("spec", ["checkers", "chess", "connect4"])
def test_the_side_that_just_moved_sees_its_own_pieces_first(spec: str) -> None:
    for before, after in pairwise(random_game(pg.game(spec).start(), 2)):
        if after.turn == before.turn:
            continue
        kinds = len({name for _, name in after.game.pieces.values()})
        own = after.planes(before.turn)[:kinds].sum()
        letters = [letter for letter in after.cells.values() if after.game.pieces[letter][0] == before.turn]
        assert own == len(letters)
        assert (after.planes(after.turn) == after.planes()).all()


def test_batches_equal_single_positions() -> None:
    for spec in BUILT_IN:
        positions = random_game(pg.game(spec).start(), 5)
        batch = pg.batch(positions)
        assert batch.shape[0] == len(positions)
        assert all((batch[index] == position.planes()).all() for index, position in enumerate(positions))
        batch[0] = 2.0  # the array belongs to the caller
        assert positions[0].planes().max() <= 1.0


def test_the_checkers_clock_plane_is_a_fraction_of_the_move_limit() -> None:
    position = pg.game("checkers").position("W:WK1:BK32")
    assert position.play("1-6").planes()[4, 0, 0] == np.float32(1 / 80)


class OwnPlanes(Count):
    """A game without a board that defines its own planes."""

    def planes(self, state: tuple[int, int]) -> Any:
        return np.full((2, 1, 3), state[0] / self.goal)


def test_a_user_game_may_define_its_own_planes() -> None:
    position = pg.register(OwnPlanes("own-planes")).start().play(2)
    assert len(position.game.plane_names) == 2
    assert position.planes().shape == (2, 1, 3)
    assert position.planes()[0, 0, 0] == np.float32(2 / 30)
    assert pg.batch([position, position.play(1)])[1, 1, 0, 2] == np.float32(0.1)


def test_planes_of_another_shape_are_rejected() -> None:
    class Growing(Count):
        def planes(self, state: tuple[int, Hashable]) -> list[list[list[float]]]:
            return [[[0.0] * (1 + int(state[0]))]]

    start = pg.register(Growing("growing-planes")).start()
    with pytest.raises(
        pg.ParseError, match=r"must have the shape of planes\(start\(\)\), \(1, 1, 1\), got \(1, 1, 2\)"
    ):
        start.play(1).planes()


def test_invalid_batches_are_rejected_with_the_reason() -> None:
    chess, checkers = pg.game("chess").start(), pg.game("checkers").start()
    with pytest.raises(pg.ParseError, match="must belong to the same game, got chess and checkers"):
        pg.batch([chess, checkers])
    with pytest.raises(pg.ParseError, match="at least one position"):
        pg.batch([])
    with pytest.raises(pg.ParseError, match='side must be white or black, got "red"'):
        chess.planes("red")
    with pytest.raises(pg.ParseError, match="the game count-no-planes has no planes; it must define rows, columns"):
        pg.register(Count("count-no-planes")).start().planes()


def test_actions_are_listed_in_the_order_of_the_moves() -> None:
    for spec in BUILT_IN:
        for position in random_game(pg.game(spec).start(), 8):
            assert position.actions == [position.action(move) for move in position.moves]
