"""Compares all four games with OpenSpiel, move by move."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pyspiel
import pytest

import plyground
from plyground import Outcome, Position

CHUNKS = 10
GAMES_PER_CHUNK = 50

chunks = pytest.mark.parametrize("chunk", range(CHUNKS))


def returns(position: Position, players: Sequence[str]) -> list[float] | None:
    """Return the outcome in the format of OpenSpiel's returns, or None if the game is unfinished."""
    outcome = position.outcome
    if outcome is None:
        return None
    return [0.0 if outcome.winner is None else 1.0 if outcome.winner == side else -1.0 for side in players]


def assert_agree(position: Position, state: Any, players: Sequence[str] = ()) -> Outcome | None:
    """Check that the side to move or the result is the same, and return the outcome."""
    players = players or position.game.sides
    assert (state.returns() if state.is_terminal() else None) == returns(position, players)
    if not state.is_terminal():
        assert players[state.current_player()] == position.turn
    return position.outcome


def seeds(chunk: int) -> Iterator[random.Random]:
    return map(random.Random, range(chunk * GAMES_PER_CHUNK, (chunk + 1) * GAMES_PER_CHUNK))


@chunks
def test_tictactoe_agrees_with_openspiel(chunk: int) -> None:
    """OpenSpiel numbers the cells in reading order."""
    game, theirs = plyground.game("tictactoe"), pyspiel.load_game("tic_tac_toe")
    actions = {name: index for index, name in enumerate(name for row in game.squares for name in row)}
    for rng in seeds(chunk):
        position, state = game.start(), theirs.new_initial_state()
        while assert_agree(position, state) is None:
            assert sorted(actions[move] for move in position.moves) == state.legal_actions()
            move = rng.choice(position.moves)
            position = position.play(move)
            state.apply_action(actions[move])


@pytest.mark.parametrize("size", [(7, 6, 4), (5, 4, 3), (4, 7, 4), (9, 3, 3)], ids=str)
@chunks
def test_connect4_agrees_with_openspiel(chunk: int, size: tuple[int, int, int]) -> None:
    """OpenSpiel numbers the columns from 0."""
    columns, rows, line = size
    game = plyground.game(f"connect4(columns={columns}, rows={rows}, line={line})")
    theirs = pyspiel.load_game(f"connect_four(columns={columns},rows={rows},x_in_row={line})")
    for rng in seeds(chunk):
        position, state = game.start(), theirs.new_initial_state()
        while assert_agree(position, state) is None:
            assert [int(move) - 1 for move in position.moves] == state.legal_actions()
            move = rng.choice(position.moves)
            position = position.play(move)
            state.apply_action(int(move) - 1)


def checkers_square(name: str) -> str:
    """Convert an OpenSpiel square such as `a3` to our number. The board is rotated: black is at the bottom."""
    row, column = int(name[1]) - 1, 7 - "abcdefgh".index(name[0])
    return str(row * 4 + column // 2 + 1)


def complete_moves(state: Any) -> dict[tuple[str, ...], list[int]]:
    """Return the path and the actions of every move. OpenSpiel plays a multiple capture jump by jump."""
    moves: dict[tuple[str, ...], list[int]] = {}

    def extend(state: Any, path: tuple[str, ...], actions: list[int]) -> None:
        for action in state.legal_actions():
            text = state.action_to_string(action)
            start, end = checkers_square(text[:2]), checkers_square(text[2:4])
            assert not path or path[-1] == start
            extended = (*path, end) if path else (start, end)
            after = state.child(action)
            if after.current_player() == state.current_player():
                extend(after, extended, [*actions, action])
            else:
                moves[extended] = [*actions, action]

    extend(state, (), [])
    return moves


def openspiel_cells(state: Any) -> dict[str, str]:
    """Return the cells in our letters. OpenSpiel writes men as `o` and `+`, and kings as `8` and `*`."""
    letters = {"o": "b", "8": "B", "+": "w", "*": "W"}
    rows = str(state).splitlines()[:8]
    return {
        checkers_square("abcdefgh"[column] + row[0]): letters[letter]
        for row in rows
        for column, letter in enumerate(row[1:])
        if letter in letters
    }


def captured_by(position: Position, move: str) -> frozenset[str]:
    opponent = {square for square, letter in position.cells.items() if letter.lower() != position.turn[0]}
    return frozenset(opponent - set(position.play(move).cells))


def captured_along(path: tuple[str, ...]) -> frozenset[str]:
    """Return the squares jumped over."""

    def place(name: str) -> tuple[int, int]:
        row, index = divmod(int(name) - 1, 4)
        return row, index * 2 + (row + 1) % 2

    captured = set()
    for start, end in pairwise(path):
        (from_row, from_column), (to_row, to_column) = place(start), place(end)
        if abs(from_row - to_row) == 2:
            captured.add(str((from_row + to_row) // 2 * 4 + (from_column + to_column) // 2 // 2 + 1))
    return frozenset(captured)


@chunks
def test_checkers_agrees_with_openspiel(chunk: int) -> None:
    game, theirs = plyground.game("checkers(draws=openspiel)"), pyspiel.load_game("checkers")
    for rng in seeds(chunk):
        position, state = game.start(), theirs.new_initial_state()
        while assert_agree(position, state) is None:
            assert openspiel_cells(state) == position.cells
            actions = complete_moves(state)
            ours = {
                (path[0], path[-1], captured_by(position, move))
                for move in position.moves
                for path in [position.path(move)]
            }
            assert {(path[0], path[-1], captured_along(path)) for path in actions} == ours
            assert len(ours) == len(position.moves)
            move = rng.choice(position.moves)
            for action in actions[tuple(position.path(move))]:
                state.apply_action(action)
            position = position.play(move)


@chunks
def test_chess_agrees_with_openspiel(chunk: int) -> None:
    """White moves first but is OpenSpiel's player 1."""
    game, theirs = plyground.game("chess"), pyspiel.load_game("chess")
    for rng in seeds(chunk):
        position, state = game.start(), theirs.new_initial_state()
        while assert_agree(position, state, ("black", "white")) is None:
            board = state.board()
            actions = {pyspiel.chess.action_to_move(action, board).to_lan(): action for action in state.legal_actions()}
            assert sorted(actions) == sorted(position.moves)
            move = rng.choice(position.moves)
            position = position.play(move)
            state.apply_action(actions[move])
