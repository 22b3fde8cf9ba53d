"""Stored game states."""

from __future__ import annotations

from plyground.server.play.state import CoachMessage, GameState

OLD_STATE = {
    "game": "tictactoe",
    "start": None,
    "moves": ["b2"],
    "redo": [],
    "players": {"x": None, "o": "Easy"},
    "seed": 1,
    "started": "2026-01-01T00:00:00.000+00:00",
    "updated": "2026-01-01T00:00:01.000+00:00",
    "coaching": True,
    "coach": {"ply": 0, "text": "Careful."},
    "clocks": {"seconds": 60.0, "increment": 1.0, "left": {"x": 59.0, "o": 60.0}},
    "pace": {"paused": True, "seconds": 2.0},
    "ending": None,
    "sides": ["x"],
    "seconds": [1.0],
    "values": [None],
    "version": 2,
}


def test_loads_states_from_earlier_versions() -> None:
    state = GameState.model_validate(OLD_STATE)
    assert state.coach_enabled
    assert state.coach_message == CoachMessage(ply=0, text="Careful.")
    assert state.clocks is not None
    assert state.clocks.remaining == {"x": 59.0, "o": 60.0}
    assert (state.playback.paused, state.playback.move_delay) == (True, 2.0)


def test_a_state_round_trips() -> None:
    state = GameState.model_validate(OLD_STATE)
    assert GameState.model_validate(state.model_dump(mode="json")) == state
