"""All four games, move for move, against OpenSpiel."""

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
    """What OpenSpiel gives its players at the end; None while the game goes on."""
    outcome = position.outcome
    if outcome is None:
        return None
    return [0.0 if outcome.winner is None else 1.0 if outcome.winner == side else -1.0 for side in players]


def assert_agree(position: Position, state: Any, players: Sequence[str] = ()) -> Outcome | None:
    """The same player is to move, or the game is over for both with the same result."""
    players = players or position.game.sides
    assert (state.returns() if state.is_terminal() else None) == returns(position, players)
    if not state.is_terminal():
        assert players[state.current_player()] == position.turn
    return position.outcome


def seeds(chunk: int) -> Iterator[random.Random]:
    return map(random.Random, range(chunk * GAMES_PER_CHUNK, (chunk + 1) * GAMES_PER_CHUNK))


@chunks
def test_tictactoe_agrees(chunk: int) -> None:
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
def test_connect4_agrees(chunk: int, size: tuple[int, int, int]) -> None:
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
    """`a3` of OpenSpiel, whose first player sits below, as a number of ours, whose first player sits above."""
    row, column = int(name[1]) - 1, 7 - "abcdefgh".index(name[0])
    return str(row * 4 + column // 2 + 1)


def whole_moves(state: Any) -> dict[tuple[str, ...], list[int]]:
    """The squares and the actions of each whole move: OpenSpiel plays a capture of several pieces jump by jump."""
    found: dict[tuple[str, ...], list[int]] = {}

    def extend(at: Any, squares: tuple[str, ...], actions: list[int]) -> None:
        for action in at.legal_actions():
            text = at.action_to_string(action)
            start, end = checkers_square(text[:2]), checkers_square(text[2:4])
            assert not squares or squares[-1] == start
            way = (*squares, end) if squares else (start, end)
            after = at.child(action)
            if after.current_player() == at.current_player():
                extend(after, way, [*actions, action])
            else:
                found[way] = [*actions, action]

    extend(state, (), [])
    return found


def cells_of_openspiel(state: Any) -> dict[str, str]:
    """Our letters: `o` and `+` are the men of the first and the second player, `8` and `*` their kings."""
    letters = {"o": "b", "8": "B", "+": "w", "*": "W"}
    rows = str(state).splitlines()[:8]
    return {
        checkers_square("abcdefgh"[column] + row[0]): letters[letter]
        for row in rows
        for column, letter in enumerate(row[1:])
        if letter in letters
    }


def captured_by(position: Position, move: str) -> frozenset[str]:
    enemies = {square for square, letter in position.cells.items() if letter.lower() != position.turn[0]}
    return frozenset(enemies - set(position.play(move).cells))


def captured_along(way: tuple[str, ...]) -> frozenset[str]:
    """The squares between the ends of each jump; none for a step."""

    def place(name: str) -> tuple[int, int]:
        row, index = divmod(int(name) - 1, 4)
        return row, index * 2 + (row + 1) % 2

    taken = set()
    for start, end in pairwise(way):
        (from_row, from_column), (to_row, to_column) = place(start), place(end)
        if abs(from_row - to_row) == 2:
            taken.add(str((from_row + to_row) // 2 * 4 + (from_column + to_column) // 2 // 2 + 1))
    return frozenset(taken)


@chunks
def test_checkers_agrees(chunk: int) -> None:
    game, theirs = plyground.game("checkers(draws=openspiel)"), pyspiel.load_game("checkers")
    for rng in seeds(chunk):
        position, state = game.start(), theirs.new_initial_state()
        while assert_agree(position, state) is None:
            assert cells_of_openspiel(state) == position.cells
            ways = whole_moves(state)
            ours = {
                (path[0], path[-1], captured_by(position, move))
                for move in position.moves
                for path in [position.path(move)]
            }
            assert {(way[0], way[-1], captured_along(way)) for way in ways} == ours
            assert len(ours) == len(position.moves)
            move = rng.choice(position.moves)
            for action in ways[tuple(position.path(move))]:
                state.apply_action(action)
            position = position.play(move)


@chunks
def test_chess_agrees(chunk: int) -> None:
    """White, who begins, is OpenSpiel's player 1."""
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
