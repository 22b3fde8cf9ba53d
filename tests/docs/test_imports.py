"""Checks the import order of the package, its lazy imports and file lengths."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python/plyground"

# A module may import from its own top-level package and from earlier layers.
LAYERS = [
    ["errors"],
    ["_engine", "files", "spec", "validation"],
    ["compiled"],
    ["user_games"],
    ["games"],
    ["board_text", "exact", "formatting", "notebook", "opening_names", "plain", "planes", "progress", "svg", "weights"],
    ["networks"],
    ["agents"],
    ["levels_file", "protocols", "records"],
    ["levels", "store"],
    ["arena", "bench", "learn"],
    ["review"],
    ["compare", "game_review", "rl"],
    ["server"],
    ["cli", "examples"],
]

# The modules and features of the server, in import order; a feature may import from itself and from earlier entries.
SERVER_ORDER = [
    "errors",
    "settings",
    "models",
    "log",
    "pools",
    "security",
    "dependencies",
    "health",
    "positions",
    "workers",
    "search",
    "catalog",
    "play",
    "library",
    "jobs",
    "socket",
    "web_ui",
    "services",
    "app",
    "process",
    "schema",
]


def imports(source: Path) -> list[str]:
    """Return the imported modules of the package, including those in functions and under `TYPE_CHECKING`."""
    found = []
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source} uses a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [name if node.module == "plyground" or is_module(name) else node.module or "" for name in names]
    return [name for name in found if name.startswith("plyground.")]


def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@pytest.mark.parametrize("source", sorted(PACKAGE.rglob("*.py")), ids=lambda source: str(source.relative_to(PACKAGE)))
def test_imports_respect_the_layers(source: Path) -> None:
    parts = source.relative_to(PACKAGE).with_suffix("").parts
    if parts in [("__init__",), ("__main__",)]:
        return
    order = {name: rank for rank, names in enumerate(LAYERS) for name in names}
    assert parts[0] in order, f"{parts[0]} is in no layer"
    for module in imports(source):
        target = module.split(".")[1]
        if target in order:
            assert target == parts[0] or order[target] < order[parts[0]], f"{source.name} imports {module}"


def server_imports() -> dict[str, list[str]]:
    """Return the modules of the server with their imports from the server, by dotted path below `plyground.server`."""
    root, prefix = PACKAGE / "server", "plyground.server."
    return {
        ".".join(source.relative_to(root).with_suffix("").parts): [
            name.removeprefix(prefix) for name in imports(source) if name.startswith(prefix)
        ]
        for source in sorted(root.rglob("*.py"))
        if source.name != "__init__.py"
    }


def test_server_imports_respect_the_feature_order() -> None:
    rank = {name: index for index, name in enumerate(SERVER_ORDER)}
    for module, targets in server_imports().items():
        feature = module.split(".")[0]
        assert feature in rank, f"{module} is not in SERVER_ORDER"
        for target in targets:
            imported = target.split(".")[0]
            assert imported == feature or rank[imported] < rank[feature], f"server/{module} imports {target}"


def test_server_modules_have_no_import_cycles() -> None:
    TopologicalSorter(server_imports()).prepare()  # raises CycleError


def test_server_modules_have_at_most_300_lines() -> None:
    for source in (PACKAGE / "server").rglob("*.py"):
        assert len(source.read_text().splitlines()) <= 300, source


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
        "cachetools",
    ],
)
def test_importing_the_package_does_not_import(heavy: str) -> None:
    code = f"import plyground, plyground.agents, sys; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_files_have_at_most_400_lines_or_300_in_the_server_and_the_searches() -> None:
    root = PACKAGE.parents[1]
    short = [PACKAGE / "server", root / "crates/engine/src/search"]
    for folder in ["python", "crates", "tests", "benchmarks", "tools"]:
        for source in [*(root / folder).rglob("*.py"), *(root / folder).rglob("*.rs")]:
            limit = 300 if any(source.is_relative_to(one) for one in short) else 400
            assert len(source.read_text().splitlines()) <= limit, source
