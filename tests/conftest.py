"""What all tests share: random examples are the same in every run, and endgame tables in a folder of the run."""

import os
import tempfile

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")

if "PLYGROUND_TABLES" not in os.environ:  # the processes of a run inherit it from the first one, which takes it away
    FOLDER = tempfile.TemporaryDirectory(prefix="plyground-tables-")
    os.environ["PLYGROUND_TABLES"] = FOLDER.name
