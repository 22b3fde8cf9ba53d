"""Chess games as PGN: read by python-chess, checked and written by the engine.

Comments, variations and marks such as ``!?`` are passed over. Our own tags are ``Seed`` and, where the draw rules are
not the usual ones, ``Rules``.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TextIO, cast

import chess
import chess.pgn

from plyground.errors import GameOverError, ParseError, PlygroundError
from plyground.games import game
from plyground.records.headers import Tags, decided, numbered, put_together, take_apart, unescape, write_game
from plyground.records.reading import MOST_MOVES, Broken, Reading
from plyground.records.record import Record

_USUAL, _FORCED = "chess", "chess(draws=forced)"
_WINNERS = {"1-0": "white", "0-1": "black", "1/2-1/2": None}
_RESULTS = {winner: result for result, winner in _WINNERS.items()}
_VARIANTS = ("", "standard", "chess", "from position")


def write(records: Iterable[Record]) -> str:
    """The games one after another, a blank line between them."""
    return "\n".join(map(_write_one, records))


def read(text: str) -> Reading:
    """The games of a PGN text; each broken one is told with its line, and the others are read.

    A game that went on after a third repetition, or ended with another result than that draw, is read with the draw
    rules ``chess(draws=forced)``, under which nobody claimed it.
    """
    records: list[Record] = []
    broken: list[Broken] = []
    for found in _games(text):
        try:
            records.append(_record(found))
        except _LineError as error:
            broken.append(Broken(f"line {error.line}", str(error)))
        except PlygroundError as error:
            broken.append(Broken(f"line {found.line}", str(error)))
    return Reading(tuple(records), tuple(broken))


class _LineError(ParseError):
    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class _Lines:
    """A text that knows which of its lines was read last."""

    def __init__(self, text: str) -> None:
        self.line = 0
        self._text = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))

    def readline(self) -> str:
        """The next line; empty after the last."""
        self.line += 1
        return self._text.readline()


class _Found(chess.pgn.BaseVisitor["_Found"]):
    """One game as python-chess meets it, the line of each move with it."""

    def __init__(self, lines: _Lines) -> None:
        self.lines = lines
        self.line = lines.line
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []
        self.move_lines: list[int] = []
        self.result_token: str | None = None
        self.error: _LineError | None = None

    def begin_game(self) -> None:
        self.line = self.lines.line

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.tags[tagname] = unescape(tagvalue)

    def end_headers(self) -> chess.pgn.SkipType | None:
        variant = self.tags.get("Variant", "")
        if variant.lower() not in _VARIANTS:
            self.handle_error(ValueError(f"Variant {variant[:40]!r}; accepted is standard chess"))
            return chess.pgn.SKIP
        return None

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:  # noqa: ARG002
        if self.error is None and len(self.moves) >= MOST_MOVES:
            self.handle_error(ValueError(f"the game has more than {MOST_MOVES} moves"))
        return None if self.error is None else chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:  # noqa: ARG002
        self.moves.append(move.uci())
        self.move_lines.append(self.lines.line)

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_result(self, result: str) -> None:
        self.result_token = result

    def handle_error(self, error: Exception) -> None:
        if self.error is None:
            self.error = _LineError(self.lines.line, str(error)[:300])

    def result(self) -> _Found:
        return self


def _games(text: str) -> Iterator[_Found]:
    lines = _Lines(text)
    while found := _next_game(lines):
        yield found


def _next_game(lines: _Lines) -> _Found | None:
    found = _Found(lines)
    try:
        return chess.pgn.read_game(cast(TextIO, lines), Visitor=lambda: found)
    except ValueError as error:  # a number too long to be one
        found.handle_error(error)
        while not (line := lines.readline()).isspace() and line:
            pass
        return found


def _record(found: _Found) -> Record:
    if found.error is not None:
        raise found.error
    if not found.tags and not found.moves:
        raise ParseError("there is neither a tag nor a move; accepted are games such as 1. e4 e5 *")
    tags = take_apart(found.tags)
    result = tags.result if tags.result not in (None, "*") else found.result_token
    if result is not None and result != "*" and result not in _WINNERS:
        raise ParseError(f"Result {result[:40]!r}; accepted are {', '.join(_WINNERS)} and *")
    try:
        record = _play(tags, tags.rules or _USUAL, found, result)
    except GameOverError:
        return _play(tags, _FORCED, found, result)
    ended = record.outcome is not None and result in _WINNERS
    if tags.rules is None and ended and record.outcome.winner != _WINNERS[str(result)]:  # type: ignore[union-attr]
        forced = _play(tags, _FORCED, found, result)
        return forced if forced.to_position().outcome is None else record
    return record


def _play(tags: Tags, spec: str, found: _Found, result: str | None) -> Record:
    chosen = game(spec)
    if chosen.id != "chess":
        raise ParseError(f"Rules {spec[:40]!r}: accepted is chess")
    position = chosen.position(tags.start)
    for move, line in zip(found.moves, found.move_lines, strict=True):
        try:
            position = position.play(move)
        except GameOverError as error:
            if spec == _FORCED or tags.rules is not None:
                raise _LineError(line, str(error)) from error
            raise
        except PlygroundError as error:
            raise _LineError(line, str(error)) from error
    return Record.from_position(
        position,
        tags.players,
        outcome=decided(position.outcome, _WINNERS.get(result or ""), result, tags.reason),
        seed=tags.seed,
        started=tags.started,
        headers=tags.headers,
    )


def _write_one(record: Record) -> str:
    position = record.to_position()
    if position.game.id != "chess":
        raise ParseError(f"a game of {record.game} cannot be written as PGN; accepted is chess")
    result = "*" if record.outcome is None else _RESULTS[record.outcome.winner]
    start = position.replay(0)
    more = {} if record.game == _USUAL else {"Rules": record.game}
    moves = numbered(position.history_notation, start.turn == "white", int(start.text.split()[5]))
    return write_game(put_together(record, result, more), [*moves, result])
