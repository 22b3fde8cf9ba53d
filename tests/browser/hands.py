"""A visitor at the board, with three kinds of hands: a mouse, keys, fingers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from plyground import game
from plyground._engine import Position
from plyground.agents import Limit, agent

Play = Callable[["Seat", list[str]], None]


class Seat:
    """A visitor who sits at a game's table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def ready(self) -> Seat:
        """Waits for the board."""
        self.board.wait_for()
        self.page.wait_for_url("**/play/*")
        return self

    @property
    def board(self) -> Locator:
        """The grid of squares."""
        return self.page.get_by_role("grid")

    @property
    def table(self) -> Locator:
        """What carries the ply and whose turn it is."""
        return self.page.locator("[data-ply]").first

    @property
    def id(self) -> str:
        """The game's id, from the address."""
        return self.page.url.split("/play/")[1].split("?")[0]

    @property
    def ply(self) -> int:
        """How many moves the page knows."""
        return int(self.table.get_attribute("data-ply") or 0)

    @property
    def turn(self) -> str:
        """`yours`, `theirs` or `over`, as the page shows it."""
        return self.table.get_attribute("data-turn") or ""

    def square(self, name: str) -> Locator:
        """A square of the board."""
        return self.board.locator(f'[data-square="{name}"]')

    def game(self) -> Any:
        """The game as the server has it."""
        return self.page.request.get(f"/api/games/{self.id}").json()

    def position(self) -> Position:
        """The same as a position of the engine."""
        told = self.game()
        return game(told["game"]).position(told["start"], [move["text"] for move in told["moves"]])

    def begin(self, name: str, **wanted: Any) -> Seat:
        """Begins a game with a seed, so that it goes the same way each time, and opens it."""
        body = {"game": name, "player": "Easy", "seed": 7, **wanted}
        answer = self.page.request.post("/api/games", data=body)
        assert answer.ok, answer.text()
        self.page.goto(f"/play/{answer.json()['id']}")
        self.board.wait_for()
        return self

    def wait_for_turn(self) -> str:
        """Waits until it is the visitor's turn or the game is over; which of them."""
        self.page.wait_for_selector("[data-turn=yours], [data-turn=over]")
        return self.turn

    def best(self) -> list[str]:
        """The squares of a good move: deep enough to finish a game soon."""
        position = self.position()
        thought = agent("alphabeta").analyse(position, Limit(depth=7 if position.game.id == "checkers" else 4), seed=1)
        return position.path(thought.best.move)

    def play_out(self, play: Play, most: int = 120) -> Any:
        """Plays to the end; the game as the server has it then."""
        for _ in range(most):
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
    """Clicks where a piece stands and where it goes; a forced capture is played by the first click alone."""
    before = seat.ply
    seat.square(path[0]).click()
    if len(path) > 1 and seat.ply == before and seat.turn == "yours":
        seat.square(path[-1]).click()
    choose_queen(seat)


def by_touch(seat: Seat, path: list[str]) -> None:
    """Taps."""
    before = seat.ply
    seat.square(path[0]).tap()
    if len(path) > 1 and seat.ply == before and seat.turn == "yours":
        seat.square(path[-1]).tap()
    choose_queen(seat)


def by_keys(seat: Seat, path: list[str]) -> None:
    """Walks the board with the arrow keys from wherever the focus is; no pointer is ever used."""
    page = seat.page
    if not page.evaluate("document.activeElement?.matches('[data-square]') ?? false"):
        reach(page, "[data-square]")
    for square in [path[0], path[-1]] if len(path) > 1 else [path[0]]:
        walk_to(seat, square)
        before = seat.ply
        page.keyboard.press("Enter")
        if seat.ply != before or seat.turn != "yours":
            return
    choose_queen(seat, keys=True)


def reach(page: Page, selector: str, most: int = 60) -> None:
    """Presses Tab until something has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
    raise AssertionError(f"Tab never reaches {selector}")


WHERE = """name => {
  const at = (square) => [Number(square.parentElement.ariaRowIndex), Number(square.ariaColIndex)];
  const wanted = document.querySelector(`[data-square="${name}"]`);
  return [at(document.activeElement), at(wanted)];
}"""


def walk_to(seat: Seat, square: str) -> None:
    """Goes to a square by arrow keys: to its row, then along it."""
    for _ in range(40):
        (row, column), (to_row, to_column) = seat.page.evaluate(WHERE, square)
        if (row, column) == (to_row, to_column):
            return
        if row != to_row:
            seat.page.keyboard.press("ArrowDown" if row < to_row else "ArrowUp")
        else:
            seat.page.keyboard.press("ArrowRight" if column < to_column else "ArrowLeft")
    raise AssertionError(f"the arrow keys do not lead to {square}")


def choose_queen(seat: Seat, *, keys: bool = False) -> None:
    """Answers the question what a pawn becomes, where it is asked."""
    asked = seat.page.get_by_role("dialog", name="Becomes")
    if asked.count() == 0:
        return
    queen = asked.get_by_role("button", name="queen")
    if keys:
        queen.focus()
        seat.page.keyboard.press("Enter")
    else:
        queen.click()
