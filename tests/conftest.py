"""What all tests share: random examples are the same in every run, and nobody's own store and tables are touched."""

import os
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

from plyground.store.database import VARIABLE

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def store_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where commands keep games that name no store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(tmp_path_factory.mktemp("store") / "store.sqlite"))
        yield


if "PLYGROUND_TABLES" not in os.environ:  # the processes of a run inherit it from the first one, which takes it away
    FOLDER = tempfile.TemporaryDirectory(prefix="plyground-tables-")
    os.environ["PLYGROUND_TABLES"] = FOLDER.name
