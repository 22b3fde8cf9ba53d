"""Movetext of PGN and PDN files: moves with comments, NAGs and nested variations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from plyground._engine import Position
from plyground.errors import ParseError, PlygroundError
from plyground.records.annotations import (
    MAX_COMMENT,
    MAX_DEPTH,
    MAX_NAG,
    MAX_VARIATIONS,
    Note,
    Variation,
    clean_comment,
)
from plyground.records.parsed_games import MAX_MOVES, MoveError
from plyground.records.record import Record

WIDTH = 80
"""Maximum length of a line, in characters."""
MAX_WARNINGS = 20
"""Maximum number of warnings about annotations that are listed for a file."""
_WORD = re.compile(r"(?:\[%[^\[\]]*\]|\S)+")
_NEVER_FIRST = ("[", "%", ";")
"""Beginnings of words that some programs misread at the start of a line."""


@dataclass
class RawNote:
    """A comment and NAGs as written."""

    comments: list[str] = field(default_factory=list)
    nags: set[int] = field(default_factory=set)


@dataclass
class RawLine:
    """The moves of a game or a variation as written, with their annotations."""

    parent: RawLine | None = None
    at: int = 0
    """Number of moves of the parent before the variation."""
    moves: list[tuple[str, int]] = field(default_factory=list)
    """Moves with their line numbers."""
    notes: dict[int, RawNote] = field(default_factory=dict)
    """By number of moves made."""
    variations: dict[int, list[RawLine]] = field(default_factory=dict)
    """By index of the first move that they replace."""
    error: str | None = None
    """Why the rest of a variation could not be read."""


class TreeBuilder:
    """Builds the tree of one game from the tokens of its movetext; raises `ParseError` if a limit is exceeded."""

    def __init__(self) -> None:
        self.root = self._line = RawLine()
        self._enclosing: list[RawLine] = []
        self._moves = self._variations = 0

    @property
    def is_failed(self) -> bool:
        """Whether the rest of the current variation is ignored."""
        return self._line.error is not None

    @property
    def depth(self) -> int:
        """Number of open variations."""
        return len(self._enclosing)

    def move(self, text: str, line: int) -> None:
        """Add a move."""
        if self._line.error is not None:
            return
        self._moves += 1
        if self._moves > MAX_MOVES:
            raise ParseError(f"a game must have at most {MAX_MOVES} moves, including those of variations")
        self._line.moves.append((text, line))

    def comment(self, text: str) -> None:
        """Add a comment after the last move or, at the start of a variation, before its first move."""
        cleaned = clean_comment(text)
        if not cleaned or self._line.error is not None:
            return
        note = self._line.notes.setdefault(len(self._line.moves), RawNote())
        note.comments.append(cleaned)
        _check_length(note)

    def nag(self, number: int) -> None:
        """Add a NAG to the last move; at the start of a variation, to the move before it."""
        if not 0 <= number <= MAX_NAG:
            raise ParseError(f"a NAG must be from $0 to ${MAX_NAG}, got ${str(number)[:20]}")
        if self._line.error is None:
            line, count = self._last_move()
            line.notes.setdefault(count, RawNote()).nags.add(number)

    def fail(self, reason: str) -> None:
        """Ignore the rest of the variation."""
        self._line.error = self._line.error or reason

    def open(self) -> None:
        """Begin a variation that replaces the last move."""
        line, count = self._last_move()
        if count == 0:
            raise ParseError("a variation must follow a move")
        self._variations += 1
        if self.depth >= MAX_DEPTH:
            raise ParseError(f"variations must be nested at most {MAX_DEPTH} deep")
        if self._variations > MAX_VARIATIONS:
            raise ParseError(f"a game must have at most {MAX_VARIATIONS} variations")
        variation = RawLine(line, count - 1, error=self._line.error)
        if not self.is_failed:
            line.variations.setdefault(count - 1, []).append(variation)
        self._enclosing.append(self._line)
        self._line = variation

    def close(self) -> None:
        """End the current variation."""
        self._line = self._enclosing.pop()

    def _last_move(self) -> tuple[RawLine, int]:
        """Return the line of the last move before this point, and the number of its moves so far."""
        line, count = self._line, len(self._line.moves)
        while count == 0 and line.parent is not None:
            line, count = line.parent, line.at
        return line, count


Step = Callable[[Position, str], tuple[Position, str, str]]
"""Plays a move as written. Returns the position, the move, and the beginning of a move that is incomplete.

