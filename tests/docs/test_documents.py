"""Executes the examples in the documentation: Python sessions as doctests, console sessions as commands."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.agents import alphabeta, mcts
from timeouts import SUBPROCESS_S

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python/plyground"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = [PACKAGE / "_engine.pyi", *sorted(PACKAGE.rglob("*.py"))]
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.IGNORE_EXCEPTION_DETAIL


def run_session(text: str, name: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    results = doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False)
    assert results.failed == 0, f"{results.failed} examples in {name} failed (see the output above)"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_in_the_documentation_pass(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_session(re.sub(r"^```.*$", "", page.read_text(), flags=re.MULTILINE), page.name)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(PACKAGE)))
def test_examples_in_docstrings_pass(source: Path) -> None:
    tree = ast.parse(source.read_text())
    names = {} if source.suffix == ".pyi" else vars(__import__(module_name(source), fromlist=["*"]))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            test = doctest.DocTestParser().get_doctest(text, dict(names), source.name, str(source), 0)
            assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0, source


def module_name(source: Path) -> str:
    return ".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def commands(page: Path) -> list[str]:
    sessions = FENCE.findall(page.read_text())
    return [line[2:] for session in sessions for line in session.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_commands_in_the_documentation_succeed(page: Path, tmp_path: Path) -> None:
    (tmp_path / "python").symlink_to(ROOT / "python")  # contains the example games
    for command in commands(page):
        if command.startswith("plyground"):
            arguments = shlex.split(command)[1:]
            if arguments[0] == "bench":  # the full benchmark takes a minute
                arguments += ["tictactoe", "--seconds", "0.02", "--rounds", "1"]
            program = [str(Path(sys.executable).with_name("plyground")), *arguments]
            # The commands of a page share a folder, because some use files that earlier ones have written.
            result = subprocess.run(
                program, input="quit\n", capture_output=True, text=True, timeout=SUBPROCESS_S, check=False, cwd=tmp_path
            )
            assert result.returncode == 0, f"{command}: {result.stderr}"


def test_make_commands_in_the_documentation_are_makefile_targets() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for command in (command for page in PAGES for command in commands(page)):
        if not command.startswith("plyground"):
            program, target = command.split()
            assert program == "make"
            assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_in_the_documentation_exist() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_architecture_names_every_engine_file() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    for source in (ROOT / "crates/engine/src").rglob("*.rs"):
        assert f"{source.name}`" in text or source.name == "lib.rs", source


def test_the_search_documentation_lists_every_option() -> None:
    text = (ROOT / "docs/search.md").read_text()
    for option in [*mcts.SEARCH_OPTIONS, *alphabeta.SEARCH_OPTIONS]:
        assert f"| `{option.name}` | {option.default} | {option.allowed} | {option.description} |" in text
