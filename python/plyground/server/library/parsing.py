"""Parsing of pasted text and search strings."""

from __future__ import annotations

import contextlib
import re

from plyground.errors import ParseError, PlygroundError
from plyground.games import game, games
from plyground.records import Record, parsed_games
from plyground.records.formats import FORMATS, Format
from plyground.records.parsed_games import ParsedGames
from plyground.server.library.models import FailedGame, ParseRequest, ParseResult, RecordView
from plyground.server.library.views import record_view

MAX_GAMES = 200
"""Maximum number of games returned for pasted text."""
MAX_LINE = 20_000
"""Maximum length of a position or a list of moves; also the length of the prefix used to detect the file format."""
_TAG = re.compile(r"^[ \t]*\[\w+[ \t]+\"", re.MULTILINE)
_COMMENT = re.compile(r"\[[^\]]*\]|\{[^}]*\}")
_CHESS_MOVE = re.compile(r"\b(?:[KQRBN][a-h1-8x]|[a-h]x?[a-h]?[1-8]|O-O)")
_DRAUGHTS_TAG = re.compile(r'\[GameType\s+"2[0-9]')
_MOVE_NUMBER = re.compile(r"\b\d+\.(?:\.\.)?(?=\s|\S)")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1")


def detect_format(text: str) -> Format | None:
    """Detect the format of a game file from its text; None if it is not a game file."""
    text = text[:MAX_LINE]
    if text.lstrip().startswith("{"):
        return FORMATS["json"]
    if not _TAG.search(text):
        return None
    is_chess = _CHESS_MOVE.search(_COMMENT.sub("", text)) and not _DRAUGHTS_TAG.search(text)
    return FORMATS["pgn" if is_chess else "pdn"]


def parse_text(request: ParseRequest) -> ParseResult:
    """Return the games in pasted text."""
    file_format = detect_format(request.text)
    parsed = file_format.read(request.text) if file_format is not None else ParsedGames((_parse_line(request),))
    warnings = list(parsed.warnings)
    if len(parsed.records) > MAX_GAMES:
        warnings.append(
            f"only the first {MAX_GAMES} of {len(parsed.records)} games are listed; import the file to keep all"
        )
    return ParseResult(
        records=[record_view(record) for record in parsed.records[:MAX_GAMES]],
        failed=[
            failed_game(one, None if one.beginning is None else record_view(one.beginning))
            for one in parsed.failed[:MAX_GAMES]
        ],
        warnings=warnings,
    )


def failed_game(failed: parsed_games.FailedGame, beginning: RecordView | None = None) -> FailedGame:
    """Convert a game that could not be read to its API model."""
    plies = 0 if failed.beginning is None else len(failed.beginning.moves)
    return FailedGame(location=failed.place, reason=failed.reason, legal_plies=plies, beginning=beginning)


def search_texts(text: str, spec: str | None) -> tuple[str, ...]:
    """Return a search string and its variants with trailing moves converted to the stored notation.

    There is one variant for each game in which the last words are legal first moves.

    >>> search_texts("anna 1. e4 e5", "chess")
    ('anna 1. e4 e5', 'anna e2e4 e7e5')
    """
    texts, words = {text: True}, _split_moves(text)
    for one in games():
        if spec is not None and one.id != spec.partition("(")[0]:
            continue
        for start in range(len(words)):
            with contextlib.suppress(PlygroundError):
                texts[" ".join([*words[:start], *one.position(None, words[start:]).history])] = True
                break
    return tuple(texts)


def _split_moves(text: str) -> list[str]:
    """Split a list of moves, dropping move numbers and the result."""
    return [word for word in _MOVE_NUMBER.sub(" ", text).split() if word not in _RESULTS]


def _parse_line(request: ParseRequest) -> Record:
    """Parse a position or a list of moves."""
    text = " ".join(request.text.split())
    if len(text) > MAX_LINE:
        raise ParseError(f"a position or a list of moves must be at most {MAX_LINE} characters long, got {len(text)}")
    candidates = [game(request.game)] if request.game is not None else games()
    for one in candidates:
        with contextlib.suppress(PlygroundError):
            return Record.from_position(one.position(text), {})
    moves, reasons = _split_moves(text), []
    for one in candidates:
        try:
            return Record.from_position(one.position(None, moves), {})
        except PlygroundError as error:
            reasons.append(f"{one.id}: {error}")
    detail = f" ({reasons[0]})" if len(reasons) == 1 else ""
    raise ParseError(f"the text must be JSON, PDN, PGN, a position such as a FEN, or a list of moves{detail}")
