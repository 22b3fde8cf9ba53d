"""Compares chess with python-chess, move by move."""

from __future__ import annotations

import random

import chess
import pytest

import plyground
from plyground import Outcome, Position

CHUNKS = 20
GAMES_PER_CHUNK = 50

# The start position, and positions that lead to move-limit and material draws, promotions, castling and en passant.
STARTS = (
    chess.STARTING_FEN,
    chess.STARTING_FEN,
    "8/5k2/8/8/8/2K5/6R1/8 w - - 0 1",
    "4k3/8/3b4/8/8/2N2B2/8/4K3 w - - 0 1",
    "8/PPPP3k/8/8/8/8/K3pppp/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p3p1/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "k1b5/8/3B4/8/8/8/5n2/6K1 w - - 60 40",
)
STYLES = ("random", "attack", "shuffle", "quiet")
REPETITIONS = {"claimed": 3, "forced": 5}
MOVE_LIMITS = {"claimed": 100, "forced": 150}


def choose(board: chess.Board, style: str, rng: random.Random) -> chess.Move:
    """Choose a random legal move by style: any, a mate or check, the reverse of the last move, or a quiet move."""
    legal = list(board.legal_moves)
    if style == "shuffle" and len(board.move_stack) >= 2 and rng.random() < 0.9:
        last = board.move_stack[-2]
        reverse = chess.Move(last.to_square, last.from_square)
        if reverse in legal:
            return reverse
    if style == "attack":
        checks = [move for move in legal if board.gives_check(move)]
        legal = [move for move in checks if board.san(move).endswith("#")] or checks or legal
    if style == "quiet":
        legal = [move for move in legal if not board.is_zeroing(move)] or legal
    return rng.choice(legal)


def outcomes(board: chess.Board, draws: str) -> set[tuple[str | None, str]]:
    """Return the winner and reason of every rule that ends the game here."""
    found: set[tuple[str | None, str]] = set()
    if board.is_checkmate():
        found.add(("black" if board.turn else "white", "checkmate"))
    if board.is_stalemate():
        found.add((None, "stalemate"))
    if board.is_insufficient_material():
        found.add((None, "insufficient material"))
    if board.halfmove_clock >= MOVE_LIMITS[draws] and any(board.legal_moves):
        found.add((None, "move limit"))
    if board.is_repetition(REPETITIONS[draws]) and any(board.legal_moves):
        found.add((None, "repetition"))
    if draws == "forced":
        assert bool(found) == (board.outcome() is not None)
    return found


def assert_agree(board: chess.Board, position: Position, draws: str, every_san: bool) -> Outcome | None:
    assert position.text == board.fen(en_passant="legal")
    assert position.turn == ("white" if board.turn else "black")
    king = chess.square_name(board.king(board.turn) or 0)
    assert position.highlighted == ([king] if board.is_check() else [])
    expected = outcomes(board, draws)
    outcome = position.outcome
    if outcome is not None:
        assert (outcome.winner, outcome.reason) in expected
        assert position.moves == []
        return outcome
    assert not expected
    assert sorted(position.moves) == sorted(move.uci() for move in board.legal_moves)
    if every_san:
        for move in board.legal_moves:
            san = board.san(move)
            assert position.notation(move.uci()) == san
            assert position.parse_move(san) == move.uci()
    return None


def play_game(number: int) -> Outcome:
    """Play game `number`, which determines the seed, start, style and draw rule."""
    rng = random.Random(number)
    start = STARTS[number % len(STARTS)]
    style = STYLES[number // len(STARTS) % len(STYLES)]
    draws = ("claimed", "forced")[number // len(STARTS) // len(STYLES) % 2]
    board = chess.Board(start)
    position = plyground.game(f"chess(draws={draws})").position(start)
    while True:
        outcome = assert_agree(board, position, draws, every_san=position.ply % 10 == 0)
        if outcome is not None:
            return outcome
        move = choose(board, style, rng)
        assert position.notation(move.uci()) == board.san(move)
        position = position.play(move.uci())
        board.push(move)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_agree_with_python_chess(chunk: int) -> None:
    first = chunk * GAMES_PER_CHUNK
    reasons = {play_game(number).reason for number in range(first, first + GAMES_PER_CHUNK)}
    assert reasons >= {"checkmate", "insufficient material", "repetition", "move limit"}


@pytest.mark.parametrize("number", range(8))
def test_random_positions_agree_with_python_chess(number: int) -> None:
    """The positions need not be reachable."""
    rng = random.Random(number)
    compared = 0
    while compared < 250:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, rng.randint(3, 14))
        for square, letter in zip(squares, "Kk" + "QRBNPqrbnp" * 2, strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = rng.random() < 0.5
        if not board.is_valid():
            continue
        compared += 1
        position = plyground.game("chess").position(board.fen())
        assert_agree(board, position, "claimed", every_san=True)
