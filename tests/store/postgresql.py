"""A temporary PostgreSQL server for the tests, listening on a socket in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

OWNER = "plyground"


class Server:
    """A running server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names = (f"test{number}" for number in count())

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """Open a connection in autocommit mode."""
        return psycopg.connect(host=str(self.folder), user=OWNER, dbname=database, autocommit=True)

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        name = next(self._names)
        with self.connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return f"postgresql://{OWNER}@/{name}?host={self.folder}"

    def new_schema(self) -> str:
        """Create an empty schema, which is much faster than a database, and return its URL."""
        name = next(self._names)
        with self.connect() as connection:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
        return f"postgresql://{OWNER}@/postgres?host={self.folder}&options=-csearch_path%3D{name}"


def program(name: str) -> str:
    """Return the path of a PostgreSQL program; Debian does not put all of them on the PATH."""
    for found in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True):
        return str(found)
    found_by_path = shutil.which(name)
    if found_by_path is None:
        pytest.fail(
            f"PostgreSQL is not installed (missing program: {name}); install it with: make postgresql", pytrace=False
        )
    return found_by_path


def server_user() -> str | None:
    """Return the user that runs the server, or None for the current user. PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def running_server() -> Iterator[Server]:
    """Run a server without fsync, since tests kill only its clients."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # socket paths must be short
    user = server_user()
    if user is not None:
        shutil.chown(folder, user)
    data, log = folder / "data", folder / "log"
    try:
        subprocess.run(
            [program("initdb"), "-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            user=user,
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        settings = ["listen_addresses=", f"unix_socket_directories={folder}", "fsync=off", "shared_buffers=16MB"]
        options = [word for setting in settings for word in ("-c", setting)]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [program("postgres"), "-D", data, *options], user=user, cwd=folder, stdout=output, stderr=output
            )
        try:
            server = Server(folder)
            wait_for(server, process, log)
            yield server
        finally:
            process.send_signal(signal.SIGINT)  # fast shutdown, despite open connections
            process.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server accepts connections."""
    for _ in range(6000):
        assert process.poll() is None, log.read_text()
        try:
            server.connect().close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"PostgreSQL does not accept connections: {log.read_text()}")
