"""What must hold on every Connect Four board, whatever its size, at every moment of every game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Game, GameOverError, IllegalMoveError, ParseError, Position
from rules.plain_lines import PlainBoard
from rules.strategies import connect4_games, connect4_positions, play_on, seeds


def line_length(game: Game) -> int:
    """How many in a row win, read from the spec, which leaves out the default."""
    _, given_line, number = game.spec.partition("line=")
    return int(number.rstrip(")")) if given_line else 4


def plain(position: Position) -> PlainBoard:
    """The same board for the slow line finder."""
    return PlainBoard(rows=tuple(position.text.split("/")), line=line_length(position.game), drops=True, letters="ry")


def column_cells(game: Game, column: int) -> list[str]:
    """The names of a column's cells from the bottom up."""
    return [name for row in reversed(game.squares) if (name := row[column])]


@given(connect4_games())
def test_dimensions_are_positive_and_the_squares_match_them(game: Game) -> None:
    assert game.rows > 0
    assert game.columns > 0
    assert len(game.squares) == game.rows
    assert all(len(row) == game.columns for row in game.squares)
    names = [name for row in game.squares for name in row]
    assert None not in names
    assert len(set(names)) == game.rows * game.columns


@given(connect4_games())
def test_all_cells_are_empty_at_the_start(game: Game) -> None:
    start = game.start()
    assert start.cells == {}
    assert start.text == "/".join(["." * game.columns] * game.rows)


@given(connect4_games())
def test_the_two_tokens_are_different_single_characters(game: Game) -> None:
    tokens = list(game.pieces)
    assert len(tokens) == len(set(tokens)) == 2
    assert "." not in tokens
    assert all(len(token) == 1 and not token.isspace() for token in tokens)


@given(connect4_positions(), st.integers(-100, 100))
def test_a_column_is_accepted_exactly_when_it_is_on_the_board_and_not_full(position: Position, number: int) -> None:
    game = position.game
    exists = 1 <= number <= game.columns
    is_full = exists and column_cells(game, number - 1)[-1] in position.cells
    if position.outcome is not None:
        with pytest.raises(GameOverError):
            position.play(str(number))
    elif not exists:
        with pytest.raises(ParseError, match=f"columns from 1 to {game.columns}"):
            position.play(str(number))
    elif is_full:
        with pytest.raises(IllegalMoveError, match="column is full"):
            position.play(str(number))
    else:
        assert position.play(str(number)).ply == position.ply + 1
    assert (str(number) in position.moves) == (exists and not is_full and position.outcome is None)


@given(connect4_positions())
def test_a_disc_lands_in_the_lowest_free_cell_of_its_column_and_only_there(position: Position) -> None:
    game = position.game
    token = next(letter for letter, (side, _) in game.pieces.items() if side == position.turn)
    for move in position.moves:
        lowest = next(name for name in column_cells(game, int(move) - 1) if name not in position.cells)
        assert position.path(move) == [lowest]
        assert position.play(move).cells == {**position.cells, lowest: token}


@given(connect4_games(), seeds)
def test_there_are_two_sides_and_exactly_one_is_to_move_in_turn(game: Game, seed: int) -> None:
    assert len(set(game.sides)) == 2
    last = play_on(game.start(), seed, game.rows * game.columns)
    for ply in range(last.ply + 1):
        assert last.replay(ply).turn == game.sides[ply % 2]


@given(connect4_positions())
def test_the_game_goes_on_until_there_is_a_line_or_a_full_board(position: Position) -> None:
    board = plain(position)
    over = bool(board.winners()) or board.is_full()
    assert (position.outcome is not None) == over
    assert bool(position.moves) == (not over)


@given(connect4_games(), seeds)
def test_a_line_wins_and_there_is_at_most_one_winner(game: Game, seed: int) -> None:
    last = play_on(game.start(), seed, game.rows * game.columns)
    for ply in range(last.ply + 1):
        position = last.replay(ply)
        winners = plain(position).winners()
        assert len(winners) <= 1
        assert not winners or ply == last.ply
        for token in winners:
            outcome = position.outcome
            assert outcome is not None
            assert outcome.winner == game.pieces[token][0] != position.turn
            assert outcome.reason == "line"


@given(connect4_games(), seeds)
def test_a_draw_is_a_full_board_without_a_line(game: Game, seed: int) -> None:
    last = play_on(game.start(), seed, game.rows * game.columns)
    outcome, board = last.outcome, plain(last)
    assert outcome is not None
    assert (outcome.winner is None) == (board.is_full() and not board.winners())
    assert (outcome.reason == "full board") == (outcome.winner is None)


@given(connect4_games(), connect4_games())
def test_sides_are_equal_exactly_when_their_tokens_are(one: Game, other: Game) -> None:
    for a, (side_a, _) in one.pieces.items():
        for b, (side_b, _) in other.pieces.items():
            assert (side_a == side_b) == (a == b)
            assert (hash(side_a) == hash(side_b)) == (a == b)
