"""What the documents show is executed: Python sessions as doctests, console sessions as commands."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from plyground._engine import search_options

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python/plyground"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = [PACKAGE / "_engine.pyi", *sorted(PACKAGE.rglob("*.py"))]
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.IGNORE_EXCEPTION_DETAIL


def run_session(text: str, name: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    results = doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False)
    assert results.failed == 0, f"{results.failed} examples of {name} failed; their output stands above"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_sessions_of_the_pages_are_true(page: Path) -> None:
    run_session(re.sub(r"^```.*$", "", page.read_text(), flags=re.MULTILINE), page.name)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(PACKAGE)))
def test_examples_in_docstrings_are_true(source: Path) -> None:
    tree = ast.parse(source.read_text())
    names = {} if source.suffix == ".pyi" else vars(__import__(module_name(source), fromlist=["*"]))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            test = doctest.DocTestParser().get_doctest(text, dict(names), source.name, str(source), 0)
            assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0, source


def module_name(source: Path) -> str:
    return ".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def commands() -> list[str]:
    sessions = [session for page in PAGES for session in FENCE.findall(page.read_text())]
    return [line[2:] for session in sessions for line in session.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("command", [command for command in commands() if command.startswith("plyground")])
def test_commands_of_the_pages_run(command: str) -> None:
    words = shlex.split(command)
    if words[1] == "bench":  # whole, it takes a minute
        words += ["tictactoe", "--seconds", "0.02", "--rounds", "1"]
    program = [str(Path(sys.executable).with_name("plyground")), *words[1:]]
    result = subprocess.run(program, input="quit\n", capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr


def test_other_commands_of_the_pages_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for command in commands():
        if not command.startswith("plyground"):
            program, target = command.split()
            assert program == "make"
            assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_of_the_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_map_names_every_file_of_the_engine() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    for source in (ROOT / "crates/engine/src").rglob("*.rs"):
        assert f"{source.name}`" in text or f"{source.parent.name}/`" in text or source.name == "lib.rs", source


def test_the_page_on_the_search_lists_every_option() -> None:
    text = (ROOT / "docs/search.md").read_text()
    for name, default, accepted, about in search_options():
        assert f"| `{name}` | {default} | {accepted} | {about} |" in text
