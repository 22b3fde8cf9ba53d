"""The Play page and shared games while moves arrive: hints, flipping, animations, and the number of requests."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from browser.conftest import DESKTOP, PHONE, OpenPage, PageMonitor, wait_until
from browser.seat import Seat, by_mouse

HINTS = re.compile("^(Hint|More hints)$")


def show_hint(seat: Seat, steps: int) -> None:
    """Press the hint button several times."""
    button = seat.page.get_by_role("button", name=HINTS)
    for _ in range(steps):
        with seat.page.expect_response("**/hint"):
            button.click()
        expect(button).to_be_enabled()


def test_hints_and_arrows_disappear_with_their_game(seat: Seat) -> None:
    page = seat.page
    arrows = page.locator("g.hint, .hint-mark, p.hint")
    show_hint(seat, 2)
    expect(page.locator("g.hint")).not_to_have_count(0)
    page.keyboard.press("n")
    page.get_by_role("dialog", name="New game").get_by_role("button", name="Play").click()
    expect(arrows).to_have_count(0)
    show_hint(seat, 2)
    page.get_by_role("button", name="Chess").click()
    expect(seat.board).to_have_accessible_name("Chess board, you play white")
    expect(arrows).to_have_count(0)
    page.get_by_role("button", name="Checkers").click()
    expect(seat.board).to_have_accessible_name("Checkers board, you play black")
    expect(arrows).to_have_count(0)


def test_the_engines_results_disappear_with_their_game(open_page: OpenPage) -> None:
    page = open_page(None)
    finals: list[str] = []

    def receive(frame: str | bytes) -> None:
        if '"type":"report"' in str(frame) and '"final":true' in str(frame):
            finals.append(str(frame))

    page.on("websocket", lambda socket: socket.on("framereceived", receive))
    page.goto("/")
    seat = Seat(page).ready()
    page.keyboard.press(" ")
    rows = page.get_by_role("region", name="Search").locator("tbody tr")
    expect(rows).not_to_have_count(0)
    page.keyboard.press("n")
    page.get_by_role("dialog", name="New game").get_by_role("button", name="Play").click()
    wait_until(page, lambda: finals)  # the final report on the previous game
    expect(seat.board).to_be_visible()
    page.wait_for_function(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    expect(rows).to_have_count(0)


def test_a_hint_that_arrives_after_a_new_game_started_is_discarded(seat: Seat) -> None:
    page = seat.page
    routes = []
    page.route("**/hint", lambda route: routes.append(route))
    page.get_by_role("button", name=HINTS).click()
    wait_until(page, lambda: routes)
    page.keyboard.press("n")
    page.get_by_role("dialog", name="New game").get_by_role("button", name="Play").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    with page.expect_response("**/hint"):
        routes[0].continue_()
    expect(page.get_by_role("button", name=HINTS)).to_be_enabled()
    expect(page.locator("p.hint")).to_have_count(0)


def test_the_hint_button_fits(open_page: OpenPage) -> None:
    for size in (DESKTOP, {"width": 1280, "height": 720}, PHONE):
        seat = Seat(open_page("/", size=size)).ready()
        show_hint(seat, 1)
        outside = seat.page.get_by_role("button", name="More hints").evaluate(
            """button => {
              const { left, right } = button.getBoundingClientRect();
              const padding = parseFloat(getComputedStyle(button).paddingLeft);
              return [...button.children]
                .map((child) => child.getBoundingClientRect())
                .filter((box) => box.width > 0 && (box.left < left + padding || box.right > right - padding)).length;
            }"""
        )
        assert outside == 0, size


def test_flipping_the_board_moves_the_opponents_bar_below_it(seat: Seat) -> None:
    page = seat.page
    opponent = page.get_by_role("button", name="Medium")
    grid = seat.board.bounding_box()
    before = opponent.bounding_box()
    assert grid
    assert before
    assert before["y"] < grid["y"]
    page.keyboard.press("f")
    expect(page.get_by_text("Your move (you play black)")).to_be_visible()
    after, yours = opponent.bounding_box(), page.get_by_text("Your move (you play black)").bounding_box()
    assert after
    assert yours
    assert after["y"] > grid["y"] > yours["y"]
    opponent.click()
    page.get_by_role("button", name=re.compile("^Hard")).click()
    expect(page.get_by_role("button", name="Hard")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    expect(page.get_by_text("Hard won")).to_be_visible()
    expect(page.locator(".top")).to_contain_text("Hard")


def test_a_quick_reply_does_not_interrupt_the_animation_of_the_visitors_move(open_page: OpenPage) -> None:
    page = open_page(None)
    # Animations take 20 times as long; a move animation that starts while another is running is recorded as an overlap.
    page.add_init_script(
        """
        window.overlaps = [];
        window.moves = 0;
        const start = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
          const isMove = Array.isArray(frames) && frames.length > 1 && "transform" in frames[0];
          const animation = start.call(this, frames, { ...options, duration: options.duration * 20 });
          if (isMove) {
            window.moves += 1;
            if (window.running) window.overlaps.push(window.moves);
            window.running = true;
            animation.finished.finally(() => (window.running = false));
          }
          return animation;
        };
        """
    )
    seat = Seat(page).begin("checkers")
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    page.wait_for_function("() => window.moves === 2")
    assert page.evaluate("window.overlaps") == []
    reply = seat.game()["moves"][-1]["text"].split("-")[-1]
    expect(seat.square(reply)).to_have_attribute("aria-label", re.compile("white man"))


def count_requests(page: Page) -> list[str]:
    """Return a list that collects the URLs of the page's API requests."""
    paths: list[str] = []
    page.on("request", lambda request: paths.append(request.url) if "/api/" in request.url else None)
    return paths


