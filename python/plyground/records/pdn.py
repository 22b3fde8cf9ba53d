"""Checkers games in PDN, Portable Draughts Notation (GameType 21, English draughts).

PDN files vary widely, so the parser is lenient: it accepts tags, comments in braces or after a semicolon, variations
and annotation marks (ignored), moves with or without numbers, and captures as ``11x18x25``, ``11x25`` or jump by jump
``11x18 18x25``. In some files ``1-0`` is a win for White, in others for Black. In the standard, which Plyground writes,
White's score comes first. If the games in a file that were decided on the board show the opposite order, the whole file
is read in that order, with a warning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plyground._engine import Game, Position
from plyground.errors import ParseError, PlygroundError
from plyground.games import game
from plyground.records.headers import Tags, final_outcome, format_game, make_tags, number_moves, parse_tags, unescape
from plyground.records.parsed_games import MAX_MOVES, FailedGame, MoveError, ParsedGames
from plyground.records.record import Record

GAME_TYPE = "21"
_RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
_WHITE_FIRST = {"1-0": "white", "2-0": "white", "0-1": "black", "0-2": "black", "1/2-1/2": None, "1-1": None}
_OTHER = {"white": "black", "black": "white", None: None}
_COMMENT_END = re.compile(r'\}|\n[ \t]*\[[ \t]*[A-Za-z0-9_]+[ \t]+"')
"""End of a comment; an unclosed comment ends before the next tag."""
_TOKEN = re.compile(
    r"""
    (?P<ignored> \s+ | ;[^\n]* | ^%[^\n]* | \$\d+ | [!?]+ )
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
    for number, raw in enumerate(_games(text), start=1):
        try:
            replayed.append(_replay(raw))
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
    return ParsedGames(records, tuple(failed), tuple(warnings))


@dataclass
class _RawGame:
    """One game as written: tags, and moves with their line numbers."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    has_moves: bool = False
    result: str | None = None
    depth: int = 0
    """Nesting depth of variations."""
    number: int | None = None
    """The last move number read."""
    error: MoveError | None = None

    def fail(self, line: int, message: str, token: str = "") -> None:
        """Record the first error of the game; `token` is the text that should be a move."""
        self.error = self.error or MoveError(line, message, len(self.moves) if token else None, token[:40])

    def is_move_number(self, number: int) -> bool:
        """Whether a number without a dot can be the number of the next move."""
        if self.number is None:
            return not self.moves or number == len(self.moves) // 2 + 1
        return number in (self.number, self.number + 1)


@dataclass(frozen=True)
class _ReplayedGame:
    """One game replayed on the board. Its winner is known only when the whole file has been read."""

    position: Position
    tags: Tags
    result: str | None

    def winner(self, black_first: bool) -> str | None:
        """Return the winner according to the file; `black_first` means that results state Black's points first."""
        winner = _WHITE_FIRST.get(self.result or "")
        return _OTHER[winner] if black_first else winner

    @property
    def is_black_first(self) -> bool | None:
        """Whether the result states Black's points first; None if the game gives no evidence."""
        ended, winner = self.position.outcome, self.winner(black_first=False)
        return None if ended is None or None in (ended.winner, winner) else ended.winner != winner

    def is_overruled(self, black_first: bool) -> bool:
        """Whether the outcome on the board contradicts the result in the file."""
        ended = self.position.outcome
        return ended is not None and self.result in _WHITE_FIRST and ended.winner != self.winner(black_first)


