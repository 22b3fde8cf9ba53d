"""Visible text of Svelte components and HTML pages: text nodes, attributes and string literals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from literals import Literal, line_of, one_line, split_placeholders, typescript_block_end, typescript_literals

SCRIPT = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)
HIDDEN = re.compile(r"<style[^>]*>.*?</style>|<!--.*?-->|<!doctype[^>]*>", re.DOTALL | re.IGNORECASE)
TAG = re.compile(r"</?[A-Za-z][\w.:-]*")
ATTRIBUTE = re.compile(r"""(?P<name>[\w:|.@-]+)(?:=(?P<value>"|'|\{)|=(?P<bare>[^\s>]+))?|(?P<spread>\{)""")
TEXT_ATTRIBUTES = {"alt", "aria-description", "aria-label", "aria-roledescription", "label", "placeholder", "title"}
SKIPPED_ATTRIBUTE = re.compile(
    r"(?:class|style|bind|use|data|xmlns)\b.*|d|id|for|href|name|points|rel|role|src|transform|type|viewBox|charset|content"
)
LETTER = re.compile(r"[^\W\d_]")
# A literal after one of these may be the expression's value, so it is shown even if it does not look like prose.
VALUE = re.compile(r"(?:\{|\?|:|\|\||&&|\?\s*\()\s*$")


def markup_strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and text of every visible string in a component."""
    for script in SCRIPT.finditer(source):
        for literal in typescript_literals(source, script.start(1), script.end(1)):
            if literal.is_prose:
                yield line_of(source, literal.start), one_line(literal.text)
    blanked = HIDDEN.sub(_blank, SCRIPT.sub(_blank, source))
    yield from _markup(blanked)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _markup(source: str) -> Iterator[tuple[int, str]]:
    position = text_start = 0
    while position < len(source):
        if tag := TAG.match(source, position):
            yield from _text_node(source, text_start, position)
            found, position = _tag(source, tag.end())
            yield from found
            text_start = position
        elif source[position] == "{":
            # The slash of a closing tag such as {/if} must not be read as the start of a regular expression.
            is_closing = source.startswith("{/", position)
            end = source.index("}", position) + 1 if is_closing else typescript_block_end(source, position)
            if source[position + 1 : position + 2] in {"#", ":", "/", "@"}:
                yield from _text_node(source, text_start, position)
                yield from _prose(source, position, end)
                text_start = end
            position = end
        else:
            position += 1
    yield from _text_node(source, text_start, position)


def _text_node(source: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    text, fixed, expressions = split_placeholders(source, start, end)
    if LETTER.search(re.sub(r"&\w+;", "", fixed)):
        first = start + len(source[start:end]) - len(source[start:end].lstrip())
        yield line_of(source, first), one_line(text)
    for first, last in expressions:
        yield from _values(source, first, last)


def _tag(source: str, position: int) -> tuple[list[tuple[int, str]], int]:
    """Return the strings in a tag's attributes and the offset after the tag."""
    found: list[tuple[int, str]] = []
    while position < len(source) and source[position] != ">":
        match = ATTRIBUTE.match(source, position)
        if not match:
            position += 1
            continue
        name, line, position = match["name"] or "", line_of(source, match.start()), match.end()
        if match["spread"] or match["value"] == "{":
            position = typescript_block_end(source, match.end() - 1)
            if not SKIPPED_ATTRIBUTE.fullmatch(name):
                find = _values if name in TEXT_ATTRIBUTES else _prose
                found += find(source, match.end(), position - 1)
        elif match["value"]:
            end = _quoted_end(source, position, match["value"])
            text, fixed, expressions = split_placeholders(source, position, end)
            if not SKIPPED_ATTRIBUTE.fullmatch(name):
                shown = name in TEXT_ATTRIBUTES and LETTER.search(fixed)
                if shown or Literal(position, text, fixed, "").is_prose:
                    found.append((line, one_line(text)))
                for first, last in expressions:
                    found += _values(source, first, last)
            position = end + 1
    return found, position + 1


def _quoted_end(source: str, position: int, quote: str) -> int:
    """Return the offset of the quote that ends a value; quotes inside expressions do not count."""
    while position < len(source) and source[position] != quote:
        position = typescript_block_end(source, position) if source[position] == "{" else position + 1
    return position


def _values(source: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield prose and every literal that may be the value of the expression."""
    for literal in typescript_literals(source, start, end):
        if literal.is_prose or (VALUE.search(literal.before) and LETTER.search(literal.fixed)):
            yield line_of(source, literal.start), one_line(literal.text)


def _prose(source: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for literal in typescript_literals(source, start, end):
        if literal.is_prose:
            yield line_of(source, literal.start), one_line(literal.text)
