"""Checkers games in PDN, Portable Draughts Notation (GameType 21, English draughts).

PDN files vary widely, so the parser is lenient: it accepts tags, comments in braces or after a semicolon, variations,
NAGs and marks such as ``!?``, moves with or without numbers, and captures as ``11x18x25``, ``11x25`` or jump by jump
``11x18 18x25``. A variation with an illegal move is cut off there, with a warning. In some files ``1-0`` is a win for
White, in others for Black. In the standard, which Plyground writes, White's score comes first. If the games in a file
that were decided on the board show the opposite order, the whole file is read in that order, with a warning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plyground._engine import Game, Position
from plyground.errors import ParseError, PlygroundError
from plyground.games import game
from plyground.records.headers import Tags, final_outcome, format_game, make_tags, parse_tags, unescape
from plyground.records.movetext import MovetextWriter, Replayed, TreeBuilder, listed_warnings, replay
from plyground.records.parsed_games import FailedGame, MoveError, ParsedGames
from plyground.records.record import Record

GAME_TYPE = "21"
_MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""NAGs of the marks after a move."""
_RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
_WHITE_FIRST = {"1-0": "white", "2-0": "white", "0-1": "black", "0-2": "black", "1/2-1/2": None, "1-1": None}
_OTHER = {"white": "black", "black": "white", None: None}
_COMMENT_END = re.compile(r'\}|\n[ \t]*\[[ \t]*[A-Za-z0-9_]+[ \t]+"')
"""End of a comment; an unclosed comment ends before the next tag."""
_TOKEN = re.compile(
    r"""
    (?P<ignored> \s+ | ^%[^\n]* ) | (?P<rest> ;[^\n]* ) | (?P<nag> \$\d+ ) | (?P<mark> [!?]{1,2} )
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
    """Return games in PDN, separated by blank lines."""
    return "\n".join(map(_write_one, records))


def read(text: str) -> ParsedGames:
    """Parse a PDN file; invalid games are reported with their line numbers."""
    replayed: list[_ReplayedGame] = []
    failed: list[FailedGame] = []
    cut_off: list[str] = []
    for number, raw in enumerate(_games(text), start=1):
        try:
            replayed.append(_replay(raw))
            cut_off += [f"game {number}, {warning}" for warning in replayed[-1].warnings]
        except MoveError as error:
            failed.append(error.failed_game(number, _beginning(raw, error.ply or 0)))
        except PlygroundError as error:
            failed.append(FailedGame(f"line {raw.line}", str(error), number))
    votes = [one.is_black_first for one in replayed]
    black_first = votes.count(True) > votes.count(False)
    warnings = []
    if black_first:
        warnings.append(
            f"1-0 is read as a win for Black, based on {_games_count(votes.count(True))} decided on the board"
        )
    records = tuple(_record(one, black_first) for one in replayed)
    overruled = sum(one.is_overruled(black_first) for one in replayed)
    if overruled:
        warnings.append(f"in {_games_count(overruled)} the result contradicts the board; the board takes precedence")
    return ParsedGames(records, tuple(failed), (*warnings, *listed_warnings(cut_off)))


@dataclass
class _RawGame:
    """One game as written: tags and movetext."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    tree: TreeBuilder = field(default_factory=TreeBuilder)
    has_moves: bool = False
    result: str | None = None
    is_over: bool = False
    """Whether the result has been read; only comments may follow."""
    depth: int = 0
    """Nesting depth of variations."""
    number: int | None = None
    """The last move number read."""
    error: MoveError | None = None

    @property
    def move_count(self) -> int:
        """Number of moves of the main line as written."""
        return len(self.tree.root.moves)

    def fail(self, line: int, message: str, token: str = "") -> None:
        """Record the first error of the game; `token` is the text that should be a move."""
        self.error = self.error or MoveError(line, message, self.move_count if token else None, token[:40])

    def is_move_number(self, number: int) -> bool:
        """Whether a number without a dot can be the number of the next move."""
        if self.number is None:
            return self.move_count == 0 or number == self.move_count // 2 + 1
        return number in (self.number, self.number + 1)


@dataclass(frozen=True)
class _ReplayedGame:
    """One game replayed on the board. Its winner is known only when the whole file has been read."""

    line: Replayed
    tags: Tags
    result: str | None
    warnings: list[str]
    """What was dropped from variations."""

    def winner(self, black_first: bool) -> str | None:
        """Return the winner according to the file; `black_first` means that results state Black's points first."""
        winner = _WHITE_FIRST.get(self.result or "")
        return _OTHER[winner] if black_first else winner

    @property
    def is_black_first(self) -> bool | None:
        """Whether the result states Black's points first; None if the game gives no evidence."""
        ended, winner = self.line.position.outcome, self.winner(black_first=False)
        return None if ended is None or None in (ended.winner, winner) else ended.winner != winner

    def is_overruled(self, black_first: bool) -> bool:
        """Whether the outcome on the board contradicts the result in the file."""
        ended = self.line.position.outcome
        return ended is not None and self.result in _WHITE_FIRST and ended.winner != self.winner(black_first)


def _tokens(text: str) -> Iterator[tuple[re.Match[str], str, str, int]]:
    """Yield tokens with their kinds, contents and line numbers; an unclosed comment has the kind `unclosed`."""
    newlines = [match.start() for match in re.finditer("\n", text)]
    offset = 0
    while match := _TOKEN.match(text, offset):
        offset, kind, content = match.end(), str(match.lastgroup), match[0]
        if kind == "comment":
            end = _COMMENT_END.search(text, offset)
            start, offset = offset, len(text) if end is None else end.end() if end[0] == "}" else end.start()
            content = text[start : offset - 1]
            kind = "comment" if end is not None and end[0] == "}" else "unclosed"
        elif kind == "rest":
            kind, content = "comment", content[1:]
        if kind != "ignored":
            yield match, kind, content, bisect_right(newlines, match.start()) + 1


def _games(text: str) -> Iterator[_RawGame]:
    """Split text into games: a result ends a game, and a tag after moves starts the next one."""
    raw: _RawGame | None = None
    for match, kind, content, line in _tokens(text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")):
        is_tag = kind in ("tag", "bad_tag")
        if raw is not None and raw.is_over and kind != "comment":
            yield raw
            raw = None
        if raw is not None and is_tag and raw.has_moves:
            yield _closed(raw)
            raw = None
        raw = raw or _RawGame(line)
        raw.has_moves |= not is_tag and kind != "comment"
        if kind == "tag":
            raw.tags[match["name"]] = unescape(match["value"])
        elif kind == "result" and raw.depth == 0:
            raw.result, raw.is_over = content, True
        else:
            _take(raw, kind, content, line)
    if raw is not None and (raw.has_moves or raw.tags):
        yield _closed(raw)


def _take(raw: _RawGame, kind: str, content: str, line: int) -> None:
    if kind == "bad_tag":
        raw.fail(line, f'a tag must be [Name "value"], got {content[:40]!r}')
    elif kind == "unclosed":
        raw.fail(line, "unclosed comment")
    elif kind == "open":
        raw.depth += 1
    elif kind == "close":
        raw.depth -= 1
        if raw.depth < 0:
            raw.fail(line, "closing parenthesis without an opening one")
            raw.depth = 0
    if raw.error is None:
        try:
            _add(raw, kind, content, line)
        except ParseError as error:
            raw.fail(line, str(error))


def _add(raw: _RawGame, kind: str, content: str, line: int) -> None:
    """Add a token to the tree of a game without errors; raise `ParseError` if a limit is exceeded."""
    tree = raw.tree
    if kind == "open":
        tree.open()
    elif kind == "close":
        tree.close()
    elif kind == "comment":
        tree.comment(content)
    elif kind == "nag":
        tree.nag(int(content[1:8]))
    elif kind == "mark":
        tree.nag(_MARKS[content])
    elif kind == "move":
        tree.move(re.sub("[xX:]", "x", content.replace(" ", "")), line)
    elif kind in ("number", "other"):
        _add_word(raw, kind, content, line)


def _add_word(raw: _RawGame, kind: str, content: str, line: int) -> None:
    is_number = kind == "number" and ("." in content or raw.depth > 0 or raw.is_move_number(int(content)))
    message = f"a move must be written like 11-15 or 22x15, got {content[:40]!r}"
    if is_number and raw.depth == 0:
        raw.number = int(content.partition(".")[0])
    elif not is_number and raw.depth > 0:
        raw.tree.fail(f"line {line}: a variation was cut off: {message}")
    elif not is_number:
        raw.fail(line, message, content)


def _closed(raw: _RawGame) -> _RawGame:
    if raw.depth:
        raw.fail(raw.line, "unclosed variation")
    return raw


def _replay(raw: _RawGame) -> _ReplayedGame:
    if raw.error is not None and raw.error.ply is None:
        raise raw.error
    kind = raw.tags.get("GameType", GAME_TYPE).split(",")[0].strip()
    if kind != GAME_TYPE:
        raise ParseError(f"GameType must be {GAME_TYPE} (English draughts), got {kind[:40]!r}")
    if not raw.tags and not raw.move_count:
        raise ParseError("a game must have tags or moves, for example 1. 11-15 23-18 *")
    tags = parse_tags(raw.tags)
    result = tags.result if tags.result not in (None, "*") else raw.result
    if result not in (None, "*", "0-0", *_WHITE_FIRST):
        raise ParseError(f"Result must be {', '.join(_WHITE_FIRST)}, 0-0 or *, got {str(result)[:40]!r}")
    warnings: list[str] = []
    replayed = replay(raw.tree.root, _game(tags).position(tags.start), _step, warnings)
    if replayed.error is not None:
        raise replayed.error
    if raw.error is not None:
        raise MoveError(raw.error.line, str(raw.error), len(replayed.moves), raw.error.move)
    return _ReplayedGame(replayed, tags, None if result == "0-0" else result, warnings)


def _step(position: Position, text: str) -> tuple[Position, str, str]:
    """Play a move, or return the beginning of a capture that is written jump by jump."""
    try:
        return position.play(text), position.parse_move(text), ""
    except PlygroundError:
        if _begins_capture(position, text):
            return position, "", text
        raise


def _beginning(raw: _RawGame, plies: int) -> Record | None:
    """Return the plies before the error in an invalid game; None if its tags are invalid too."""
    try:
        tags = parse_tags(raw.tags)
        replayed = replay(raw.tree.root, _game(tags).position(tags.start), _step, [])
    except PlygroundError:
        return None
    position = replayed.position.replay(min(plies, replayed.position.ply))
    return Record.from_position(position, tags.players, started=tags.started, headers=tags.headers)


def _begins_capture(position: Position, jumps: str) -> bool:
    squares = jumps.split("x")
    return len(squares) > 1 and any(position.path(move)[: len(squares)] == squares for move in position.moves)


def _game(tags: Tags) -> Game:
    chosen = game(tags.rules or "checkers")
    if chosen.id != "checkers":
        raise ParseError(f"Rules must be a checkers spec, got {chosen.spec[:40]!r}")
    return chosen


def _record(replayed: _ReplayedGame, black_first: bool) -> Record:
    position, tags = replayed.line.position, replayed.tags
    return Record.from_position(
        position,
        tags.players,
        outcome=final_outcome(position.outcome, replayed.winner(black_first), replayed.result, tags.reason),
        seed=tags.seed,
        started=tags.started,
        headers=tags.headers,
        notes=replayed.line.notes,
        variations=replayed.line.variations,
    )


def _write_one(record: Record) -> str:
    position = record.to_position()
    if position.game.id != "checkers":
        raise ParseError(f"only checkers games can be exported as PDN, got {record.game}")
    result = "*" if record.outcome is None else _RESULTS[record.outcome.winner]
    extra = {"GameType": GAME_TYPE} | ({} if record.game == "checkers" else {"Rules": record.game})
    moves = MovetextWriter("black", lambda _, move: move).write(record, position.replay(0))
    return format_game(make_tags(record, result, extra), [*moves, result])


def _games_count(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
