"""Properties of Connect Four on boards of any size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Game, GameOverError, IllegalMoveError, ParseError, Position
from rules.plain_board import PlainBoard
from rules.strategies import connect4_games, connect4_positions, play_randomly, seeds


def line_length(game: Game) -> int:
    """Return the length of a winning line from the spec, which omits it if it is the default."""
    _, separator, number = game.spec.partition("line=")
    return int(number.rstrip(")")) if separator else 4


def plain(position: Position) -> PlainBoard:
    """Return the same position as a plain board."""
    return PlainBoard(rows=tuple(position.text.split("/")), line=line_length(position.game), drops=True, letters="ry")


def column_cells(game: Game, column: int) -> list[str]:
    """Return the names of the cells of a column from bottom to top."""
    return [name for row in reversed(game.squares) if (name := row[column])]


@given(connect4_games())
def test_the_squares_match_the_board_size(game: Game) -> None:
    assert game.rows > 0
    assert game.columns > 0
    assert len(game.squares) == game.rows
    assert all(len(row) == game.columns for row in game.squares)
    names = [name for row in game.squares for name in row]
    assert None not in names
    assert len(set(names)) == game.rows * game.columns


@given(connect4_games())
def test_the_start_position_is_empty(game: Game) -> None:
    start = game.start()
    assert start.cells == {}
    assert start.text == "/".join(["." * game.columns] * game.rows)


@given(connect4_games())
def test_the_pieces_are_two_different_characters(game: Game) -> None:
    letters = list(game.pieces)
    assert len(letters) == len(set(letters)) == 2
    assert "." not in letters
    assert all(len(letter) == 1 and not letter.isspace() for letter in letters)


@given(connect4_positions(), st.integers(-100, 100))
def test_a_move_is_legal_if_its_column_is_on_the_board_and_not_full(position: Position, number: int) -> None:
    game = position.game
    exists = 1 <= number <= game.columns
    is_full = exists and column_cells(game, number - 1)[-1] in position.cells
    if position.outcome is not None:
        with pytest.raises(GameOverError):
            position.play(str(number))
    elif not exists:
        with pytest.raises(ParseError, match=f"column between 1 and {game.columns}"):
            position.play(str(number))
    elif is_full:
        with pytest.raises(IllegalMoveError, match="column is full"):
            position.play(str(number))
    else:
        assert position.play(str(number)).ply == position.ply + 1
    assert (str(number) in position.moves) == (exists and not is_full and position.outcome is None)


@given(connect4_positions())
def test_a_disc_drops_to_the_lowest_empty_cell_of_its_column(position: Position) -> None:
    game = position.game
    letter = next(letter for letter, (side, _) in game.pieces.items() if side == position.turn)
    for move in position.moves:
        lowest = next(name for name in column_cells(game, int(move) - 1) if name not in position.cells)
        assert position.path(move) == [lowest]
        assert position.play(move).cells == {**position.cells, lowest: letter}


@given(connect4_games(), seeds)
def test_the_two_sides_alternate(game: Game, seed: int) -> None:
    assert len(set(game.sides)) == 2
    last = play_randomly(game.start(), seed, game.rows * game.columns)
    for ply in range(last.ply + 1):
        assert last.replay(ply).turn == game.sides[ply % 2]


@given(connect4_positions())
def test_the_game_ends_with_a_line_or_a_full_board(position: Position) -> None:
    board = plain(position)
    over = bool(board.winners()) or board.is_full()
    assert (position.outcome is not None) == over
    assert bool(position.moves) == (not over)


@given(connect4_games(), seeds)
def test_the_first_line_wins(game: Game, seed: int) -> None:
    last = play_randomly(game.start(), seed, game.rows * game.columns)
    for ply in range(last.ply + 1):
        position = last.replay(ply)
        winners = plain(position).winners()
        assert len(winners) <= 1
        assert not winners or ply == last.ply
        for letter in winners:
            outcome = position.outcome
            assert outcome is not None
            assert outcome.winner == game.pieces[letter][0] != position.turn
            assert outcome.reason == "line"


@given(connect4_games(), seeds)
def test_a_draw_is_a_full_board_without_a_line(game: Game, seed: int) -> None:
    last = play_randomly(game.start(), seed, game.rows * game.columns)
    outcome, board = last.outcome, plain(last)
    assert outcome is not None
    assert (outcome.winner is None) == (board.is_full() and not board.winners())
    assert (outcome.reason == "full board") == (outcome.winner is None)


@given(connect4_games(), connect4_games())
def test_games_of_all_sizes_have_the_same_sides_and_pieces(one: Game, other: Game) -> None:
    for a, (side_a, _) in one.pieces.items():
        for b, (side_b, _) in other.pieces.items():
            assert (side_a == side_b) == (a == b)
            assert (hash(side_a) == hash(side_b)) == (a == b)
