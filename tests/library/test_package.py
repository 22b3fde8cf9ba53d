"""The public names, docstrings, lazy imports and progress bars of the package."""

from __future__ import annotations

import ast
import inspect
import io
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import plyground as pg
from plyground import _engine
from plyground.progress import is_shown, progress_bar

STUB = Path(pg.__file__ or "").with_name("_engine.pyi")


def run(code: str) -> None:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_every_public_name_is_available_and_listed() -> None:
    for name in pg.__all__:
        assert not isinstance(getattr(pg, name), ModuleType), name
        assert name in dir(pg)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = pg.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize("module", ["review", "compiled", "games"])
def test_importing_a_submodule_does_not_hide_the_function_of_the_same_name(module: str) -> None:
    run(f"import plyground.{module}, plyground as pg; assert callable(pg.{module}), pg.{module}")
    run(f"import plyground as pg; pg.{module}; import plyground.{module}; assert callable(pg.{module})")


def test_importing_the_package_imports_only_the_rules() -> None:
    run(
        "import sys, plyground; heavy = [name for name in sys.modules if name.startswith('plyground.') and "
        "name.split('.')[1] in ('agents', 'arena', 'learn', 'store', 'records', 'server', 'rl', 'review', 'levels')]; "
        "assert not heavy, heavy"
    )


def documented() -> list[str]:
    """Return the names of the classes, methods and functions that have docstrings in the stub."""
    found = []
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            found.append(node.name)
        if isinstance(node, ast.ClassDef):
            members = [one for one in node.body if isinstance(one, ast.FunctionDef) and ast.get_docstring(one)]
            found += [f"{node.name}.{one.name}" for one in members]
    return found


def stub_docstring(name: str) -> str | None:
    body: list[ast.stmt] = ast.parse(STUB.read_text()).body
    node: ast.ClassDef | ast.FunctionDef | None = None
    for part in name.split("."):
        node = next(one for one in body if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name == part)
        body = node.body
    return None if node is None else ast.get_docstring(node)


@pytest.mark.parametrize("name", documented())
def test_native_classes_and_functions_have_the_docstrings_of_the_stub(name: str) -> None:
    value: object = _engine
    for part in name.split("."):
        value = inspect.getattr_static(value, part)
    assert inspect.getdoc(getattr(value, "__func__", value)) == stub_docstring(name)


def test_help_shows_the_docstring_and_the_signature() -> None:
    import pydoc

    text = pydoc.plain(pydoc.render_doc(pg.Position.play))
    assert "play(self, /, mv)" in text or "play(self, mv)" in text
    assert "Return the position after a move" in text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pg.match("tictactoe", "random", "random", games=2)
    assert capsys.readouterr() == ("", "")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    pg.match("tictactoe", "random", "random", games=2)
    assert "Games" in terminal.getvalue()
    assert "2/2" in terminal.getvalue()
    shown = len(terminal.getvalue())
    pg.match("tictactoe", "random", "random", games=2, progress=False)
    assert len(terminal.getvalue()) == shown


def test_progress_is_shown_in_a_notebook_that_can_display_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class ZMQInteractiveShell:
        pass

    notebook = ModuleType("IPython")
    notebook.get_ipython = ZMQInteractiveShell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setattr("plyground.progress.find_spec", lambda _: object())
    assert is_shown(None)
    assert not is_shown(False)
    monkeypatch.setattr("plyground.progress.find_spec", lambda _: None)
    assert not is_shown(None)
    with progress_bar("Games", 3) as show:
        show(1)
