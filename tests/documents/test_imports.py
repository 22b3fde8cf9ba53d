"""Dependencies point one way, and the package stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python/plyground"

# Each room may import from itself and from the rooms before it.
ROOMS = [
    ["errors"],
    ["_engine", "spec"],
    ["compiled"],
    ["own"],
    ["games"],
    ["drawing", "exact", "plain", "weights", "words"],
    ["agents"],
    ["records"],
    ["levels", "store"],
    ["arena", "bench", "learn"],
    ["review"],
    ["server"],
    ["cli", "examples"],
]


def room(module: str) -> str:
    return module.split(".")[1]


def imports(source: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source} imports by a relative path"
            names = [f"plyground.{alias.name}" for alias in node.names]
            found += names if node.module == "plyground" else [node.module or ""]
    return [name for name in found if name.startswith("plyground.")]


@pytest.mark.parametrize("source", sorted(PACKAGE.rglob("*.py")), ids=lambda source: str(source.relative_to(PACKAGE)))
def test_imports_point_one_way(source: Path) -> None:
    parts = source.relative_to(PACKAGE).with_suffix("").parts
    if parts in [("__init__",), ("__main__",)]:
        return
    order = {name: rank for rank, names in enumerate(ROOMS) for name in names}
    assert parts[0] in order, f"{parts[0]} is no known room"
    for module in imports(source):
        target = room(module)
        if target in order:
            assert target == parts[0] or order[target] < order[parts[0]], f"{source.name} imports {module}"


@pytest.mark.parametrize(
    "heavy",
    [
        "typer",
        "rich",
        "torch",
        "fastapi",
        "starlette",
        "uvicorn",
        "pydantic",
        "ray",
        "chess",
        "pyspiel",
        "numpy",
        "numba",
        "sqlalchemy",
        "alembic",
        "safetensors",
    ],
)
def test_importing_the_package_does_not_import(heavy: str) -> None:
    code = f"import plyground, plyground.agents, sys; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_file_is_too_long() -> None:
    root = PACKAGE.parents[1]
    for folder in ["python", "crates", "tests", "benchmarks"]:
        # The stub of the engine is one file because the engine is one module.
        for source in [*(root / folder).rglob("*.py"), *(root / folder).rglob("*.rs")]:
            assert len(source.read_text().splitlines()) <= 400, source
