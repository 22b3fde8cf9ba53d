"""Write every user-visible string to a file for a language review, one per line as ``path:line: text``.

python tools/strings.py [--root FOLDER] [--output FILE]

Sources: messages, help text and other prose in Python; error messages and help of tunables in Rust; markup, attributes
and literals in the web UI; text in the package's TOML files. Code such as SQL, markup and CSS is skipped. Placeholders
appear as ``{expression}``.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from literals import CODE, LOWER_CASE_IDENTIFIER, WORD, is_prose, line_of, one_line, rust_strings, typescript_literals
from markup import markup_strings

String = tuple[int, str]
HELP_KEYWORDS = {"description", "detail", "epilog", "help", "message", "short_help", "summary", "title"}
COMMAND_DECORATORS = {"callback", "command", "delete", "get", "patch", "post", "put", "websocket"}
TYPE_DECLARATIONS = {"NewType", "ParamSpec", "TypeVar"}
LOOKUPS = {"get", "pop", "setdefault"}
TOML_STRING = re.compile(r'^\s*(\w+)\s*=\s*(?:"""(.*?)"""|"((?:\\.|[^"\\\n])*)")', re.MULTILINE | re.DOTALL)
TOML_CODE_KEYS = {"agent", "spec"}
MARKUP = re.compile(r"\s*<[A-Za-z/!]")
TAG = re.compile(r"<[^<>]*>")
PLACEHOLDER = re.compile(r"\0(\d+)\0")


class PythonStrings(ast.NodeVisitor):
    """Collects messages, help text and prose; docstrings only where Typer or FastAPI shows them."""

    def __init__(self) -> None:
        self.found: list[String] = []

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if _shows_docstring(node) and (text := ast.get_docstring(node)):
            self.found.append((node.body[0].lineno, one_line(text)))
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not (isinstance(node.value, ast.Name) and node.value.id == "Literal"):
            self.visit(node.value)
            self._visit_key(node.slice)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            self._visit_key(key)
            self.visit(value)

    def visit_Raise(self, node: ast.Raise) -> None:
        if isinstance(node.exc, ast.Call):
            self._always(*node.exc.args)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        if re.fullmatch(r"re\.\w+", called) or called in TYPE_DECLARATIONS:
            return
        self._always(*(keyword.value for keyword in node.keywords if keyword.arg in HELP_KEYWORDS))
        self.visit(node.func)
        is_lookup = isinstance(node.func, ast.Attribute) and node.func.attr in LOOKUPS
        for index, argument in enumerate(node.args):
            if is_lookup and index == 0:
                self._visit_key(argument)
            else:
                self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg != "metavar":
                self.visit(keyword.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Skip literals in comparisons, because they are not shown."""

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and _may_be_prose(node):
            self._add(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if _may_be_prose(node):
            self._add(node)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def _visit_key(self, node: ast.expr | None) -> None:
        """Visit a dictionary key unless it is a single word, which is not shown."""
        is_word = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value
        if node is not None and not is_word:
            self.visit(node)

    def _always(self, *nodes: ast.expr) -> None:
        """Add messages that do not look like prose, except identifiers such as error codes."""
        for node in nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr) and not _may_be_prose(node):
                is_identifier = isinstance(node, ast.Constant) and LOWER_CASE_IDENTIFIER.fullmatch(str(node.value))
                if not is_identifier:
                    self._add(node)

    def _add(self, node: ast.Constant | ast.JoinedStr) -> None:
        fixed, shown = _fixed_text(node), _shown_text(node)
        if MARKUP.match(fixed):
            fixed, shown = _visible_text(node)
        if WORD.search(fixed) and not CODE.fullmatch(fixed):
            self.found.append((node.lineno, one_line(shown)))


def _shows_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function is a command or an endpoint."""
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Attribute) and called.attr in COMMAND_DECORATORS:
            return True
    annotations = " ".join(ast.unparse(argument.annotation) for argument in node.args.args if argument.annotation)
    return bool(re.search(r"typer\.(Option|Argument)|\b\w+(Option|Argument)\b", annotations))


def _fixed_text(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text without placeholders."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _may_be_prose(node: ast.Constant | ast.JoinedStr) -> bool:
    """Whether the text looks user-visible, or is markup, which may contain such text."""
    fixed = _fixed_text(node)
    return bool(MARKUP.match(fixed)) or is_prose(fixed)


def _shown_text(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text with placeholders as ``{expression}``."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(
        f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else str(getattr(part, "value", ""))
        for part in parts
    )


def _visible_text(node: ast.Constant | ast.JoinedStr) -> tuple[str, str]:
    """Return the text of HTML or SVG outside its tags, without placeholders and with them."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    marked = "".join(
        f"\0{index}\0" if isinstance(part, ast.FormattedValue) else str(getattr(part, "value", ""))
        for index, part in enumerate(parts)
    )
    text = TAG.sub(" ", marked)
    values = {str(index): part.value for index, part in enumerate(parts) if isinstance(part, ast.FormattedValue)}
    return PLACEHOLDER.sub("", text), PLACEHOLDER.sub(lambda match: f"{{{ast.unparse(values[match[1]])}}}", text)


def python_strings(source: str) -> Iterator[String]:
    """Yield the line and text of the strings in a Python module."""
    visitor = PythonStrings()
    visitor.visit(ast.parse(source))
    yield from visitor.found


def typescript_strings(source: str) -> Iterator[String]:
    """Yield the line and text of the literals that look like prose."""
    for literal in typescript_literals(source):
        if literal.is_prose:
            yield line_of(source, literal.start), one_line(literal.text)


def toml_strings(source: str) -> Iterator[String]:
    """Yield the line and text of names and descriptions."""
    for match in TOML_STRING.finditer(source):
        text = match[2] if match[2] is not None else match[3]
        if match[1] not in TOML_CODE_KEYS and WORD.search(text):
            yield line_of(source, match.start(1)), one_line(text)


READERS: dict[str, Callable[[str], Iterator[String]]] = {
    "python/plyground/**/*.py": python_strings,
    "python/plyground/**/*.toml": toml_strings,
    "crates/*/src/**/*.rs": rust_strings,
    "web/index.html": markup_strings,
    "web/src/**/*.svelte": markup_strings,
    "web/src/**/*.ts": typescript_strings,
}
SKIPPED = re.compile(r"\.d\.ts$|\.test\.ts$|/tests\.rs$|/migrations/|/static/")


def user_strings(root: Path) -> Iterator[str]:
    """Yield one line per string, sorted by path and line number."""
    sources = {path: reader for pattern, reader in READERS.items() for path in root.glob(pattern)}
    for path in sorted(sources):
        name = path.relative_to(root).as_posix()
        if not SKIPPED.search(f"/{name}"):
            for line, text in sorted(sources[path](path.read_text("utf-8")), key=lambda string: string[0]):
                yield f"{name}:{line}: {text}"


def main() -> None:
    """Parse the command line and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="root of the repository")
    parser.add_argument("--output", type=Path, help="file to write; default: strings.txt in the root")
    options = parser.parse_args()
    output = options.output or options.root / "strings.txt"
    lines = list(user_strings(options.root))
    output.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    sys.stdout.write(f"Wrote {len(lines):,} strings to {output}\n")


if __name__ == "__main__":
    main()
