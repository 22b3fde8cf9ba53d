"""Complete games against Easy in a real browser: with the mouse, with the keyboard only, and by touch on a phone."""

from __future__ import annotations

import pytest

from browser.conftest import PHONE, OpenPage
from browser.seat import Seat, by_keys, by_mouse, by_touch

GAMES = ["checkers", "connect4", "tictactoe", "chess"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_with_the_mouse(open_page: OpenPage, game: str) -> None:
    finished = Seat(open_page(None)).begin(game).play_out(by_mouse)
    assert finished["position"]["outcome"]["winner"] in {finished["your_side"], None}
    assert finished["record_id"] is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_with_the_keyboard_only(open_page: OpenPage, game: str) -> None:
    finished = Seat(open_page(None)).begin(game, seed=11).play_out(by_keys)
    assert finished["position"]["outcome"] is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_by_touch_on_a_phone(open_page: OpenPage, game: str) -> None:
    seat = Seat(open_page(None, size=PHONE, touch=True)).begin(game, seed=13)
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    finished = seat.play_out(by_touch)
    assert finished["position"]["outcome"] is not None