One of the two texts is empty.
"""


@dataclass(frozen=True)
class Replayed:
    """A line replayed on the board."""

    position: Position
    """The position after the last legal move."""
    moves: tuple[str, ...]
    notes: dict[int, Note]
    variations: dict[int, tuple[Variation, ...]]
    error: MoveError | None
    """The first error; its ply is counted from the start of the line."""


def replay(raw: RawLine, position: Position, step: Step, warnings: list[str]) -> Replayed:
    """Replay a line up to the first error. A variation with an error is shortened, with a warning."""
    moves: list[str] = []
    plies = [0]
    """Number of moves on the board after each move as written, including an incomplete one."""
    variations: dict[int, tuple[Variation, ...]] = {}
    incomplete, error = "", None
    for index, (written, line) in enumerate(raw.moves):
        before, move = len(moves), written
        replayed = [_replay_variation(one, position, step, warnings) for one in raw.variations.get(index, ())]
        if found := [one for one in replayed if one is not None]:
            variations[before] = (*variations.get(before, ()), *found)
        try:
            if incomplete and incomplete.rpartition("x")[2] != written.partition("x")[0]:
                raise _incomplete_error(incomplete, line, before)
            move = f"{incomplete}x{written.partition('x')[2]}" if incomplete else written
            position, move, incomplete = step(position, move)
        except PlygroundError as problem:
            error = problem if isinstance(problem, MoveError) else MoveError(line, str(problem), before, move)
            error.__cause__ = problem.__cause__ or problem
            break
        if not incomplete:
            moves.append(move)
        plies.append(before + 1)
    if incomplete and error is None:
        error = _incomplete_error(incomplete, raw.moves[-1][1], len(moves))
    return Replayed(position, tuple(moves), _notes(raw, plies, len(moves)), variations, error)


def _incomplete_error(incomplete: str, line: int, ply: int) -> MoveError:
    message = f"the capture {incomplete} is incomplete; the remaining jumps must follow"
    return MoveError(line, message, ply, incomplete)


def _replay_variation(raw: RawLine, position: Position, step: Step, warnings: list[str]) -> Variation | None:
    """Return a variation, or None if it has no legal move; its comment is then added to the move that it follows."""
    replayed = replay(raw, position, step, warnings)
    error = replayed.error
    if error is not None:
        warnings.append(f"line {error.line}: a variation was cut off before {error.move[:40]!r}: {error}")
    elif raw.error is not None:
        warnings.append(raw.error)
    if replayed.moves:
        notes = {ply: note for ply, note in replayed.notes.items() if ply > 0 or note.comment}
        return Variation(replayed.moves, notes, replayed.variations)
    if (note := raw.notes.get(0)) is not None and raw.parent is not None:
        target = raw.parent.notes.setdefault(raw.at + 1, RawNote())
        target.comments += note.comments
        _check_length(target)
    return None


def _notes(raw: RawLine, plies: list[int], count: int) -> dict[int, Note]:
    """Return the notes by number of moves on the board, of which there are `count`."""
    merged: dict[int, RawNote] = {}
    for index, note in sorted(raw.notes.items()):
        if index < len(plies) and plies[index] <= count:
            target = merged.setdefault(plies[index], RawNote())
            target.comments += note.comments
            target.nags |= note.nags
            _check_length(target)
    return {ply: Note(" ".join(note.comments), tuple(sorted(note.nags))) for ply, note in merged.items()}


def _check_length(note: RawNote) -> None:
    if sum(len(comment) + 1 for comment in note.comments) - 1 > MAX_COMMENT:
        raise ParseError(f"the comments on a move must have at most {MAX_COMMENT} characters")


@dataclass(frozen=True)
class MovetextWriter:
    """Writes moves with numbers, comments, NAGs and variations."""

    first_side: str
    """The side whose moves are numbered ``1.``; those of the other side are ``1...``."""
    notate: Callable[[Position, str], str]
    """Returns a legal move as text."""

    def write(self, record: Record, start: Position, number: int = 1) -> list[str]:
        """Return the tokens of a game; `number` is the number of its first move."""
        half = 2 * (number - 1) + (start.turn != self.first_side)
        return self._line(start, half, record.moves, record.notes, record.variations)

    def _line(
        self,
        position: Position,
        half: int,
        moves: tuple[str, ...],
        notes: Mapping[int, Note],
        variations: Mapping[int, tuple[Variation, ...]],
    ) -> list[str]:
        """Return the tokens of a line; `half` is the number of plies since the first side's move 1."""
        tokens = _note_tokens(notes.get(0))
        needs_number = True
        for index, move in enumerate(moves):
            if needs_number or half % 2 == 0:
                tokens.append(f"{half // 2 + 1}{'.' if half % 2 == 0 else '...'}")
            tokens.append(self.notate(position, move))
            note, alternatives = notes.get(index + 1), variations.get(index, ())
            tokens += _note_tokens(note)
            for one in alternatives:
                inner = self._line(position, half, one.moves, one.notes, one.variations)
                inner[0], inner[-1] = f"({inner[0]}", f"{inner[-1]})"
                tokens += inner
            needs_number = bool(alternatives) or (note is not None and note.comment != "")
            position = position.play(move)
            half += 1
        return tokens


def _note_tokens(note: Note | None) -> list[str]:
    """Return NAGs and the words of the comment; commands such as ``[%clk 0:01:00]`` are one word."""
    if note is None:
        return []
    return [f"${nag}" for nag in note.nags] + (_WORD.findall(f"{{{note.comment}}}") if note.comment else [])


def wrap(tokens: Iterable[str]) -> str:
    """Return tokens in lines of at most `WIDTH` characters, if possible."""
    lines: list[list[str]] = [[]]
    length = 0
    for token in tokens:
        if lines[-1] and length + 1 + len(token) > WIDTH and not token.startswith(_NEVER_FIRST):
            lines.append([])
            length = -1
        length += 1 + len(token)
        lines[-1].append(token)
    return "\n".join(map(" ".join, lines))


def listed_warnings(warnings: list[str]) -> tuple[str, ...]:
    """Return the first `MAX_WARNINGS` warnings and the number of the others."""
    more = len(warnings) - MAX_WARNINGS
    return (*warnings[:MAX_WARNINGS], *([f"and {more} more warnings like these"] if more > 0 else []))
