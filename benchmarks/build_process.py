"""Builds of the package in separate folders, and worker processes that run them."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".venv" / "builds"
"""Prepared builds, one folder per commit; git ignores it."""
CURRENT = "current"
EXAMPLES = ("speed", "search", "alphabeta")
"""Example programs of the engine that `builds.py instructions` runs."""
PACKAGES = ("platformdirs",)
"""Third-party packages that the searches import; copied into each build, so that it runs without installing them."""
ENGINE = "_engine.abi3.so"


class BuildError(Exception):
    """A build is missing, cannot be made, or fails to answer a request."""


@dataclass(frozen=True)
class Build:
    """A build: a folder that contains the package `plyground` with its engine."""

    name: str
    path: Path
    """The folder to put on PYTHONPATH."""

    def program(self, example: str) -> Path:
        """Return the path of an example program, after building it if the build is the current tree."""
        if self.path == ROOT / "python":
            _cargo(ROOT, ROOT / "target", *_examples(example))
            return ROOT / "target" / "release" / "examples" / example
        found = self.path / "bin" / example
        if not found.exists():
            raise BuildError(f"{found} is missing; prepare the build with: builds.py prepare")
        return found


def find_build(text: str) -> Build:
    """Return a build: `current`, the folder of a prepared build, or a commit, which is prepared if needed."""
    if text == CURRENT:
        return Build(CURRENT, ROOT / "python")
    folder = Path(text).resolve()
    if (folder / "plyground").is_dir():
        description = folder / "build.json"
        name = json.loads(description.read_text())["name"] if description.exists() else folder.name
        return Build(str(name), folder)
    return prepare(text)


def prepare(text: str) -> Build:
    """Build a commit, or copy the current tree, into a cache folder; a commit is built only once."""
    if text == CURRENT:
        engines = list((ROOT / "python" / "plyground").glob("_engine*.so"))
        if not engines:
            raise BuildError("the current tree has no engine; build it with: make build")
        programs = {example: Build(CURRENT, ROOT / "python").program(example) for example in EXAMPLES}
        return assemble(CURRENT, ROOT, engines[0], programs)
    name = _output("git", "rev-parse", "--short=10", "--verify", "--end-of-options", f"{text}^{{commit}}").strip()
    if (CACHE / name / "build.json").exists():
        return Build(name, CACHE / name)
    with tempfile.TemporaryDirectory(prefix="plyground-build-") as folder:
        source, target = Path(folder) / name, Path(folder) / "target"
        source.mkdir()
        archive = subprocess.run(["git", "archive", name], cwd=ROOT, check=True, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", str(source)], check=True, input=archive.stdout)
        _cargo(source, target, "--package", "plyground-bindings")
        _cargo(source, target, *_examples(*EXAMPLES))
        programs = {example: target / "release" / "examples" / example for example in EXAMPLES}
        return assemble(name, source, target / "release" / "lib_engine.so", programs)


def assemble(name: str, source: Path, engine: Path, programs: dict[str, Path]) -> Build:
    """Copy a build into its folder; `build.json` is written last and marks it as complete."""
    folder = CACHE / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        source / "python" / "plyground",
        folder / "plyground",
        ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"),
    )
    (folder / "bin").mkdir()
    files = {folder / "plyground" / ENGINE: engine, **{folder / "bin" / name: path for name, path in programs.items()}}
    for copy, original in files.items():
        shutil.copy(original, copy)
        subprocess.run(["strip", str(copy)], check=True)
    for package in PACKAGES:
        found = importlib.util.find_spec(package)
        if found is None or not found.submodule_search_locations:
            raise BuildError(f"the package {package} is not installed; run: make build")
        shutil.copytree(
            found.submodule_search_locations[0], folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    (folder / "build.json").write_text(json.dumps({"name": name}) + "\n")
    return Build(name, folder)


def _examples(*names: str) -> list[str]:
    return ["--package", "plyground-engine", *(part for name in names for part in ("--example", name))]


def _cargo(source: Path, target: Path, *arguments: str) -> None:
    """Compile a source tree with the release profile."""
    environment = {**os.environ, "PYO3_PYTHON": sys.executable}
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", str(target), *arguments]
    if subprocess.run(command, cwd=source, env=environment, check=False).returncode:
        raise BuildError(f"cargo build failed in {source}")


def _output(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(command[:2])} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Worker:
    """A process that runs the code of a build. One thread may use it at a time."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("build_worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(build.path)},
            text=True,
        )

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Return the answer to a request; raise `BuildError` if the build cannot answer it."""
        try:
            requests, answers = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
            requests.write(json.dumps({"command": command, **arguments}) + "\n")
            requests.flush()
            line = answers.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise BuildError(f"the worker of build {self._build.name} ended with exit code {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise BuildError(f"build {self._build.name}: {answer['error']}")
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