def test_a_shared_game_follows_the_moves_without_further_requests(open_page: OpenPage) -> None:
    seat = Seat(open_page(None)).begin("tictactoe", humans=2, player=None)
    address = seat.page.request.post(f"/api/games/{seat.id}/share").json()["address"]
    other = open_page(None)
    sent: list[str] = []
    requests = count_requests(other)
    other.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    other.goto(address)
    other.get_by_role("grid").wait_for()
    expect(other.get_by_text("Live")).to_be_visible()
    opened = len(requests)
    for ply, move in enumerate(["a1", "b1", "a2", "b2"]):
        body = {"move": move, "ply": ply}
        assert seat.page.request.post(f"/api/games/{seat.id}/moves", data=body).ok
        expect(other.locator("[data-ply]").first).to_have_attribute("data-ply", str(ply + 1))
        expect(other.locator(f'[data-square="{move}"]')).to_have_attribute("aria-label", re.compile(f"^{move}, [xo]"))
    assert requests[opened:] == []
    assert len([frame for frame in sent if '"subscribe"' in frame]) == 1
    other.keyboard.press("ArrowLeft")
    expect(other.locator("[data-ply]").first).to_have_attribute("data-ply", "3")
    assert seat.page.request.post(f"/api/games/{seat.id}/undo", data={}).ok
    assert seat.page.request.post(f"/api/games/{seat.id}/moves", data={"move": "c3", "ply": 3}).ok
    other.keyboard.press("ArrowDown")
    expect(other.locator('[data-square="c3"]')).to_have_attribute("aria-label", re.compile("^c3, o"))
    expect(other.locator('[data-square="b2"]')).to_have_attribute("aria-label", "b2, empty")
    assert len(requests) <= opened + 1


def test_the_shortcut_list_has_one_section_per_topic(seat: Seat) -> None:
    seat.page.keyboard.press("?")
    dialog = seat.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    headings = dialog.get_by_role("heading", level=3).all_inner_texts()
    assert len(headings) == len(set(headings)) > 3


def test_a_command_that_cannot_reach_the_server_does_not_promise_a_retry(seat: Seat, monitor: PageMonitor) -> None:
    monitor.server_down = True
    seat.page.route("**/api/games/*/seats", lambda route: route.abort("connectionrefused"))
    seat.page.get_by_role("button", name="Medium").click()
    seat.page.get_by_role("button", name=re.compile("^Hard")).click()
    expect(seat.page.get_by_text("Cannot reach the server. Check the connection and try again.")).to_be_visible()
