"""Syzygy tablebases for chess endgames, read by python-chess.

A table (all positions with the same pieces) consists of two files: `KQvKR.rtbw` has win/draw/loss (WDL) and
`KQvKR.rtbz` the distance to zeroing (DTZ), the plies to the next capture, pawn move or mate. Playing an endgame
requires both files, and those of the endgames it can convert to.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import chess
from chess import syzygy

from plyground.errors import TablesError
from plyground.games import game

FOLDER_VARIABLE = "PLYGROUND_SYZYGY"
"""Environment variable with the default folder."""

MAX_REVERSIBLE_PLIES = 100
"""The 50-move rule in plies."""

_CORRUPTION = (OSError, struct.error, IndexError, KeyError, ValueError, AssertionError, AttributeError, RecursionError)
"""Exceptions that python-chess raises for corrupted files."""

_open: dict[Path, Syzygy] = {}


class NotInTablesError(TablesError):
    """The available tables do not cover the position."""


@dataclass(frozen=True)
class ProbeResult:
    """The exact value of a position, for the side to move."""

    result: Literal["win", "draw", "loss"]
    """The result under the 50-move rule, given the halfmove clock of the position."""
    wdl: int
    """2 win, 1 cursed win, 0 draw, -1 blessed loss, -2 loss, with the halfmove clock at 0."""
    plies: int
    """DTZ: plies to the next capture, pawn move or mate under best play; 0 for a draw."""

    @property
    def distance(self) -> int | None:
        """`plies`, or None for a draw."""
        return None if self.result == "draw" else self.plies


class Syzygy:
    """The tables in a folder. Each table is checked before its first probe."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise TablesError(f"{folder}: no such folder; expected one with Syzygy files (.rtbw and .rtbz)")
        self.folder = folder
        self._tablebase = syzygy.Tablebase()
        try:
            self._tablebase.add_directory(str(folder))
        except OSError as error:
            raise TablesError(f"{folder}: cannot be read: {error.strerror}") from error
        if not self._tablebase.wdl or not self._tablebase.dtz:
            kind = ".rtbz" if self._tablebase.wdl else ".rtbw"
            raise TablesError(
                f"{folder}: no Syzygy files ({kind}) found; expected pairs such as KQvK.rtbw and KQvK.rtbz"
            )
        self.pieces = max(len(name) - 1 for name in self._tablebase.wdl)
        self._checked: set[str] = set()

    def probe(self, fen: str) -> ProbeResult:
        """Probe a position; raise `NotInTablesError` if it is not covered, `TablesError` if a file is corrupted."""
        board = chess.Board(game("chess").position(fen).text)
        if board.castling_rights:
            raise NotInTablesError(f"{fen}: Syzygy tables do not cover positions with castling rights")
        if len(board.piece_map()) > self.pieces:
            raise NotInTablesError(f"{fen}: the Syzygy tables in {self.folder} cover up to {self.pieces} pieces")
        if board.is_checkmate():
            return ProbeResult("loss", -2, 0)
        if board.kings == board.occupied:
            return ProbeResult("draw", 0, 0)
        name = syzygy.normalize_tablename(syzygy.calc_key(board))
        self._check(name)
        try:
            wdl, dtz = self._tablebase.probe_wdl(board), self._tablebase.probe_dtz(board)
            return _probe_result(wdl, abs(dtz), board.halfmove_clock)
        except syzygy.MissingTableError as error:
            kind, missing = error.args[0].split()[-3::2]
            file = f"{syzygy.normalize_tablename(missing)}.{'rtbw' if kind == 'wdl' else 'rtbz'}"
            raise NotInTablesError(f"{fen}: {file}, which {name} requires, is missing from {self.folder}") from error
        except _CORRUPTION as error:
            raise TablesError(
                f"{self.folder / name}: this table or one it depends on is corrupted; download it again"
            ) from error

    def _check(self, name: str) -> None:
        """Raise `TablesError` if a file of a table, or of one it depends on, does not match its name."""
        for needed in {name, *syzygy.all_dependencies([name])} - self._checked:
            for table in (self._tablebase.wdl.get(needed), self._tablebase.dtz.get(needed)):
                if not isinstance(table, syzygy.WdlTable | syzygy.DtzTable):
                    continue
                try:
                    valid = _is_valid(table)
                except _CORRUPTION as error:
                    raise TablesError(f"{table.path}: not a Syzygy file, or corrupted; download it again") from error
                if not valid:
                    raise TablesError(
                        f"{table.path}: the Syzygy file is incomplete or for a different table; download it again"
                    )
            self._checked.add(needed)


def open_syzygy(folder: Path | None = None) -> Syzygy:
    """Return the tables in a folder, by default the one in `PLYGROUND_SYZYGY`. A folder is opened only once."""
    if folder is None:
        default = os.environ.get(FOLDER_VARIABLE)
        if not default:
            raise TablesError(
                f"no Syzygy folder given; set the option folder or the environment variable {FOLDER_VARIABLE}"
            )
        folder = Path(default)
    folder = folder.absolute()
    if folder not in _open:
        _open[folder] = Syzygy(folder)
    return _open[folder]


def _probe_result(wdl: int, plies: int, clock: int) -> ProbeResult:
    is_decisive = abs(wdl) == 2 and clock + plies <= MAX_REVERSIBLE_PLIES
    return ProbeResult("draw" if not is_decisive else "win" if wdl > 0 else "loss", wdl, plies)


def _is_valid(table: syzygy.WdlTable | syzygy.DtzTable) -> bool:
    """Whether the header of a file matches the pieces in its name and the size of the file."""
    pieces, blocks = _contents(table)
    # The last block is padded to a multiple of 64 bytes and followed by a 16-byte checksum.
    end = (max(pairs.data + size for pairs, size in blocks) + 63) // 64 * 64 + 16
    file = Path(table.path)
    return (
        all(syzygy.recalc_key(each) == table.key for each in pieces)
        and syzygy.normalize_tablename(table.key) == file.stem
        and file.stat().st_size == end
    )


def _contents(table: syzygy.WdlTable | syzygy.DtzTable) -> tuple[list[list[int]], list[tuple[syzygy.PairsData, int]]]:
    """Return the piece lists of a file, and its blocks with their sizes in bytes."""
    if isinstance(table, syzygy.WdlTable):
        table.init_table_wdl()
        sides: list[syzygy.WdlTable | syzygy.PawnFileData] = [*table.files] if table.has_pawns else [table]
        return [each for part in sides for each in part.pieces.values()], [
            (pairs, table.size[6 * number + 3 * side + 2])
            for number, part in enumerate(sides)
            for side, pairs in part.precomp.items()
        ]
    table.init_table_dtz()
    parts: list[syzygy.DtzTable | syzygy.PawnFileDataDtz] = [*table.files] if table.has_pawns else [table]
    return [part.pieces for part in parts], [
        (part.precomp, table.size[3 * number + 2]) for number, part in enumerate(parts) if hasattr(part, "precomp")
    ]
