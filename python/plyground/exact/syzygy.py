"""Syzygy files of chess: opening a folder of them, and asking what an ending is worth. python-chess reads them.

A slice (all positions with the same pieces) is two files: `KQvKR.rtbw` says who wins, `KQvKR.rtbz` in how many plies
the next capture, pawn move or mate can be forced. To play one needs both, and those of the slices it leads to.
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

OWN_FOLDER = "PLYGROUND_SYZYGY"
"""The environment variable that names the folder where nobody else does."""

QUIET = 100
"""After so many plies without capture and pawn move a game is drawn."""

_BROKEN = (OSError, struct.error, IndexError, KeyError, ValueError, AssertionError, AttributeError, RecursionError)
"""What reading a file can raise that is not what it should be."""

_open: dict[Path, Syzygy] = {}


class NotInFilesError(TablesError):
    """A position that the files at hand do not know, though nothing is wrong with them."""


@dataclass(frozen=True)
class Ending:
    """What is certain of a position, for the side to move."""

    value: Literal["win", "draw", "loss"]
    """With the plies since the last capture or pawn move counted."""
    wdl: int
    """2 a win, 1 one that the 50-move rule spoils, 0 a draw, -1 and -2 the same losses: just after a capture."""
    plies: int
    """Plies to the next capture, pawn move or mate if the winner hurries and the loser resists; 0 where nobody wins."""

    @property
    def distance(self) -> int | None:
        """`plies` where somebody wins."""
        return None if self.value == "draw" else self.plies


class Syzygy:
    """The files in a folder. Each is checked before it is first asked."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise TablesError(f"{folder}: no such folder; accepted is one with Syzygy files (.rtbw and .rtbz)")
        self.folder = folder
        self._files = syzygy.Tablebase()
        try:
            self._files.add_directory(str(folder))
        except OSError as error:
            raise TablesError(f"{folder}: the folder cannot be read: {error.strerror}") from error
        if not self._files.wdl or not self._files.dtz:
            kind = ".rtbz" if self._files.wdl else ".rtbw"
            raise TablesError(
                f"{folder}: no Syzygy files ({kind}) are there; accepted are pairs as KQvK.rtbw, KQvK.rtbz"
            )
        self.pieces = max(len(name) - 1 for name in self._files.wdl)
        self._sound: set[str] = set()

    def probe(self, fen: str) -> Ending:
        """What a position is worth; `NotInFilesError` where the files do not reach, `TablesError` for a damaged one."""
        board = chess.Board(game("chess").position(fen).text)
        if board.castling_rights:
            raise NotInFilesError(f"{fen}: Syzygy files know no positions in which a king may castle")
        if len(board.piece_map()) > self.pieces:
            raise NotInFilesError(
                f"{fen}: the Syzygy files in {self.folder} know positions of up to {self.pieces} pieces"
            )
        if board.is_checkmate():
            return Ending("loss", -2, 0)
        if board.kings == board.occupied:
            return Ending("draw", 0, 0)
        name = syzygy.normalize_tablename(syzygy.calc_key(board))
        self._check(name)
        try:
            return _ending(self._files.probe_wdl(board), abs(self._files.probe_dtz(board)), board.halfmove_clock)
        except syzygy.MissingTableError as error:
            kind, missing = error.args[0].split()[-3::2]
            file = f"{syzygy.normalize_tablename(missing)}.{'rtbw' if kind == 'wdl' else 'rtbz'}"
            raise NotInFilesError(f"{fen}: {file} is missing in {self.folder}, which {name} needs") from error
        except _BROKEN as error:
            raise TablesError(
                f"{self.folder / name}: it, or a slice it leads to, is damaged; fetch it again"
            ) from error

    def _check(self, name: str) -> None:
        """An error if a file of a slice, or of one it leads to, is not what its name says."""
        for needed in {name, *syzygy.all_dependencies([name])} - self._sound:
            for table in (self._files.wdl.get(needed), self._files.dtz.get(needed)):
                if not isinstance(table, syzygy.WdlTable | syzygy.DtzTable):
                    continue
                try:
                    sound = _is_sound(table)
                except _BROKEN as error:
                    raise TablesError(f"{table.path}: not a Syzygy file, or a damaged one; fetch it again") from error
                if not sound:
                    raise TablesError(f"{table.path}: the Syzygy file is not whole, or another one; fetch it again")
            self._sound.add(needed)


def open_syzygy(folder: Path | None = None) -> Syzygy:
    """The files in a folder, opened once; None: the folder that `PLYGROUND_SYZYGY` names."""
    if folder is None:
        named = os.environ.get(OWN_FOLDER)
        if not named:
            raise TablesError(f"no folder of Syzygy files is named; accepted is one as an option, or in {OWN_FOLDER}")
        folder = Path(named)
    folder = folder.absolute()
    if folder not in _open:
        _open[folder] = Syzygy(folder)
    return _open[folder]


def _ending(wdl: int, plies: int, clock: int) -> Ending:
    decided = abs(wdl) == 2 and clock + plies <= QUIET
    return Ending("draw" if not decided else "win" if wdl > 0 else "loss", wdl, plies)


def _is_sound(table: syzygy.WdlTable | syzygy.DtzTable) -> bool:
    """Whether the beginning of a file speaks of the pieces in its name, and of as many bytes as there are."""
    pieces, blocks = _contents(table)
    # After the last block, to a multiple of 64, come 16 bytes of checksum.
    end = (max(pairs.data + size for pairs, size in blocks) + 63) // 64 * 64 + 16
    file = Path(table.path)
    return (
        all(syzygy.recalc_key(each) == table.key for each in pieces)
        and syzygy.normalize_tablename(table.key) == file.stem
        and file.stat().st_size == end
    )


def _contents(table: syzygy.WdlTable | syzygy.DtzTable) -> tuple[list[list[int]], list[tuple[syzygy.PairsData, int]]]:
    """The lists of pieces in a file, and its blocks: what is said about them, and their bytes."""
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
