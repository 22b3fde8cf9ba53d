"""Chess games in PGN: parsed by python-chess, validated and written by the engine.

Comments, variations and annotation marks such as ``!?`` are ignored. Plyground's own tags are ``Seed`` and, for draw
rules other than the default, ``Rules``.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TextIO, cast

import chess
import chess.pgn

from plyground.errors import GameOverError, ParseError, PlygroundError
from plyground.games import game
from plyground.records.headers import Tags, final_outcome, format_game, make_tags, number_moves, parse_tags, unescape
from plyground.records.parsed_games import MAX_MOVES, FailedGame, MoveError, ParsedGames
from plyground.records.pgn_text import UNREADABLE, join_paragraphs, mark_unreadable
from plyground.records.record import Record

_DEFAULT, _FORCED = "chess", "chess(draws=forced)"
_WINNERS = {"1-0": "white", "0-1": "black", "1/2-1/2": None}
_RESULTS = {winner: result for result, winner in _WINNERS.items()}
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
    for number, raw in enumerate(_games(text), start=1):
        try:
            records.append(_record(raw))
        except MoveError as error:
            failed.append(error.failed_game(number, _beginning(raw, error.ply or 0)))
        except PlygroundError as error:
            failed.append(FailedGame(f"line {raw.line}", str(error), number))
    return ParsedGames(tuple(records), tuple(failed))


class _Lines:
    """A text stream that counts the lines read, with the words that are not moves replaced."""

    def __init__(self, text: str) -> None:
        self.line = 0
        normalized = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        marked, self.unreadable = mark_unreadable(join_paragraphs(normalized))
        self._text = io.StringIO(marked)

    def readline(self) -> str:
        """Return the next line, or an empty string at the end."""
        self.line += 1
        return self._text.readline()


class _RawGame(chess.pgn.BaseVisitor["_RawGame"]):
    """Collects one game parsed by python-chess, with the line number of each move."""

    def __init__(self, lines: _Lines) -> None:
        self.lines = lines
        self.line = lines.line
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []
        self.move_lines: list[int] = []
        self.result_token: str | None = None
        self.error: MoveError | None = None
        self._san = ""
        """The move that is being parsed, as written."""
        self._is_readable = True

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

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:  # noqa: ARG002
        words = self.lines.unreadable.get(self.lines.line)
        self._is_readable = san != UNREADABLE or not words
        self._san = san if self._is_readable or not words else words.pop(0)
        if self.error is None and len(self.moves) >= MAX_MOVES:
            self.handle_error(ValueError(f"a game must have at most {MAX_MOVES} moves"))
        return None if self.error is None else chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:  # noqa: ARG002
        self.moves.append(move.uci())
        self.move_lines.append(self.lines.line)

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_result(self, result: str) -> None:
        self.result_token = result

    def handle_error(self, error: Exception) -> None:
        if self.error is not None:
            return
        message, is_move = str(error)[:300], isinstance(error, chess.IllegalMoveError | chess.AmbiguousMoveError)
        if is_move:
            problem = "ambiguous" if isinstance(error, chess.AmbiguousMoveError) else "illegal"
            message = f'move "{self._san[:40]}" is {problem}'
            if not self._is_readable:
                message = f'"{self._san[:40]}" is not a move such as e4, Nf3, exd5 or O-O'
        self.error = MoveError(self.lines.line, message, len(self.moves) if is_move else None, self._san[:40])

    def result(self) -> _RawGame:
        return self


def _games(text: str) -> Iterator[_RawGame]:
    lines = _Lines(text)
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


def _record(raw: _RawGame) -> Record:
    if raw.error is not None:
        raise raw.error
    if not raw.tags and not raw.moves:
        raise ParseError("a game must have tags or moves, for example 1. e4 e5 *")
    tags = parse_tags(raw.tags)
    result = tags.result if tags.result not in (None, "*") else raw.result_token
    if result is not None and result != "*" and result not in _WINNERS:
        raise ParseError(f"Result must be {', '.join(_WINNERS)} or *, got {result[:40]!r}")
    try:
        record = _replay(tags, tags.rules or _DEFAULT, raw, result)
    except GameOverError:
        return _replay(tags, _FORCED, raw, result)
    ended = record.outcome is not None and result in _WINNERS
    if tags.rules is None and ended and record.outcome.winner != _WINNERS[str(result)]:  # type: ignore[union-attr]
        forced = _replay(tags, _FORCED, raw, result)
        return forced if forced.to_position().outcome is None else record
    return record


def _replay(tags: Tags, spec: str, raw: _RawGame, result: str | None) -> Record:
    chosen = game(spec)
    if chosen.id != "chess":
        raise ParseError(f"Rules must be a chess spec, got {spec[:40]!r}")
    position = chosen.position(tags.start)
    for ply, (move, line) in enumerate(zip(raw.moves, raw.move_lines, strict=True)):
        try:
            position = position.play(move)
        except GameOverError as error:
            if spec == _FORCED or tags.rules is not None:
                raise MoveError(line, str(error), ply, move) from error
            raise
        except PlygroundError as error:
            raise MoveError(line, str(error), ply, move) from error
    return Record.from_position(
        position,
        tags.players,
        outcome=final_outcome(position.outcome, _WINNERS.get(result or ""), result, tags.reason),
        seed=tags.seed,
        started=tags.started,
        headers=tags.headers,
    )


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
    moves = number_moves(position.history_notation, start.turn == "white", int(start.text.split()[5]))
    return format_game(make_tags(record, result, extra), [*moves, result])
