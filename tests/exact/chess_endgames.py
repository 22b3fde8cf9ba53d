"""Random chess endgames, and the Syzygy files that `make` downloads for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chess

from plyground import Rng

FILES = Path(__file__).parents[2] / ".venv/syzygy"


def syzygy_folder() -> Path:
    """Return the folder of the Syzygy files."""
    assert any(FILES.glob("*.rtbw")), "the Syzygy files are missing: run make .venv/stamps/syzygy"
    return FILES


def table_names() -> list[str]:
    """Return the names of all available tables, such as KQvKR."""
    return sorted(file.stem for file in syzygy_folder().glob("*.rtbw"))


def random_endgames(name: str, seed: int) -> Iterator[chess.Board]:
    """Yield random legal, unfinished positions covered by a table, with random colours and a random side to move."""
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
