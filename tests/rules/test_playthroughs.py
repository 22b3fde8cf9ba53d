"""Compares the recorded playthroughs with newly played games."""

from __future__ import annotations

import difflib

import pytest

from rules.playthroughs import COMMAND, FOLDER, PLAYTHROUGHS, Playthrough


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_the_game_matches_its_transcript(playthrough: Playthrough) -> None:
    recorded = playthrough.path.read_text() if playthrough.path.exists() else ""
    played = playthrough.transcript()
    if played != recorded:
        lines = difflib.unified_diff(recorded.splitlines(), played.splitlines(), "recorded", "played", lineterm="", n=2)
        diff = "\n".join(list(lines)[:60])
        pytest.fail(f"{playthrough.path.name} differs; to accept the change, run: {COMMAND}\n{diff}", pytrace=False)


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_the_game_has_the_expected_outcome(playthrough: Playthrough) -> None:
    assert playthrough.transcript().splitlines()[-1] == playthrough.outcome


def test_there_is_one_transcript_per_playthrough() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {playthrough.path.name for playthrough in PLAYTHROUGHS}
