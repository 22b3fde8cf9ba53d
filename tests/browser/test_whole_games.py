"""Whole games against Easy in a real browser: by mouse, by keys alone, and by touch on a phone."""

from __future__ import annotations

import pytest

from browser.conftest import PHONE, OpenPage
from browser.hands import Seat, by_keys, by_mouse, by_touch

GAMES = ["checkers", "connect4", "tictactoe", "chess"]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_mouse(open_page: OpenPage, game: str) -> None:
    ended = Seat(open_page(None)).begin(game).play_out(by_mouse)
    assert ended["position"]["outcome"]["winner"] in {ended["you"], None}
    assert ended["record"] is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_keys_alone(open_page: OpenPage, game: str) -> None:
    ended = Seat(open_page(None)).begin(game, seed=11).play_out(by_keys)
    assert ended["position"]["outcome"] is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_touch_on_a_phone(open_page: OpenPage, game: str) -> None:
    seat = Seat(open_page(None, size=PHONE, touch=True)).begin(game, seed=13)
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    ended = seat.play_out(by_touch)
    assert ended["position"]["outcome"] is not None
