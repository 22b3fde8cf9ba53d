"""Comments, numeric annotation glyphs (NAGs) and variations of a game.

A record and a variation have the same three fields: `moves`, `notes` and `variations`. `notes[n]` belongs to the
position after n of these moves; `notes[0]` precedes the first move. `variations[n]` replace `moves[n]` and what
follows::

    1. e4 {best} e5 (1... c5! 2. Nf3) 2. Nf3     moves       ("e2e4", "e7e5", "g1f3")
                                                 notes       {1: Note("best")}
                                                 variations  {1: (Variation(("c7c5", "g1f3"), {1: Note(nags=(1,))}),)}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plyground._engine import Position
from plyground.errors import ParseError, PlygroundError

MAX_COMMENT = 10_000
"""Maximum length of a comment, in characters."""
MAX_NAG = 255
"""Largest NAG; the PGN standard defines 0 to 139, programs use more."""
MAX_VARIATIONS = 5000
"""Maximum number of variations in a game, including nested ones."""
MAX_DEPTH = 40
"""Maximum nesting depth of variations."""

_COMMAND = re.compile(r"\[%(?P<name>[A-Za-z]{1,20}) (?P<value>[^\[\]]{1,1000})\]")
_CLOCK = re.compile(r"(?P<hours>\d{1,4}):(?P<minutes>[0-5]?\d):(?P<seconds>[0-5]?\d(?:\.\d{1,9})?)")
_EVALUATION = re.compile(r"#(?P<mate>[+-]?\d{1,4})|(?P<pawns>[+-]?\d{1,4}(?:\.\d{1,9})?)")


@dataclass(frozen=True)
class Note:
    """A comment and the NAGs of a position and the move that led to it."""

    comment: str = ""
    """One line of at most `MAX_COMMENT` printable characters without braces; may contain commands like
    ``[%clk 0:01:30]``."""
    nags: tuple[int, ...] = ()
    """Ascending, without duplicates: 1 for ``!``, 2 for ``?``, 3 for ``!!`` and so on."""

    @property
    def clock(self) -> float | None:
        """The remaining time of the side that moved, in seconds, from ``[%clk 1:02:03]``; None if absent.

        >>> Note("[%clk 0:01:30] a quick reply").clock
        90.0
        """
        match = _CLOCK.fullmatch(self._command("clk"))
        if match is None:
            return None
        return int(match["hours"]) * 3600.0 + int(match["minutes"]) * 60.0 + float(match["seconds"])

    @property
    def centipawns(self) -> int | None:
        """The evaluation for White in centipawns, from ``[%eval 0.35]``; None if absent or a mate.

        >>> Note("[%eval -1.25,18]").centipawns
        -125
        """
        match = self._evaluation()
        return None if match is None or match["pawns"] is None else round(float(match["pawns"]) * 100)

    @property
    def mate(self) -> int | None:
        """The number of moves to a mate by White, negative for Black, from ``[%eval #-3]``; None if absent."""
        match = self._evaluation()
        return None if match is None or match["mate"] is None else int(match["mate"])

    @property
    def text(self) -> str:
        """The comment without commands.

        >>> Note("[%clk 0:01:30] a quick reply").text
        'a quick reply'
        """
        return " ".join(_COMMAND.sub(" ", self.comment).split())

    def _command(self, name: str) -> str:
        return next((match["value"] for match in _COMMAND.finditer(self.comment) if match["name"] == name), "")

    def _evaluation(self) -> re.Match[str] | None:
        return _EVALUATION.fullmatch(self._command("eval").partition(",")[0])


@dataclass(frozen=True)
class Variation:
    """Moves that replace those of a game or of another variation."""

    moves: tuple[str, ...]
    notes: Mapping[int, Note] = field(default_factory=dict)
    """Comments and NAGs by number of moves made; 0 is before the first move, where only a comment is allowed."""
    variations: Mapping[int, tuple[Variation, ...]] = field(default_factory=dict)
    """Alternatives to the move at this index of `moves`."""


def clean_comment(text: str) -> str:
    """Return text as a comment: on one line, with parentheses instead of braces, without control characters."""
    kept = "".join(letter for letter in text if letter.isprintable() or letter.isspace())
    return " ".join(kept.split()).replace("{", "(").replace("}", ")")


class Checker:
    """Checks the annotations of one game against the limits and the rules."""

    def __init__(self, max_moves: int) -> None:
        """`max_moves` is the maximum number of moves, including those of variations."""
        self._moves_left = self._max_moves = max_moves
        self._variations_left = MAX_VARIATIONS

    def check(
        self,
        position: Position,
        moves: tuple[str, ...],
        notes: Mapping[int, Note],
        variations: Mapping[int, tuple[Variation, ...]],
        path: str = "",
        depth: int = 0,
    ) -> None:
        """Raise `ParseError` with the path of the first invalid field; `position` is that before the first move."""
        if depth > MAX_DEPTH:
            raise ParseError(f"variations must be nested at most {MAX_DEPTH} deep")
        self._moves_left -= len(moves)
        if self._moves_left < 0:
            raise ParseError(f"a game must have at most {self._max_moves} moves, including those of variations")
        for key, note in notes.items():
            _check_note(note, f"{path}notes.{key}", allows_nags=depth == 0 or key > 0)
            if not 0 <= key <= len(moves):
                raise ParseError(f"a key of {path}notes must be between 0 and {len(moves)}, got {key}")
        for key in variations:
            if not 0 <= key < len(moves):
                raise ParseError(f"a key of {path}variations must be from 0 to {len(moves) - 1}, got {key}")
        last = max(variations, default=-1)
        for index, move in enumerate(moves if depth else moves[: last + 1]):
            for number, variation in enumerate(variations.get(index, ())):
                self._check_variation(position, variation, f"{path}variations.{index}[{number}]", depth)
            try:
                position = position.play(move)
            except PlygroundError as error:
                raise ParseError(f"{path}moves[{index}]: {error}") from error

    def _check_variation(self, position: Position, variation: Variation, path: str, depth: int) -> None:
        self._variations_left -= 1
        if self._variations_left < 0:
            raise ParseError(f"a game must have at most {MAX_VARIATIONS} variations")
        if not variation.moves:
            raise ParseError(f"{path}.moves must not be empty")
        self.check(position, variation.moves, variation.notes, variation.variations, f"{path}.", depth + 1)


def _check_note(note: Note, path: str, *, allows_nags: bool) -> None:
    if not note.comment and not note.nags:
        raise ParseError(f"{path} must have a comment or NAGs")
    if len(note.comment) > MAX_COMMENT or clean_comment(note.comment) != note.comment:
        raise ParseError(
            f"{path}.comment must be one line of at most {MAX_COMMENT} printable characters without braces and without "
            "leading, trailing or repeated spaces"
        )
    if note.nags and not allows_nags:
        raise ParseError(f"{path}.nags must be empty, because no move of the variation precedes them")
    if list(note.nags) != sorted({nag for nag in note.nags if 0 <= nag <= MAX_NAG}):
        raise ParseError(f"{path}.nags must be ascending numbers from 0 to {MAX_NAG} without duplicates")


def notes_to_data(notes: Mapping[int, Note]) -> dict[str, Any]:
    """Return notes as JSON data; empty fields are omitted."""
    data = {}
    for key, note in sorted(notes.items()):
        comment = {"comment": note.comment} if note.comment else {}
        data[str(key)] = {**comment, **({"nags": list(note.nags)} if note.nags else {})}
    return data


def variations_to_data(variations: Mapping[int, tuple[Variation, ...]]) -> dict[str, Any]:
    """Return variations as JSON data; empty fields are omitted."""
    return {str(key): [_to_data(one) for one in ones] for key, ones in sorted(variations.items())}


def _to_data(variation: Variation) -> dict[str, Any]:
    data: dict[str, Any] = {"moves": list(variation.moves)}
    if variation.notes:
        data["notes"] = notes_to_data(variation.notes)
    if variation.variations:
        data["variations"] = variations_to_data(variation.variations)
    return data
