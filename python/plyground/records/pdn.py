"""Checkers games as PDN, the draughts players' PGN (GameType 21, English).

Files of this kind are written in many ways, so much is understood: tags, comments in braces or after a semicolon,
variations and marks (passed over), moves with or without numbers, ``11-15``, ``11x18x25``, ``11x25`` or jump by jump
``11x18 18x25``. Results are found both ways round, ``1-0`` for a win of white or of black. White first is the
standard and what we write; a file whose finished games show the other order is read in that order, and says so.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plyground._engine import Game, Position
from plyground.errors import ParseError, PlygroundError
from plyground.games import game
from plyground.records.headers import Tags, decided, numbered, put_together, take_apart, unescape, write_game
from plyground.records.reading import MOST_MOVES, Broken, Reading
from plyground.records.record import Record

GAME_TYPE = "21"
_RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
_WHITE_FIRST = {"1-0": "white", "2-0": "white", "0-1": "black", "0-2": "black", "1/2-1/2": None, "1-1": None}
_OTHER = {"white": "black", "black": "white", None: None}
_COMMENT_END = re.compile(r'\}|\n[ \t]*\[[ \t]*[A-Za-z0-9_]+[ \t]+"')
"""A comment that is not closed ends at the next tag."""
_TOKEN = re.compile(
    r"""
    (?P<nothing> \s+ | ;[^\n]* | ^%[^\n]* | \$\d+ | [!?]+ )
  | (?P<comment> \{ )
  | (?P<tag> \[[ \t]*(?P<name>[A-Za-z0-9_]+)[ \t]+"(?P<value>(?:[^"\\\n]|\\.)*)"[ \t]*\] )
  | (?P<bad_tag> \[[^\n]* )
  | (?P<open> \( ) | (?P<close> \) )
  | (?P<result> (?: 1/2-1/2 | 1-0 | 0-1 | 2-0 | 0-2 | 1-1 | 0-0 | \* ) (?![\d/x-]) )
  | (?P<move> \d{1,2} (?: [ ]?[-xX:][ ]? \d{1,2} ){1,12} (?!\d) )
  | (?P<number> \d{1,5} [ ]? \.+ (?: [ ]? \.\.\. )? | \d{1,3} (?![\d-]) )
  | (?P<other> [^\s{}()\[\];]+ | . )
    """,
    re.VERBOSE | re.MULTILINE,
)


def write(records: Iterable[Record]) -> str:
    """The games one after another, a blank line between them."""
    return "\n".join(map(_write_one, records))


def read(text: str) -> Reading:
    """The games of a PDN text; each broken one is told with its line, and the others are read."""
    played: list[_Played] = []
    broken: list[Broken] = []
    for found in _games(text):
        try:
            played.append(_play(found))
        except _LineError as error:
            broken.append(Broken(f"line {error.line}", str(error)))
        except PlygroundError as error:
            broken.append(Broken(f"line {found.line}", str(error)))
    votes = [one.vote for one in played]
    turned = votes.count(True) > votes.count(False)
    notes = (
        [f"1-0 is read as a win of black: games that ended on the board show it ({votes.count(True)})"]
        if turned
        else []
    )
    records = tuple(_record(one, turned) for one in played)
    against = sum(one.is_overruled(turned) for one in played)
    if against:
        notes.append(f"the board decides where it shows another result than the file ({against})")
    return Reading(records, tuple(broken), tuple(notes))


class _LineError(ParseError):
    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


@dataclass
class _Found:
    """One game in pieces: its tags, and its moves as squares with their lines."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    has_moves: bool = False
    result: str | None = None
    depth: int = 0
    """Brackets of variations that are open."""
    error: _LineError | None = None

    def fail(self, line: int, why: str) -> None:
        """Keep what was wrong first."""
        self.error = self.error or _LineError(line, why)


@dataclass(frozen=True)
class _Played:
    """One game on the board; its winner is not certain before the whole file is read."""

    position: Position
    tags: Tags
    result: str | None

    def winner(self, turned: bool) -> str | None:
        """Who won by the file, white's points standing first, or black's."""
        winner = _WHITE_FIRST.get(self.result or "")
        return _OTHER[winner] if turned else winner

    @property
    def vote(self) -> bool | None:
        """Whether black's points stand first, if the game shows it."""
        ended, winner = self.position.outcome, self.winner(turned=False)
        return None if ended is None or None in (ended.winner, winner) else ended.winner != winner

    def is_overruled(self, turned: bool) -> bool:
        """Whether the board says otherwise than the file."""
        ended = self.position.outcome
        return ended is not None and self.result in _WHITE_FIRST and ended.winner != self.winner(turned)


def _tokens(text: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """What the text consists of, the kind and the line of each piece; whole comments are left out."""
    newlines = [match.start() for match in re.finditer("\n", text)]
    at = 0
    while match := _TOKEN.match(text, at):
        at, kind = match.end(), str(match.lastgroup)
        if kind == "comment":
            end = _COMMENT_END.search(text, at)
            at = len(text) if end is None else end.end() if end[0] == "}" else end.start()
            if end is not None and end[0] == "}":
                continue
        if kind != "nothing":
            yield match, kind, bisect_right(newlines, match.start()) + 1


def _games(text: str) -> Iterator[_Found]:
    """The games of a text, told apart: a result ends one, a tag after moves begins another."""
    found: _Found | None = None
    for match, kind, line in _tokens(text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")):
        is_tag = kind in ("tag", "bad_tag")
        if found is not None and is_tag and found.has_moves:
            yield _closed(found)
            found = None
        found = found or _Found(line)
        found.has_moves |= not is_tag
        if kind == "tag":
            found.tags[match["name"]] = unescape(match["value"])
        elif kind == "result" and found.depth == 0:
            found.result = match[0]
            yield found
            found = None
        else:
            _take(found, kind, match[0], line)
    if found is not None:
        yield _closed(found)


def _take(found: _Found, kind: str, token: str, line: int) -> None:
    if kind == "bad_tag":
        found.fail(line, f'the tag {token[:40]!r} is not complete; accepted is [Name "value"]')
    elif kind == "comment":
        found.fail(line, "a comment is not closed")
    elif kind == "open":
        found.depth += 1
    elif kind == "close":
        found.depth -= 1
        if found.depth < 0:
            found.fail(line, "a closing bracket without an opening one")
            found.depth = 0
    elif found.depth:
        return
    elif kind == "move" and len(found.moves) < MOST_MOVES:
        found.moves.append((token, line))
    elif kind == "move":
        found.fail(line, f"the game has more than {MOST_MOVES} moves")
    elif kind == "other":
        found.fail(line, f"{token[:40]!r} is no move; accepted are moves such as 11-15 and 22x15")


def _closed(found: _Found) -> _Found:
    if found.depth:
        found.fail(found.line, "a variation is not closed")
    return found


def _play(found: _Found) -> _Played:
    if found.error is not None:
        raise found.error
    kind = found.tags.get("GameType", GAME_TYPE).split(",")[0].strip()
    if kind != GAME_TYPE:
        raise ParseError(f"GameType {kind[:40]!r}; accepted is {GAME_TYPE}, English checkers")
    if not found.tags and not found.moves:
        raise ParseError("there is neither a tag nor a move; accepted are games such as 1. 11-15 23-18 *")
    tags = take_apart(found.tags)
    result = tags.result if tags.result not in (None, "*") else found.result
    if result not in (None, "*", "0-0", *_WHITE_FIRST):
        raise ParseError(f"Result {str(result)[:40]!r}; accepted are {', '.join(_WHITE_FIRST)} and *")
    position = _chosen(tags).position(tags.start)
    jumps = ""
    for token, line in found.moves:
        move = re.sub("[xX:]", "x", token.replace(" ", ""))
        if jumps:
            if jumps.rpartition("x")[2] != re.split("[-x]", move)[0]:
                raise _LineError(line, f"the capture {jumps} must go on")
            move = f"{jumps}x{move.partition('x')[2]}"
        try:
            position, jumps = position.play(move), ""
        except PlygroundError as error:
            if not _begins_capture(position, move):
                raise _LineError(line, str(error)) from error
            jumps = move
    if jumps:
        raise _LineError(found.moves[-1][1], f"the capture {jumps} must go on")
    return _Played(position, tags, None if result == "0-0" else result)


def _begins_capture(position: Position, jumps: str) -> bool:
    squares = jumps.split("x")
    return len(squares) > 1 and any(position.path(move)[: len(squares)] == squares for move in position.moves)


def _chosen(tags: Tags) -> Game:
    chosen = game(tags.rules or "checkers")
    if chosen.id != "checkers":
        raise ParseError(f"Rules {chosen.spec[:40]!r}: accepted is checkers")
    return chosen


def _record(played: _Played, turned: bool) -> Record:
    position, tags = played.position, played.tags
    return Record.from_position(
        position,
        tags.players,
        outcome=decided(position.outcome, played.winner(turned), played.result, tags.reason),
        seed=tags.seed,
        started=tags.started,
        headers=tags.headers,
    )


def _write_one(record: Record) -> str:
    position = record.to_position()
    if position.game.id != "checkers":
        raise ParseError(f"a game of {record.game} cannot be written as PDN; accepted is checkers")
    result = "*" if record.outcome is None else _RESULTS[record.outcome.winner]
    more = {"GameType": GAME_TYPE} | ({} if record.game == "checkers" else {"Rules": record.game})
    moves = numbered(position.history, position.replay(0).turn == "black")
    return write_game(put_together(record, result, more), [*moves, result])
