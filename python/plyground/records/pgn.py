"""Chess games in PGN: parsed by python-chess, validated and written by the engine.

Comments, NAGs and variations are kept. A variation with an illegal move is cut off there, with a warning. Plyground's
own tags are ``Seed`` and, for draw rules other than the default, ``Rules``. The tags ``ECO``, ``Opening`` and
``Variation`` are written unless the record has its own.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO, cast

import chess
import chess.pgn

from plyground._engine import Outcome, Position
from plyground.errors import GameOverError, ParseError, PlygroundError
from plyground.games import game
from plyground.opening_names import opening_of
from plyground.records.headers import Tags, final_outcome, format_game, make_tags, parse_tags, unescape
from plyground.records.movetext import MovetextWriter, TreeBuilder, listed_warnings, replay
from plyground.records.parsed_games import FailedGame, MoveError, ParsedGames
from plyground.records.pgn_text import join_paragraphs, prepare
from plyground.records.record import Record

_DEFAULT, _FORCED = "chess", "chess(draws=forced)"
_WINNERS = {"1-0": "white", "0-1": "black", "1/2-1/2": None}
_RESULTS = {winner: result for result, winner in _WINNERS.items()}
_OPENING_TAGS = ("ECO", "Opening", "Variation")
_VARIANTS = ("", "standard", "chess", "from position")


def write(records: Iterable[Record]) -> str:
    """Return games in PGN, separated by blank lines."""
    return "\n".join(map(_write_one, records))


def read(text: str) -> ParsedGames:
    """Parse a PGN file; invalid games are reported with their line numbers.

    A game without the tag ``Rules`` that continues after a draw by threefold repetition or the 50-move rule, or ends
    there with a different result, is parsed as ``chess(draws=forced)``. There, only fivefold repetition and 75 moves by
    each side without a capture or pawn move are draws.
    """
    records: list[Record] = []
    failed: list[FailedGame] = []
    lines = _Lines(text)
    warnings = []
    for number, raw in enumerate(_games(lines), start=1):
        try:
            parsed = _record(raw)
            records.append(parsed.record)
            warnings += [f"game {number}, {warning}" for warning in parsed.warnings]
        except MoveError as error:
            failed.append(error.failed_game(number, _beginning(raw, error.ply or 0)))
        except PlygroundError as error:
            failed.append(FailedGame(f"line {raw.line}", str(error), number))
    warnings += [f"line {line}: {warning}" for line, warning in lines.prepared.warnings.items()]
    return ParsedGames(tuple(records), tuple(failed), listed_warnings(warnings))


class _Lines:
    """A text stream that counts the lines read, with the words that are not moves replaced."""

    def __init__(self, text: str) -> None:
        self.line = 0
        normalized = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.prepared = prepare(join_paragraphs(normalized))
        self._text = io.StringIO(self.prepared.text)

    def readline(self) -> str:
        """Return the next line, or an empty string at the end."""
        self.line += 1
        return self._text.readline()

    def original(self, san: str) -> tuple[str, bool]:
        """Return the word that `san` on this line replaces, or `san` itself, and whether it looks like a move."""
        word = self.prepared.unreadable.get((self.line, san))
        return (san, True) if word is None else (word[:40], False)


class _RawGame(chess.pgn.BaseVisitor["_RawGame"]):
    """Collects one game parsed by python-chess, with the line number of each move."""

    def __init__(self, lines: _Lines) -> None:
        self.lines = lines
        self.line = lines.line
        self.tags: dict[str, str] = {}
        self.tree = TreeBuilder()
        self.result_token: str | None = None
        self.error: MoveError | None = None
        self._move = chess.Move.null()
        """The move that is being parsed."""

    @property
    def moves(self) -> list[str]:
        """The moves of the main line in UCI notation."""
        return [move for move, _ in self.tree.root.moves]

    def begin_game(self) -> None:
        self.line = self.lines.line

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.tags[tagname] = unescape(tagvalue)

    def end_headers(self) -> chess.pgn.SkipType | None:
        variant = self.tags.get("Variant", "")
        if variant.lower() not in _VARIANTS:
            self.handle_error(ValueError(f"Variant must be standard chess, got {variant[:40]!r}"))
            return chess.pgn.SKIP
        return None

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        # python-chess continues on the wrong board after an error in a variation, so moves are parsed here.
        if self.error is not None or self.tree.is_failed:
            return chess.pgn.SKIP
        try:
            self._move = board.parse_san(san)
        except ValueError as error:
            self._fail(error, san)
            return chess.pgn.SKIP
        return None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:  # noqa: ARG002
        return self._move

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:  # noqa: ARG002
        self._add(lambda: self.tree.move(move.uci(), self.lines.line))

    def visit_comment(self, comment: str) -> None:
        self._add(lambda: self.tree.comment(comment))

    def visit_nag(self, nag: int) -> None:
        self._add(lambda: self.tree.nag(nag))

    def begin_variation(self) -> chess.pgn.SkipType | None:
        self._add(self.tree.open)
        return None if self.error is None and not self.tree.is_failed else chess.pgn.SKIP

    def end_variation(self) -> None:
        self._add(self.tree.close)

    def visit_result(self, result: str) -> None:
        self.result_token = result

    def handle_error(self, error: Exception) -> None:
        self.error = self.error or MoveError(self.lines.line, str(error)[:300])

    def result(self) -> _RawGame:
        return self

    def _add(self, add: Callable[[], None]) -> None:
        """Add to the tree, unless there was an error."""
        if self.error is None:
            try:
                add()
            except ParseError as error:
                self.handle_error(error)

    def _fail(self, error: ValueError, san: str) -> None:
        """Note that a word is not a legal move; in a variation, the rest of the variation is ignored."""
        word, looks_like_move = self.lines.original(san)
        message = f'move "{word}" is {"ambiguous" if isinstance(error, chess.AmbiguousMoveError) else "illegal"}'
        if not looks_like_move:
            message = f'"{word}" is not a move such as e4, Nf3, exd5 or O-O'
        if self.tree.depth:
            self.tree.fail(f"line {self.lines.line}: a variation was cut off: {message}")
        else:
            self.error = MoveError(self.lines.line, message, len(self.tree.root.moves), word)


def _games(lines: _Lines) -> Iterator[_RawGame]:
    while raw := _next_game(lines):
        yield raw


def _next_game(lines: _Lines) -> _RawGame | None:
    raw = _RawGame(lines)
    try:
        return chess.pgn.read_game(cast(TextIO, lines), Visitor=lambda: raw)
    except ValueError as error:  # an integer with too many digits
        raw.handle_error(error)
        while not (line := lines.readline()).isspace() and line:
            pass
        return raw


def _record(raw: _RawGame) -> _Parsed:
    if raw.error is not None:
        raise raw.error
    if not raw.tags and not raw.moves:
        raise ParseError("a game must have tags or moves, for example 1. e4 e5 *")
    tags = parse_tags(raw.tags)
    result = tags.result if tags.result not in (None, "*") else raw.result_token
    if result is not None and result != "*" and result not in _WINNERS:
        raise ParseError(f"Result must be {', '.join(_WINNERS)} or *, got {result[:40]!r}")
    try:
        parsed = _replay(tags, tags.rules or _DEFAULT, raw, result)
    except GameOverError:
        return _replay(tags, _FORCED, raw, result)
    if tags.rules is not None:
        return parsed
    ended, result_differs = parsed.outcome is not None, False
    if parsed.record.outcome is not None and result in _WINNERS:
        result_differs = parsed.record.outcome.winner != _WINNERS[str(result)]
    if result_differs or (parsed.warnings and not ended):
        forced = _replay(tags, _FORCED, raw, result)
        is_better = forced.outcome is None if result_differs else len(forced.warnings) < len(parsed.warnings)
        return forced if is_better else parsed
    return parsed


@dataclass(frozen=True)
class _Parsed:
    """A game, its outcome by the rules, and warnings about its variations."""

    record: Record
    outcome: Outcome | None
    warnings: list[str]


def _step(position: Position, text: str) -> tuple[Position, str, str]:
    after = position.play(text)
    return after, text, ""


def _replay(tags: Tags, spec: str, raw: _RawGame, result: str | None) -> _Parsed:
    chosen = game(spec)
    if chosen.id != "chess":
        raise ParseError(f"Rules must be a chess spec, got {spec[:40]!r}")
    warnings: list[str] = []
    replayed = replay(raw.tree.root, chosen.position(tags.start), _step, warnings)
    if replayed.error is not None:
        cause = replayed.error.__cause__
        raise cause if isinstance(cause, GameOverError) and spec != _FORCED and tags.rules is None else replayed.error
    outcome, headers = replayed.position.outcome, tags.headers
    opening = opening_of(spec, tags.start, replayed.moves)
    given = {name: headers[name] for name in _OPENING_TAGS if name in headers}
    if opening is not None and given == opening.tags:  # follows from the moves, and is written again
        headers = {name: value for name, value in headers.items() if name not in given}
    record = Record.from_position(
        replayed.position,
        tags.players,
        outcome=final_outcome(outcome, _WINNERS.get(result or ""), result, tags.reason),
        seed=tags.seed,
        started=tags.started,
        headers=headers,
        notes=replayed.notes,
        variations=replayed.variations,
    )
    return _Parsed(record, outcome, warnings)


def _beginning(raw: _RawGame, ply: int) -> Record | None:
    """Return the moves before the error in an invalid game; None if these are invalid too."""
    try:
        tags = parse_tags(raw.tags)
        position = game(tags.rules or _FORCED).position(tags.start, raw.moves[:ply])
    except PlygroundError:
        return None
    return Record.from_position(position, tags.players, started=tags.started, headers=tags.headers)


def _write_one(record: Record) -> str:
    position = record.to_position()
    if position.game.id != "chess":
        raise ParseError(f"only chess games can be exported as PGN, got {record.game}")
    result = "*" if record.outcome is None else _RESULTS[record.outcome.winner]
    start = position.replay(0)
    extra = {} if record.game == _DEFAULT else {"Rules": record.game}
    opening = opening_of(record.game, record.start, record.moves)
    if opening is not None and record.headers.keys().isdisjoint(_OPENING_TAGS):
        extra |= opening.tags
    moves = MovetextWriter("white", Position.notation).write(record, start, int(start.text.split()[5]))
    return format_game(make_tags(record, result, extra), [*moves, result])
