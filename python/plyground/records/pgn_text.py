"""Preprocesses PGN text for python-chess, which skips words that it cannot parse.

A skipped word changes the game: ``1. e4 e5 2. Ke9`` would become a game of two plies, and the German ``2. Sf3`` would
be read as the pawn move f3. Such words are replaced by a move that is illegal everywhere, so that python-chess reports
them.
"""

from __future__ import annotations

import re
from collections import defaultdict

UNREADABLE = "Ka1a1"
"""Replacement of a word that is not a move; illegal in every position."""
_TOKEN = re.compile(
    r"""
    (?P<tag> ^\[[^\n]* )
  | (?P<ignored> \s+ | ;[^\n]* | ^%[^\n]* | \$\d+ | \{[^}]*(?:\}|\Z) )
  | (?P<open> \( ) | (?P<close> \) )
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
_REMARKS = ("e.p.", "ep", "ch", "dbl", "mate", "N", "TN", "D", "RR")
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)\s*\Z")
_LATER_MOVE = re.compile(r"\s*0*(?:[2-9]|[1-9]\d+)\.")


def mark_unreadable(text: str) -> tuple[str, dict[int, list[str]]]:
    """Replace the words of the main line that are not moves; return the text and these words by line, from 1."""
    words: dict[int, list[str]] = defaultdict(list)
    parts, depth, line, last = [], 0, 1, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "tag":
            depth = 0
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "word" and depth == 0:
            number = _NUMBER.match(match[0])
            word = match[0][number.end() :] if number else match[0]
            if not _is_readable(word):
                words[line].append(word)
                parts += [text[last : match.end() - len(word)], UNREADABLE]
                last = match.end()
        line += match[0].count("\n")
    return "".join([*parts, text[last:]]), words


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


def _is_readable(word: str) -> bool:
    """Whether a word is a move or a remark, or has no letters, like results and symbols."""
    if word == UNREADABLE:
        return False
    return not any(letter.isalpha() for letter in word) or word in _REMARKS or _MOVE.fullmatch(word) is not None
