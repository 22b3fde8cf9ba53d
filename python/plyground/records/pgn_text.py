"""Preprocesses PGN text for python-chess, which skips whatever it cannot parse.

A skipped word changes the game: ``1. e4 e5 2. Ke9`` would become a game of two plies, and the German ``2. Sf3`` would
be read as the pawn move f3. Such words are replaced by moves that are illegal everywhere, so that python-chess reports
them. Comments after a semicolon become comments in braces, and symbols such as ``+-`` become NAGs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import chess
from chess.pgn import TAG_REGEX

from plyground.records.annotations import clean_comment

_MARKERS = [f"{piece}{square}{square}" for piece in "KQRBN" for square in chess.SQUARE_NAMES]
"""Replacements of words that are not moves; illegal in every position."""
_TOKEN = re.compile(
    r"""
    (?P<tag> ^\[[^\n]* )
  | (?P<space> \s+ ) | (?P<rest> ;[^\n]* ) | (?P<ignored> ^%[^\n]* | \$\d+ | \{[^}]*(?:\}|\Z) )
  | (?P<word> [^\s{}();$]+ )
  | (?P<other> . )
    """,
    re.VERBOSE | re.MULTILINE,
)
_NUMBER = re.compile(r"(?:\d+\.+)*")
_MOVE = re.compile(
    r"""
    (?: [NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])? | [PNBRQK]?@[a-h][1-8] | -- | Z0 | 0000 | @@@@
      | O-O(?:-O)? | 0-0(?:-0)? )
    (?:e\.?p\.?)? [+#!?,]*
    """,
    re.VERBOSE,
)
_REMARKS = ("e.p.", "ep", "ch", "dbl", "mate")
"""Words that say nothing that the move does not say."""
_GLYPHS = {
    "□": 7, "=": 10, "∞": 13, "+=": 14, "⩲": 14, "=+": 15, "⩱": 15, "+/-": 16, "±": 16, "-/+": 17, "∓": 17,
    "+-": 18, "-+": 19, "⨀": 22, "○": 32, "⟳": 32, "↑": 36, "→": 40, "⇆": 132, "⇄": 132, "RR": 145, "N": 146,
    "TN": 146, "D": 220,
}  # fmt: skip
"""NAGs of symbols and abbreviations."""
_PUNCTUATION = re.compile(r"[\d.…,]*|[!?]+|1-0|0-1|1/2-1/2|\*")
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)\s*\Z")
_LATER_MOVE = re.compile(r"\s*0*(?:[2-9]|[1-9]\d+)\.")


@dataclass
class Prepared:
    """Text that python-chess reads without skipping words."""

    text: str = ""
    unreadable: dict[tuple[int, str], str] = field(default_factory=dict)
    """The words that are not moves, by line (from 1) and replacement."""
    warnings: dict[int, str] = field(default_factory=dict)
    """What is ignored, by line."""


def prepare(text: str) -> Prepared:
    """Replace what python-chess would skip; warn about what has no meaning."""
    prepared = Prepared()
    parts, line, last, in_movetext = [], 1, 0, False
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        replacement, start = None, match.start()
        if kind == "tag":
            in_movetext = False
            if TAG_REGEX.match(token) is None:
                prepared.warnings[line] = f'{token[:40]!r} was ignored; a tag must be [Name "value"]'
        elif kind == "space" and token.count("\n") > 1:
            in_movetext = False
        elif kind == "rest" and in_movetext:
            replacement = f"{{{clean_comment(token[1:])}}}"
        elif kind == "word":
            in_movetext = True
            number = _NUMBER.match(token)
            word = token[number.end() :] if number else token
            start = match.end() - len(word)
            if word in _GLYPHS:
                replacement = f"${_GLYPHS[word]}"
            elif any(letter.isalpha() for letter in word):
                if word in _MARKERS or (word not in _REMARKS and _MOVE.fullmatch(word) is None):
                    replacement = _MARKERS[len(prepared.unreadable) % len(_MARKERS)]
                    prepared.unreadable[line, replacement] = word
            elif _PUNCTUATION.fullmatch(word) is None and _MOVE.fullmatch(word) is None:
                prepared.warnings[line] = f"{word[:40]!r} was ignored"
        if replacement is not None:
            parts += [text[last:start], replacement]
            last = match.end()
        line += token.count("\n")
    prepared.text = "".join([*parts, text[last:]])
    return prepared


def join_paragraphs(text: str) -> str:
    """Replace blank lines within games, which would end them, with comments, so that line numbers do not change.

    A blank line after movetext is within a game if the next line starts with a move number above 1.
    """
    lines = text.split("\n")
    previous, blank = "", []
    for index, line in enumerate(lines):
        if not line.strip():
            blank.append(index)
            continue
        is_inside = previous and not previous.lstrip().startswith("[") and not _RESULT.search(previous)
        if blank and is_inside and _LATER_MOVE.match(line):
            for at in blank:
                lines[at] = "%"
        previous, blank = line, []
    return "\n".join(lines)
