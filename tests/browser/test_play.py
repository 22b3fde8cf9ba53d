"""The Play page: moves, hints, undo, levels, results, setting up positions, and sharing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE, OpenPage, PageMonitor
from browser.seat import Seat, by_mouse, by_touch, tap_key
from server.serving import Server


def test_the_start_page_shows_a_board_ready_to_move(seat: Seat) -> None:
    game = seat.game()
    assert (game["game"], game["your_side"]) == ("checkers", "black")
    assert game["seats"]["white"]["name"] == "Medium"
    seat.square("11").click()
    expect(seat.square("15")).to_have_attribute("aria-label", "15, empty, move here")
    seat.square("15").click()
    expect(seat.page.get_by_role("button", name="11-15")).to_be_visible()
    seat.wait_for_turn()
    assert seat.ply == 2


def test_a_piece_can_be_dragged(seat: Seat) -> None:
    seat.square("11").drag_to(seat.square("16"))
    seat.wait_for_turn()
    assert seat.game()["moves"][0]["text"] == "11-16"


def test_a_click_event_selects_a_square_only_without_a_pointer(seat: Seat) -> None:
    square = seat.square("11")
    square.dispatch_event("click", {"detail": 0})
    expect(square).to_have_attribute("aria-selected", "true")
    square.dispatch_event("click", {"detail": 1})
    expect(square).to_have_attribute("aria-selected", "true")
    square.dispatch_event("click", {"detail": 0})
    expect(square).to_have_attribute("aria-selected", "false")


def test_a_move_can_be_typed(seat: Seat) -> None:
    field = seat.page.get_by_label("Type a move")
    field.fill("11-17")
    field.press("Enter")
    expect(seat.page.get_by_text("is not a legal move here")).to_be_visible()
    field.fill("11-15")
    field.press("Enter")
    seat.wait_for_turn()
    assert seat.game()["moves"][0]["text"] == "11-15"


def test_a_forced_single_capture_is_announced_and_takes_one_click(open_page: OpenPage) -> None:
    seat = Seat(open_page(None)).begin("checkers", position="B:W18,30,31:B15,1")
    expect(seat.page.get_by_text("Black must capture: 15x22")).to_be_visible()
    expect(seat.square("15")).to_have_attribute("aria-label", "15, black man, must capture")
    seat.square("15").click()
    seat.wait_for_turn()
    assert seat.game()["moves"][0]["text"] == "15x22"


def test_a_multiple_capture_is_played_by_clicking_its_last_square_or_every_square(open_page: OpenPage) -> None:
    start = "B:W6,14,15,31:B1,12"
    seat = Seat(open_page(None)).begin("checkers", position=start)
    paths = {move["text"]: move["path"] for move in seat.game()["position"]["moves"]}
    assert len(paths) > 1
    text, path = max(paths.items(), key=lambda item: len(item[1]))
    assert len(path) > 2
    seat.square(path[0]).click()
    seat.square(path[-1]).click()
    seat.wait_for_turn()
    assert seat.game()["moves"][0]["text"] == text
    other = Seat(open_page(None)).begin("checkers", position=start)
    for square in path:
        if other.turn == "yours" and other.ply == 0:
            other.square(square).click()
    other.wait_for_turn()
    assert other.game()["moves"][0]["text"] == text


def test_a_promotion_asks_for_the_piece(open_page: OpenPage) -> None:
    seat = Seat(open_page(None)).begin("chess", position="8/4P3/8/8/8/k7/8/4K3 w - - 0 1")
    seat.square("e7").click()
    seat.square("e8").click()
    seat.page.get_by_role("dialog", name="Promote to").get_by_role("button", name="rook").click()
    seat.wait_for_turn()
    assert seat.game()["moves"][0]["text"] == "e7e8r"


def test_each_press_of_hint_shows_more(seat: Seat) -> None:
    hint = seat.page.get_by_role("button", name=re.compile("^(Hint|More hints)$"))
    texts = []
    for step in range(1, 5):
        with seat.page.expect_response("**/hint") as answer:
            hint.click()
        assert answer.value.json()["step"] == step
        expect(hint).to_be_enabled()
        texts.append(seat.page.locator("p.hint").inner_text())
    assert len(set(texts)) == 4
    seat.page.keyboard.press("f")
    by_mouse(seat, seat.best())
    expect(seat.page.locator("p.hint")).to_have_count(0)


def test_all_steps_of_a_connect_four_hint_agree(open_page: OpenPage) -> None:
    seat = Seat(open_page(None)).begin("connect4", moves=[*"1234567123456", "7", "4"], side="yellow")
    seat.wait_for_turn()
    hint, text = seat.page.get_by_role("button", name=re.compile("^(Hint|More hints)$")), seat.page.locator("p.hint")
    steps = []
    for step in range(1, 5):
        with seat.page.expect_response("**/hint") as answer:
            hint.click()
        steps.append(answer.value.json())
        expect(text).to_have_text(steps[-1]["text"])
        assert steps[-1]["step"] == step
    best = steps[3]["moves"][0]
    assert best["move"] == steps[1]["move"] == steps[2]["pv"][0] == "4"
    assert steps[3]["text"].startswith("4: loss in 6 · ")
    labels = seat.page.locator("g.badge.hint text").all_text_contents()
    assert labels == [one["exact"]["result"] for one in steps[3]["moves"][:3]]


def test_the_evaluation_bar_shows_the_source_of_its_evaluation(seat: Seat) -> None:
    meter = seat.page.get_by_role("meter", name="Evaluation")
    expect(meter).to_have_attribute("aria-valuetext", "not available")
    by_mouse(seat, ["11", "15"])
    expect(meter).to_have_attribute("aria-valuetext", re.compile(r"^Medium: \d+% for black$"))
    expect(meter).to_contain_text("Medium")
    seat.wait_for_turn()
    seat.page.keyboard.press(" ")
    expect(meter).to_have_attribute("aria-valuetext", re.compile(r"^Engine: \d+% for black$"))
    expect(meter).to_contain_text("Engine")
    seat.page.keyboard.press(" ")
    seat.page.reload()
    expect(meter).to_have_attribute("aria-valuetext", re.compile(r"^Medium: \d+% for black$"))


def test_undo_returns_to_your_turn(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.get_by_role("button", name="Undo").click()
    expect(seat.status).to_have_attribute("data-ply", "0")
    assert seat.wait_for_turn() == "yours"
    assert seat.game()["moves"] == []


def test_the_level_can_be_changed_during_a_game(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.get_by_role("button", name="Medium").click()
    seat.page.get_by_role("button", name=re.compile("^Hard")).click()
    expect(seat.page.get_by_role("button", name="Hard")).to_be_visible()
    assert seat.game()["seats"]["white"]["player"] == "Hard"
    by_mouse(seat, seat.best())
    seat.wait_for_turn()
    assert seat.ply == 4


def test_a_game_is_saved_as_a_file(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.get_by_role("button", name="More").click()
    with seat.page.expect_download() as saved:
        seat.page.get_by_role("link", name="Save as PDN").click()
    assert "11-15" in Path(saved.value.path()).read_text()


def test_resigning_asks_for_confirmation_and_ends_the_game(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.get_by_role("button", name="Resign").click()
    seat.page.get_by_role("button", name="Sure?").click()
    expect(seat.page.get_by_text("Medium won")).to_be_visible()
    before = seat.id
    seat.page.get_by_role("button", name="Rematch").click()
    seat.page.wait_for_function("before => !location.pathname.endsWith(before)", arg=before)
    seat.wait_for_turn()
    assert seat.game()["your_side"] == "white"
    expect(seat.board).to_have_accessible_name("Checkers board, you play white")


def test_the_dialog_starts_a_new_game(seat: Seat) -> None:
    seat.page.keyboard.press("n")
    dialog = seat.page.get_by_role("dialog", name="New game")
    dialog.get_by_text("Connect Four").click()
    dialog.get_by_text("Hard", exact=True).click()
    dialog.get_by_text("Yellow").click()
    dialog.get_by_text("3 + 2").click()
    dialog.get_by_role("button", name="Play").click()
    expect(seat.board).to_have_accessible_name("Connect Four board, you play yellow")
    game = seat.game()
    assert game["seats"]["red"]["player"] == "Hard"
    assert game["clock"]["seconds"] == 180
    expect(seat.page.get_by_role("timer").first).to_be_visible()


def test_two_players_share_one_device(seat: Seat) -> None:
    seat.page.keyboard.press("n")
    dialog = seat.page.get_by_role("dialog", name="New game")
    dialog.get_by_text("Tic-tac-toe").click()
    dialog.get_by_text("Two players, one device").click()
    dialog.get_by_role("button", name="Play").click()
    expect(seat.board).to_have_accessible_name("Tic-tac-toe board")
    for ply, square in enumerate(["a1", "b2", "a2", "b3", "a3"]):
        expect(seat.status).to_have_attribute("data-ply", str(ply))
        seat.square(square).click()
    expect(seat.page.get_by_text("X wins: line").first).to_be_visible()


def test_a_position_is_set_up_and_played(seat: Seat, monitor: PageMonitor) -> None:
    monitor.expect_rejection = True  # the position is invalid while pieces are being placed
    seat.page.get_by_role("button", name="More").click()
    seat.page.get_by_role("button", name="Set up a position").click()
    dialog = seat.page.get_by_role("dialog", name="Set up a position")
    dialog.get_by_role("button", name="Clear board").click()
    board = dialog.get_by_role("grid")
    dialog.get_by_role("button", name="black king").click()
    board.locator('[data-square="15"]').click()
    dialog.get_by_role("button", name="white man").click()
    board.locator('[data-square="30"]').click()
    use = dialog.get_by_role("button", name="Use this position")
    expect(use).to_be_enabled()
    use.click()
    seat.page.get_by_role("dialog", name="New game").get_by_role("button", name="Play").click()
    expect(seat.square("15")).to_have_attribute("aria-label", re.compile("^15, black king"))
    assert seat.game()["position"]["cells"] == {"15": "B", "30": "w"}


def test_the_coach_warns_without_the_best_move_and_offers_undo(open_page: OpenPage) -> None:
    seat = Seat(open_page(None)).begin("tictactoe", coach_enabled=True, position="x../.o./..x", side="o", player="Hard")
    seat.wait_for_turn()
    seat.square("a1").click()
    expect(seat.page.get_by_text("That move was a mistake. Undo it?")).to_be_visible()
    seat.page.get_by_role("button", name="Take it back").click()
    expect(seat.status).to_have_attribute("data-ply", "0")


def test_arrow_keys_step_through_the_game(seat: Seat) -> None:
    for path in (["11", "15"], None):
        by_mouse(seat, path or seat.best())
        seat.wait_for_turn()
    label = seat.square("11").get_attribute("aria-label")
    seat.page.keyboard.press("ArrowUp")
    expect(seat.page.get_by_text("Ply 0 of 4")).to_be_visible()
    expect(seat.square("11")).to_have_attribute("aria-label", "11, black man")
    seat.page.keyboard.press("ArrowRight")
    expect(seat.page.get_by_text("Ply 1 of 4")).to_be_visible()
    seat.page.keyboard.press("ArrowDown")
    expect(seat.page.get_by_text("Ply 1 of 4")).to_have_count(0)
    assert seat.square("11").get_attribute("aria-label") == label


def test_the_previous_position_is_shown_while_a_button_or_key_is_held(seat: Seat) -> None:
    button = seat.page.get_by_role("button", name="Show the position before the last move")
    expect(button).to_be_disabled()
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    last = seat.game()["moves"][-1]["notation"]
    origin = seat.square(seat.game()["position"]["last_move"]["path"][0])
    status = seat.page.get_by_text(f"Before {last}", exact=True).first
    occupied = re.compile("white man")
    expect(origin).not_to_have_attribute("aria-label", occupied)
    tap_key(seat, "b")
    expect(status).to_be_visible()
    expect(origin).to_have_attribute("aria-label", occupied)
    expect(seat.page.locator("g.line .shaft")).to_have_count(1)
    assert seat.page.locator("[aria-label*='can move']").count() == 0
    tap_key(seat, "b")
    expect(status).to_be_hidden()
    expect(origin).not_to_have_attribute("aria-label", occupied)
    button.hover()
    seat.page.mouse.down()
    expect(status).to_be_visible()
    seat.page.wait_for_timeout(500)
    expect(status).to_be_visible()
    seat.page.mouse.up()
    expect(status).to_be_hidden()
    button.focus()
    seat.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    seat.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")


def test_on_a_phone_the_menu_shows_the_previous_position(open_page: OpenPage) -> None:
    seat = Seat(open_page("/", size=PHONE, touch=True)).ready()
    by_touch(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.get_by_role("button", name="More").tap()
    seat.page.get_by_role("button", name="Show the position before the last move").tap()
    status = seat.page.get_by_text(f"Before {seat.game()['moves'][-1]['notation']}", exact=True).first
    expect(status).to_be_visible()
    seat.page.get_by_role("button", name="Back to the game").tap()
    expect(status).to_be_hidden()


@pytest.mark.parametrize(
    ("game", "moves", "line"),
    [
        ("tictactoe", ["a1", "b1", "b2", "b3", "c3"], {"a1", "b2", "c3"}),
        ("connect4", ["4", "4", "5", "5", "6", "6", "7"], {"d1", "e1", "f1", "g1"}),
    ],
)
def test_the_winning_line_is_drawn(open_page: OpenPage, game: str, moves: list[str], line: set[str]) -> None:
    seat = Seat(open_page(None)).begin(game, humans=2, player=None)
    drawn = seat.page.locator("path.won")
    labelled = seat.board.locator("[aria-label*='in the winning line']")
    for ply, move in enumerate(moves):
        expect(seat.status).to_have_attribute("data-ply", str(ply))
        expect(drawn).to_have_count(0)
        body = {"move": move, "ply": ply}
        assert seat.page.request.post(f"/api/games/{seat.id}/moves", data=body).ok
    expect(drawn).to_have_count(2)  # the line and its outline
    assert {square.get_attribute("data-square") for square in labelled.all()} == line
    seat.page.keyboard.press("ArrowLeft")
    expect(drawn).to_have_count(0)
    seat.page.get_by_role("button", name="Back to the game").click()
    seat.page.get_by_role("link", name="Review").click()
    seat.page.wait_for_url("**/analyse/*")
    seat.page.get_by_role("button", name="Last position").click()
    expect(drawn).to_have_count(2)


def test_search_statistics_remain_when_the_engine_stops(seat: Seat) -> None:
    seat.page.keyboard.press(" ")
    panel = seat.page.get_by_role("region", name="Search")
    expect(panel.get_by_role("heading")).to_have_text("Engine")
    expect(panel.locator("tbody tr")).to_have_count(7)
    seat.page.keyboard.press(" ")
    expect(panel.get_by_text("done")).to_be_visible()
    statistics = panel.locator("tbody").inner_text()
    seat.page.wait_for_timeout(300)
    assert panel.locator("tbody").inner_text() == statistics
    seat.page.keyboard.press("1")
    seat.wait_for_turn()
    assert seat.ply == 2


def test_question_mark_opens_the_list_of_shortcuts(seat: Seat) -> None:
    seat.page.keyboard.press("?")
    dialog = seat.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog.get_by_text("Flip board")).to_be_visible()
    seat.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_survives_a_reload(seat: Seat, theme: str) -> None:
    button = seat.page.get_by_role("button", name=re.compile("^Theme"))
    while theme not in (button.get_attribute("aria-label") or ""):
        button.click()
    seat.page.reload()
    assert seat.page.evaluate("document.documentElement.dataset.theme") == theme


def test_a_shared_game_is_read_only(seat: Seat, open_page: OpenPage) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    address = seat.page.request.post(f"/api/games/{seat.id}/share").json()["address"]
    other = open_page(address)
    expect(other.get_by_role("button", name="11-15")).to_be_visible()
    other.locator('[data-square="10"]').click()
    expect(other.locator('[data-square="10"]')).to_have_attribute("aria-label", "10, black man")


def test_an_unknown_address_links_back_to_the_board(open_page: OpenPage) -> None:
    page = open_page("/nowhere")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.get_by_role("link", name="Back to the board").click()
    expect(page.get_by_role("grid")).to_be_visible()


def test_a_user_game_is_played_on_a_plain_board(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "games.py"
    file.write_text("import plyground.examples.nim\nimport plyground.examples.tictactoe\n")
    server = Server(tmp_path / "store.sqlite", user_game=str(file)).start()
    try:
        seat = Seat(open_page("/", address=server.address)).ready()
        seat.page.get_by_role("button", name="Your games").click()
        seat.page.get_by_role("button", name="My tic-tac-toe").click()
        expect(seat.board).to_have_accessible_name("My tic-tac-toe board, you play x")
        while seat.wait_for_turn() == "yours":
            before = seat.ply
            seat.square(seat.game()["position"]["moves"][0]["path"][0]).click()
            expect(seat.status).not_to_have_attribute("data-ply", str(before))
        expect(seat.page.get_by_role("link", name="Review")).to_be_visible()
        seat.page.get_by_role("button", name="My tic-tac-toe").click()
        seat.page.get_by_role("button", name="Nim", exact=True).click()
        seat.page.get_by_role("group", name="Legal moves").get_by_role("button").first.click()
        expect(seat.status).to_have_attribute("data-ply", "2")
    finally:
        seat.page.close()
        server.stop()
