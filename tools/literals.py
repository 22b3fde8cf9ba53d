"""String literals in Rust and TypeScript sources, found by a small lexer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

WORD = re.compile(r"[A-Za-z]{2}")
TYPESCRIPT_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<template>`)
    |(?P<regex>(?<=[(,=:\[!&|?{};])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)""",
    re.VERBOSE | re.DOTALL,
)
RUST_TOKEN = re.compile(
    r"""(?P<doc>///[^\n]*)
    |(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<raw>b?r(?P<fence>\#*)"(?P<raw_text>.*?)"(?P=fence))
    |(?P<string>b?"(?:\\.|[^"\\])*")
    |(?P<char>b?'(?:\\.[^']*|[^'\\])')
    |(?P<tests>\#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{)
    |(?P<attribute>\#!?\[)
    |(?P<internal>\b(?:debug_)?assert\w*!\(|\b(?:panic|unreachable|todo|unimplemented)!\(|\.expect\()
    |(?P<tunables>\btunables!\s*\{)""",
    re.VERBOSE | re.DOTALL,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
# Comparisons, indices, selectors and event names are not shown to users.
INVISIBLE = re.compile(
    r"(?:[!=]==?|\bcase|\bfrom|\bimport|\w\[|\b(?:querySelector(?:All)?|closest|matches|\w+EventListener)(?:<\w+>)?\()\s*$"
)
IDENTIFIER = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z]\w*)+|[A-Z0-9_]+|[a-z]+[A-Z]\w*")
LOWER_CASE_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")
# Literals that are code, not text; matched without placeholders.
CODE = re.compile(
    r"""[MmLlHhVvCcSsQqTtAaZz\d\s.,-]+  # SVG paths
    |.*(?:\dpx|px\ |var\(--).*  # CSS values
    |\((?:prefers-[\w-]+|forced-colors|hover|pointer|(?:min|max)-(?:width|height))\s*:.*\)  # media queries
    |.*\[(?:[\w-]+=[\w"'-]+|contenteditable|(?:aria|data)-[\w-]+)\].*  # CSS selectors
    |(?:\s*[\w:-]+="[^"]*")+\s*  # attributes of markup
    |[^\s(]+\((?:[^()]|\([^()]*\))*\)  # calls, agent specs and CSS functions
    |\w+(?:\ \|\ \w+)+  # types
    |\w+(?:\.\w+)+  # attributes and file names
    |\s*[\[{]\s*"\w+":.*  # JSON
    |(?:--[\w-]+[\s'"]*)+  # command-line options
    |(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|BEGIN|PRAGMA|SET|REPEATABLE)\ .*|\w+\ =\ \w+  # SQL
    |[A-Z]\w*(?:-[A-Z]\w*)+|attachment;\ .*|\w+/[\w.+-]+;\ charset=.*|.*\bmax-age=\d.*|default-src\ .*  # HTTP headers
    |.*;\ (?:HttpOnly|Secure|SameSite=\w+)\b.*  # cookies
    |[pnbrqkPNBRQK1-8/]{15,}\ [wb]\ .*  # FEN""",
    re.VERBOSE | re.DOTALL,
)
ESCAPE = re.compile(
    r"\\(?:(?P<break>\n\s*)|(?P<space>[nrt])|u(?P<code>\{[0-9a-fA-F]+\}|[0-9a-fA-F]{4})|(?P<other>.))", re.DOTALL
)


@dataclass(frozen=True)
class Literal:
    """A string literal; placeholders of templates appear as ``{expression}``."""

    start: int
    """Offset in the source."""
    text: str
    fixed: str
    """The text without its placeholders."""
    before: str
    """Up to 40 characters of source before it."""

    @property
    def is_prose(self) -> bool:
        """Whether it looks like user-visible text and is not in a place that is never shown."""
        return not INVISIBLE.search(self.before) and is_prose(self.fixed)


def is_prose(fixed: str) -> bool:
    """Whether text without placeholders looks user-visible: letters and a space, or a capitalised word."""
    if not WORD.search(fixed) or CODE.fullmatch(fixed):
        return False
    return " " in fixed.strip() or (fixed[:1].isupper() and not IDENTIFIER.fullmatch(fixed))


def one_line(text: str) -> str:
    """Return the text with every run of whitespace replaced by a space."""
    return " ".join(text.split())


def line_of(source: str, offset: int) -> int:
    """Return the line number of an offset, from 1."""
    return source.count("\n", 0, offset) + 1


