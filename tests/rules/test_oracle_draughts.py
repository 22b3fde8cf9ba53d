"""Compares checkers with pydraughts, move by move."""

from __future__ import annotations

import random
import re

import pytest
from draughts import Board

import plyground
from plyground import Position

CHUNKS = 20
GAMES_PER_CHUNK = 10

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
# The start position, and positions with kings that lead to multiple captures, circular captures and draws.
STARTS = (
    START,
    START,
    "W:WK15,K18:B6,7,8,9,10,11,22,23",
    START,
    "B:WK30,K31,K32:BK1,K2,K3",
)

# A move is identified by its start, its end and the set of captured squares.
Key = tuple[str, str, frozenset[str]]


def pieces(fen: str) -> tuple[str, dict[str, set[str]]]:
    """Return the side to move and the pieces of each side. pydraughts orders the pieces differently."""
    turn, *sides = fen.split(":")
    return turn, {side[0]: set(re.findall(r"K?\d+", side[1:])) for side in sides}


def our_moves(position: Position) -> dict[Key, str]:
    moves = {}
    opponent = {square for square, letter in position.cells.items() if letter.lower() != position.turn[0]}
    for move in position.moves:
        path = position.path(move)
        captured = opponent - set(position.play(move).cells)
        moves[path[0], path[-1], frozenset(captured)] = move
    assert len(moves) == len(position.moves)
    return moves


def pydraughts_moves(board: Board) -> dict[Key, object]:
    """Return the legal moves. Captures with the same start, end and captured pieces are one move."""
    moves: dict[Key, object] = {}
    for move in board.legal_moves():
        captured = frozenset(str(square) for square in move.captures or [])
        moves[str(move.steps_move[0]), str(move.steps_move[-1]), captured] = move
    return moves


def pydraughts_winner(board: Board) -> str | None:
    return {None: None, 0: "nobody", 1: "black", 2: "white"}[board.winner()]


def play_game(number: int) -> str:
    rng = random.Random(number)
    start = STARTS[number % len(STARTS)]
    board = Board(variant="english", fen=start)
    position = plyground.game("checkers").position(start)
    while True:
        assert pieces(position.text) == pieces(board.fen)
        winner = pydraughts_winner(board)
        outcome = position.outcome
        if outcome is not None:
            assert (outcome.winner or "nobody") == winner
            return outcome.reason
        assert winner is None
        ours, theirs = our_moves(position), pydraughts_moves(board)
        assert ours.keys() == theirs.keys()
        key = rng.choice(sorted(ours, key=lambda key: (key[0], key[1], sorted(key[2]))))
        position = position.play(ours[key])
        board.push(theirs[key])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_agree_with_pydraughts(chunk: int) -> None:
    first = chunk * GAMES_PER_CHUNK
    reasons = {play_game(number) for number in range(first, first + GAMES_PER_CHUNK)}
    assert "no moves" in reasons


@pytest.mark.parametrize("chunk", range(4))
def test_random_positions_agree_with_pydraughts(chunk: int) -> None:
    rng = random.Random(chunk)
    for _ in range(100):
        squares = rng.sample(range(1, 33), rng.randint(2, 16))
        white, black = squares[: len(squares) // 2], squares[len(squares) // 2 :]
        kings = {square for square in squares if rng.random() < 0.5}
        kings |= {square for square in white if square <= 4} | {square for square in black if square >= 29}
        lists = [",".join(f"{'K' * (square in kings)}{square}" for square in side) for side in (white, black)]
        fen = f"{rng.choice('BW')}:W{lists[0]}:B{lists[1]}"
        position = plyground.game("checkers").position(fen)
        assert our_moves(position).keys() == pydraughts_moves(Board(variant="english", fen=fen)).keys()
