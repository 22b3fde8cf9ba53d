"""Random endings of chess, and the Syzygy files that `make` fetches for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chess

from plyground import Rng

FILES = Path(__file__).parents[2] / ".venv/syzygy"


def syzygy_folder() -> Path:
    """Where the files are."""
    assert any(FILES.glob("*.rtbw")), "the Syzygy files are missing: make .venv/stamps/syzygy fetches them"
    return FILES


def slices() -> list[str]:
    """The names of all slices there, such as KQvKR."""
    return sorted(file.stem for file in syzygy_folder().glob("*.rtbw"))


def random_endings(name: str, seed: int) -> Iterator[chess.Board]:
    """Legal positions with a move and the pieces of a slice, either colour the stronger, either side to move."""
    rng = Rng(seed)
    while True:
        board = chess.Board(None)
        strong = rng.below(2) == 0
        for part, color in zip(name.split("v"), (strong, not strong), strict=True):
            for letter in part:
                square = rng.below(64)
                while board.piece_at(square) is not None:
                    square = rng.below(64)
                board.set_piece_at(square, chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), color))
        board.turn = rng.below(2) == 0
        if board.is_valid() and any(board.legal_moves):
            yield board