def typescript_literals(source: str, start: int = 0, end: int | None = None) -> Iterator[Literal]:
    """Yield the string and template literals between two offsets, including those nested in templates."""
    end = len(source) if end is None else end
    while match := TYPESCRIPT_TOKEN.search(source, start, end):
        start = match.end()
        before = source[max(0, match.start() - 40) : match.start()]
        if match["string"]:
            text = unescape(match["string"][1:-1])
            yield Literal(match.start(), text, text, before)
        elif match["template"]:
            start = template_end(source, match.end())
            text, fixed, expressions = split_placeholders(source, match.end(), start - 1, "${")
            yield Literal(match.start(), text, fixed, before)
            for first, last in expressions:
                yield from typescript_literals(source, first, last)


def template_end(source: str, start: int) -> int:
    """Return the offset after the backquote that ends a template whose text begins at `start`."""
    while start < len(source) and source[start] != "`":
        if source.startswith("${", start):
            start = typescript_block_end(source, start + 1)
        else:
            start += 2 if source[start] == "\\" else 1
    return start + 1


def typescript_block_end(source: str, start: int) -> int:
    """Return the offset after the brace that closes the one at `start`."""
    depth = 0
    while start < len(source):
        token = TYPESCRIPT_TOKEN.match(source, start)
        if token:
            start = template_end(source, token.end()) if token["template"] else token.end()
            continue
        depth += {"{": 1, "}": -1}.get(source[start], 0)
        start += 1
        if depth == 0:
            break
    return start


def split_placeholders(source: str, start: int, end: int, opening: str = "{") -> tuple[str, str, list[tuple[int, int]]]:
    """Return the text with placeholders as ``{expression}``, without them, and the offsets of the expressions."""
    text, fixed, expressions = "", "", []
    while start < end:
        if source.startswith(opening, start):
            brace = start + len(opening) - 1
            start = typescript_block_end(source, brace)
            text += one_line(source[brace:start])
            expressions.append((brace + 1, start - 1))
        else:
            text += source[start]
            fixed += source[start]
            start += 1
    return text, fixed, expressions


def rust_strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and text of user-visible strings: literals outside tests and assertions; help of tunables."""
    start, tunables_end, help_lines = 0, 0, list[tuple[int, str]]()
    while match := RUST_TOKEN.search(source, start):
        start = match.end()
        if help_lines and (not match["doc"] or source[help_lines[-1][0] : match.start()].count("\n") > 1):
            yield _joined_help(source, help_lines)
        if match["doc"]:
            if match.start() < tunables_end:
                help_lines.append((match.start(), match["doc"][3:].strip()))
        elif match["tests"] or match["internal"] or match["attribute"]:
            start = rust_block_end(source, match.end() - 1)
        elif match["tunables"]:
            tunables_end = rust_block_end(source, match.end() - 1)
        elif match["raw"] or match["string"]:
            text = match["raw_text"] if match["raw"] else unescape(match["string"].lstrip("b")[1:-1])
            before = source[max(0, match.start() - 40) : match.start()]
            literal = Literal(match.start(), text, re.sub(r"\{[^{}]*\}", "", text), before)
            is_message = re.search(r"Error::\w+\(\s*$", before) and not LOWER_CASE_IDENTIFIER.fullmatch(text)
            if literal.is_prose or (is_message and WORD.search(text)):
                yield line_of(source, match.start()), one_line(text)
    if help_lines:
        yield _joined_help(source, help_lines)


def _joined_help(source: str, help_lines: list[tuple[int, str]]) -> tuple[int, str]:
    """Return the line and the text of the collected help lines, and empty the list."""
    found = line_of(source, help_lines[0][0]), " ".join(text for _, text in help_lines)
    help_lines.clear()
    return found


def rust_block_end(source: str, start: int) -> int:
    """Return the offset after the bracket that closes the one at `start`."""
    stack = [CLOSING[source[start]]]
    start += 1
    while stack and start < len(source):
        token = RUST_TOKEN.match(source, start)
        if token and (token["doc"] or token["comment"] or token["raw"] or token["string"] or token["char"]):
            start = token.end()
            continue
        character = source[start]
        if character in CLOSING:
            stack.append(CLOSING[character])
        elif character == stack[-1]:
            stack.pop()
        start += 1
    return start


def unescape(text: str) -> str:
    r"""Return the text of a literal. A backslash before a line break removes it and the indentation that follows."""
    return ESCAPE.sub(_unescape_one, text)


def _unescape_one(match: re.Match[str]) -> str:
    if match["code"]:
        return chr(int(match["code"].strip("{}"), 16))
    return "" if match["break"] else " " if match["space"] else match["other"]
