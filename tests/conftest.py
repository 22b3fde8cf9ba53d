"""Shared test setup: reproducible Hypothesis examples, and isolation from the user's own store and tables."""

import os
import signal
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

from plyground.store.database import VARIABLE

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")

# A shell that starts the tests in the background makes them ignore SIGINT, and child processes would inherit this.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def test_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a temporary store by default."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(tmp_path_factory.mktemp("store") / "store.sqlite"))
        yield


if "PLYGROUND_TABLES" not in os.environ:  # pytest-xdist workers use the main process's folder
    FOLDER = tempfile.TemporaryDirectory(prefix="plyground-tables-")
    os.environ["PLYGROUND_TABLES"] = FOLDER.name
