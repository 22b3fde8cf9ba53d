"""A visitor on the Play page who moves by mouse, keyboard or touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from plyground import game
from plyground._engine import Position
from plyground.agents import Limit, agent

Play = Callable[["Seat", list[str]], None]


class Seat:
    """A visitor and the game on the Play page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def ready(self) -> Seat:
        """Wait for the board."""
        self.board.wait_for()
        self.page.wait_for_url("**/play/*")
        return self

    @property
    def board(self) -> Locator:
        """The grid of squares."""
        return self.page.get_by_role("grid")

    @property
    def status(self) -> Locator:
        """The element that shows the ply and the turn."""
        return self.page.locator("[data-ply]").first

    @property
    def id(self) -> str:
        """The ID of the game, from the URL."""
        return self.page.url.split("/play/")[1].split("?")[0]

    @property
    def ply(self) -> int:
        """The number of moves played, as shown on the page."""
        return int(self.status.get_attribute("data-ply") or 0)

    @property
    def turn(self) -> str:
        """The turn shown on the page: `yours`, `theirs` or `over`."""
        return self.status.get_attribute("data-turn") or ""

    def square(self, name: str) -> Locator:
        """Return a square of the board."""
        return self.board.locator(f'[data-square="{name}"]')

    def game(self) -> Any:
        """Return the game from the server."""
        return self.page.request.get(f"/api/games/{self.id}").json()

    def position(self) -> Position:
        """Return the position of the game."""
        view = self.game()
        return game(view["game"]).position(view["start"], [move["text"] for move in view["moves"]])

    def begin(self, name: str, **request: Any) -> Seat:
        """Start a game with a fixed seed and open it."""
        body = {"game": name, "player": "Easy", "seed": 7, **request}
        answer = self.page.request.post("/api/games", data=body)
        assert answer.ok, answer.text()
        self.page.goto(f"/play/{answer.json()['id']}")
        self.board.wait_for()
        return self

    def wait_for_turn(self) -> str:
        """Wait until it is the visitor's turn or the game is over, and return the turn."""
        self.page.wait_for_selector("[data-turn=yours], [data-turn=over]")
        return self.turn

    def wait_for_selection(self, square: str, ply: int) -> bool:
        """Wait until a square is selected, or until its only move is played because it is a forced capture.

        Return whether the square is selected.
        """
        self.page.wait_for_function(
            """([square, ply]) => Number(document.querySelector("[data-ply]").dataset.ply) > ply
              || document.querySelector(`[data-square="${square}"]`)?.ariaSelected === 'true'""",
            arg=[square, ply],
        )
        return self.ply == ply

    def best(self) -> list[str]:
        """Return the squares of the move that a shallow alpha-beta search prefers."""
        position = self.position()
        analysis = agent("alphabeta").analyse(position, Limit(depth=7 if position.game.id == "checkers" else 4), seed=1)
        return position.path(analysis.best.move)

    def play_out(self, play: Play, max_moves: int = 120) -> Any:
        """Play to the end and return the finished game."""
        for _ in range(max_moves):
            if self.wait_for_turn() == "over":
                break
            before = self.ply
            play(self, self.best())
            self.page.wait_for_function(
                "before => Number(document.querySelector('[data-ply]').dataset.ply) > before", arg=before
            )
        expect(self.page.get_by_role("link", name="Review")).to_be_visible()
        return self.game()


def by_mouse(seat: Seat, path: list[str]) -> None:
    """Click the first and the last square; a forced capture needs only the first click."""
    before = seat.ply
    seat.square(path[0]).click()
    if len(path) > 1 and seat.wait_for_selection(path[0], before):
        seat.square(path[-1]).click()
    choose_queen(seat)


def by_touch(seat: Seat, path: list[str]) -> None:
    """Tap the first and the last square."""
    before = seat.ply
    seat.square(path[0]).tap()
    if len(path) > 1 and seat.wait_for_selection(path[0], before):
        seat.square(path[-1]).tap()
    choose_queen(seat)


def by_keys(seat: Seat, path: list[str]) -> None:
    """Move the focus with the arrow keys and press Enter on the first and the last square."""
    page = seat.page
    if not page.evaluate("document.activeElement?.matches('[data-square]') ?? false"):
        reach(page, "[data-square]")
    before = seat.ply
    walk_to(seat, path[0])
    page.keyboard.press("Enter")
    if len(path) > 1:
        if not seat.wait_for_selection(path[0], before):
            return
        walk_to(seat, path[-1])
        page.keyboard.press("Enter")
    choose_queen(seat, keys=True)


def tap_key(seat: Seat, key: str) -> None:
    """Press a key so briefly that it is not held, even on a busy machine."""
    seat.page.evaluate(
        """key => {
          for (const type of ["keydown", "keyup"])
            document.body.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
        }""",
        key,
    )


def reach(page: Page, selector: str, max_presses: int = 60) -> None:
    """Press Tab until an element that matches the selector has focus."""
    for _ in range(max_presses):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
    raise AssertionError(f"Tab never reaches {selector}")


WHERE = """name => {
  const at = (square) => [Number(square.parentElement.ariaRowIndex), Number(square.ariaColIndex)];
  const target = document.querySelector(`[data-square="${name}"]`);
  return [at(document.activeElement), at(target)];
}"""


def walk_to(seat: Seat, square: str) -> None:
    """Move the focus to a square with the arrow keys: first to its row, then along it."""
    for _ in range(40):
        (row, column), (to_row, to_column) = seat.page.evaluate(WHERE, square)
        if (row, column) == (to_row, to_column):
            return
        if row != to_row:
            seat.page.keyboard.press("ArrowDown" if row < to_row else "ArrowUp")
        else:
            seat.page.keyboard.press("ArrowRight" if column < to_column else "ArrowLeft")
    raise AssertionError(f"the arrow keys do not reach {square}")


def choose_queen(seat: Seat, *, keys: bool = False) -> None:
    """Choose the queen if the promotion dialog is open."""
    dialog = seat.page.get_by_role("dialog", name="Promote to")
    if dialog.count() == 0:
        return
    queen = dialog.get_by_role("button", name="queen")
    if keys:
        queen.focus()
        seat.page.keyboard.press("Enter")
    else:
        queen.click()
