"""The games in writing are still played the same way and look the same."""

from __future__ import annotations

import difflib

import pytest

from rules.playthroughs import COMMAND, FOLDER, PLAYTHROUGHS, Playthrough


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_the_game_reads_as_written(playthrough: Playthrough) -> None:
    written = playthrough.path.read_text() if playthrough.path.exists() else ""
    played = playthrough.transcript()
    if played != written:
        lines = difflib.unified_diff(written.splitlines(), played.splitlines(), "written", "played", lineterm="", n=2)
        diff = "\n".join(list(lines)[:60])
        pytest.fail(f"{playthrough.path.name} differs; if that is meant: {COMMAND}\n{diff}", pytrace=False)


def test_every_transcript_has_its_game() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {playthrough.path.name for playthrough in PLAYTHROUGHS}