def _tokens(text: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """Yield tokens with their kinds and line numbers; closed comments are skipped."""
    newlines = [match.start() for match in re.finditer("\n", text)]
    offset = 0
    while match := _TOKEN.match(text, offset):
        offset, kind = match.end(), str(match.lastgroup)
        if kind == "comment":
            end = _COMMENT_END.search(text, offset)
            offset = len(text) if end is None else end.end() if end[0] == "}" else end.start()
            if end is not None and end[0] == "}":
                continue
        if kind != "ignored":
            yield match, kind, bisect_right(newlines, match.start()) + 1


def _games(text: str) -> Iterator[_RawGame]:
    """Split text into games: a result ends a game, and a tag after moves starts the next one."""
    raw: _RawGame | None = None
    for match, kind, line in _tokens(text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")):
        is_tag = kind in ("tag", "bad_tag")
        if raw is not None and is_tag and raw.has_moves:
            yield _closed(raw)
            raw = None
        raw = raw or _RawGame(line)
        raw.has_moves |= not is_tag
        if kind == "tag":
            raw.tags[match["name"]] = unescape(match["value"])
        elif kind == "result" and raw.depth == 0:
            raw.result = match[0]
            yield raw
            raw = None
        else:
            _take(raw, kind, match[0], line)
    if raw is not None:
        yield _closed(raw)


def _take(raw: _RawGame, kind: str, token: str, line: int) -> None:
    if kind == "bad_tag":
        raw.fail(line, f'a tag must be [Name "value"], got {token[:40]!r}')
    elif kind == "comment":
        raw.fail(line, "unclosed comment")
    elif kind == "open":
        raw.depth += 1
    elif kind == "close":
        raw.depth -= 1
        if raw.depth < 0:
            raw.fail(line, "closing parenthesis without an opening one")
            raw.depth = 0
    elif raw.depth:
        return
    elif kind == "move" and len(raw.moves) < MAX_MOVES:
        raw.moves.append((token, line))
    elif kind == "move":
        raw.fail(line, f"a game must have at most {MAX_MOVES} moves")
    elif kind == "number" and ("." in token or raw.is_move_number(int(token))):
        raw.number = int(token.partition(".")[0])
    elif kind in ("number", "other"):
        raw.fail(line, f"a move must be written like 11-15 or 22x15, got {token[:40]!r}", token)


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
    if not raw.tags and not raw.moves:
        raise ParseError("a game must have tags or moves, for example 1. 11-15 23-18 *")
    tags = parse_tags(raw.tags)
    result = tags.result if tags.result not in (None, "*") else raw.result
    if result not in (None, "*", "0-0", *_WHITE_FIRST):
        raise ParseError(f"Result must be {', '.join(_WHITE_FIRST)}, 0-0 or *, got {str(result)[:40]!r}")
    position = _game(tags).position(tags.start)
    jumps = ""
    moves = raw.moves if raw.error is None else raw.moves[: raw.error.ply]
    for token, line in moves:
        move = re.sub("[xX:]", "x", token.replace(" ", ""))
        if jumps:
            if jumps.rpartition("x")[2] != re.split("[-x]", move)[0]:
                raise MoveError(
                    line, f"the capture {jumps} is incomplete; the remaining jumps must follow", position.ply, jumps
                )
            move = f"{jumps}x{move.partition('x')[2]}"
        try:
            position, jumps = position.play(move), ""
        except PlygroundError as error:
            if not _begins_capture(position, move):
                raise MoveError(line, str(error), position.ply, move) from error
            jumps = move
    if jumps:
        raise MoveError(
            moves[-1][1], f"the capture {jumps} is incomplete; the remaining jumps must follow", position.ply, jumps
        )
    if raw.error is not None:
        raise MoveError(raw.error.line, str(raw.error), position.ply, raw.error.move)
    return _ReplayedGame(position, tags, None if result == "0-0" else result)


def _beginning(raw: _RawGame, plies: int) -> Record | None:
    """Return the plies before the error in an invalid game; None if its tags are invalid too."""
    try:
        tags = parse_tags(raw.tags)
        position = _game(tags).position(tags.start)
    except PlygroundError:
        return None
    jumps = ""
    for token, _ in raw.moves:
        if position.ply == plies:
            break
        move = re.sub("[xX:]", "x", token.replace(" ", ""))
        move = f"{jumps}x{move.partition('x')[2]}" if jumps else move
        try:
            position, jumps = position.play(move), ""
        except PlygroundError:
            jumps = move
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
    position, tags = replayed.position, replayed.tags
    return Record.from_position(
        position,
        tags.players,
        outcome=final_outcome(position.outcome, replayed.winner(black_first), replayed.result, tags.reason),
        seed=tags.seed,
        started=tags.started,
        headers=tags.headers,
    )


def _write_one(record: Record) -> str:
    position = record.to_position()
    if position.game.id != "checkers":
        raise ParseError(f"only checkers games can be exported as PDN, got {record.game}")
    result = "*" if record.outcome is None else _RESULTS[record.outcome.winner]
    extra = {"GameType": GAME_TYPE} | ({} if record.game == "checkers" else {"Rules": record.game})
    moves = number_moves(position.history, position.replay(0).turn == "black")
    return format_game(make_tags(record, result, extra), [*moves, result])


def _games_count(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
