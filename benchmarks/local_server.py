"""A Plyground server in a separate process, for benchmarks."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = [str(Path(sys.executable).with_name("plyground")), "serve", "--no-browser"]


def free_port() -> int:
    """Return a TCP port that is not in use."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(port: int, store: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start a server and wait until it accepts connections."""
    command = [*COMMAND, "--port", str(port), "--store", str(store), *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603
    assert server.stdout is not None  # noqa: S101
    server.stdout.readline()
    return server


@contextmanager
def running_server() -> Iterator[str]:
    """Run a server with an empty store and yield its address."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        server = start_server(port, Path(folder) / "store.sqlite")
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(20)
