"""The form for agents: levels, presets and custom agents wherever a player is chosen."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from browser.accessibility import each_layout, violations
from browser.conftest import OpenPage
from browser.seat import Seat, by_mouse


def new_game(page: Page) -> Locator:
    """Open the dialog for a new game."""
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="New game")
    expect(dialog).to_be_visible()
    return dialog


def spec(form: Locator) -> Locator:
    """Return the text field with the spec."""
    return form.get_by_label(re.compile(": spec$"))


def test_a_custom_agent_is_set_up_with_its_options(seat: Seat) -> None:
    dialog = new_game(seat.page)
    dialog.get_by_text("Custom agent", exact=True).click()
    dialog.get_by_label("Simulations", exact=True).fill("40")
    dialog.get_by_label("c", exact=True).fill("0.7")
    dialog.get_by_label("Selection", exact=True).select_option("puct")
    expect(spec(dialog)).to_have_value("mcts(simulations=40, c=0.7, selection=puct)")
    dialog.get_by_text("More options").click()
    dialog.get_by_label("Solver", exact=True).select_option("No")
    expect(spec(dialog)).to_have_value("mcts(simulations=40, c=0.7, selection=puct, solver=false)")
    dialog.get_by_label("c", exact=True).fill("")
    dialog.get_by_role("button", name="Play").click()
    expect(dialog).to_be_hidden()
    expect(seat.page.get_by_role("button", name="mcts", exact=True)).to_be_visible()
    assert seat.game()["seats"]["white"]["player"] == "mcts(simulations=40, selection=puct, solver=false)"
    by_mouse(seat, ["11", "15"])
    assert seat.wait_for_turn() == "yours"
    assert seat.ply == 2


def test_every_option_that_the_server_declares_has_a_field(seat: Seat) -> None:
    agents = seat.page.request.get("/api/catalog").json()["agents"]
    dialog = new_game(seat.page)
    dialog.get_by_text("Custom agent", exact=True).click()
    method = dialog.get_by_role("combobox", name="Method")
    offered = [option.get_attribute("value") for option in method.get_by_role("option").all()]
    assert offered == [one["name"] for one in agents if one["games"] is None or "checkers" in one["games"]]
    for agent in agents:
        if agent["name"] not in offered:
            continue
        method.select_option(agent["name"])
        main = [one["description"] for one in agent["options"] if one["is_main"]]
        expect(dialog.locator(".options:not(.more) .about")).to_have_text(main)
        if len(main) < len(agent["options"]):
            dialog.get_by_text("More options").click()
            expect(dialog.locator(".options .about")).to_have_count(len(agent["options"]))


def test_an_invalid_value_is_explained_at_its_field_and_not_sent(seat: Seat) -> None:
    requests: list[str] = []
    seat.page.on("request", lambda request: requests.append(f"{request.method} {request.url}"))
    dialog = new_game(seat.page)
    dialog.get_by_text("Custom agent", exact=True).click()
    field = dialog.get_by_label("c", exact=True)
    field.fill("-1")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_role("alert")).to_have_text("c must be between 0 and 100.")
    expect(spec(dialog)).to_have_value("mcts(simulations=2000)")
    dialog.get_by_role("button", name="Play").click()
    expect(field).to_be_focused()
    field.fill("1")
    expect(dialog.get_by_role("alert")).to_have_count(0)
    spec(dialog).fill("nobody(depth=3)")
    expect(dialog.get_by_role("alert")).to_contain_text("Unknown agent nobody. Available agents: mcts")
    spec(dialog).fill("alphabeta(depth=0)")
    expect(dialog.get_by_role("alert").first).to_contain_text("depth must be an integer between 1 and 200.")
    dialog.get_by_role("button", name="Play").click()
    expect(dialog).to_be_visible()
    spec(dialog).fill("alphabeta(weights=nobody)")
    expect(dialog.get_by_role("alert").first).to_contain_text("weights must be none or one of default")
    spec(dialog).fill("alphabeta(killers=maybe)")  # an option that is initially hidden
    expect(dialog.get_by_label("Killers")).to_be_visible()
    assert not [request for request in requests if request.startswith("POST") and request.endswith("/api/games")]
    spec(dialog).fill("alphabeta(depth=2)")
    expect(dialog.get_by_label("Depth", exact=True)).to_have_value("2")
    dialog.get_by_role("button", name="Play").click()
    expect(seat.page.get_by_role("button", name="alphabeta(depth=2)")).to_be_visible()


def test_a_preset_is_played_and_can_be_edited(seat: Seat) -> None:
    dialog = new_game(seat.page)
    dialog.get_by_text("Presets", exact=True).click()
    presets = dialog.get_by_role("combobox", name="Preset", exact=True)
    presets.select_option("samuel")
    expect(dialog).to_contain_text("ten features with hand-set weights")
    dialog.get_by_role("button", name="Play").click()
    expect(seat.page.get_by_role("button", name="samuel")).to_be_visible()
    assert seat.game()["seats"]["white"]["player"] == "samuel"
    dialog = new_game(seat.page)
    expect(dialog.get_by_role("combobox", name="Preset", exact=True)).to_have_value("samuel")
    dialog.get_by_text("Custom agent", exact=True).click()
    expect(spec(dialog)).to_have_value("alphabeta(weights=default, depth=5)")
    dialog.get_by_text("Chess", exact=True).click()
    dialog.get_by_text("Presets", exact=True).click()
    offered = [
        option.inner_text() for option in dialog.get_by_role("combobox", name="Preset").get_by_role("option").all()
    ]
    assert "ucb1-material" in offered
    assert "samuel" not in offered


def test_the_opponent_is_replaced_by_a_preset_during_a_game(seat: Seat) -> None:
    by_mouse(seat, ["11", "15"])
    seat.wait_for_turn()
    seat.page.get_by_role("button", name="Medium").click()
    seat.page.get_by_role("button", name="Presets and custom agents…").click()
    dialog = seat.page.get_by_role("dialog", name="Change opponent")
    dialog.get_by_text("Presets", exact=True).click()
    dialog.get_by_role("combobox", name="Preset", exact=True).select_option("flat-100")
    dialog.get_by_role("button", name="Change").click()
    expect(seat.page.get_by_role("button", name="flat-100")).to_be_visible()
    assert seat.game()["seats"]["white"]["player"] == "flat-100"
    by_mouse(seat, seat.best())
    seat.wait_for_turn()
    assert seat.ply == 4


def test_the_analysis_uses_the_chosen_agent_and_number_of_lines(open_page: OpenPage) -> None:
    page = open_page("/analyse?game=connect4&moves=4+4+4+4+4+2+3")
    page.get_by_role("grid").wait_for()
    page.keyboard.press(" ")
    panel = page.get_by_role("region", name="Search")
    lines = page.get_by_role("region", name="Best lines").get_by_role("listitem")
    expect(lines).to_have_count(3)
    page.get_by_role("button", name="Engine settings").click()
    dialog = page.get_by_role("dialog", name="Engine settings")
    dialog.get_by_text("Another agent").click()
    spec(dialog).fill("mcts(simulations=210, solver=false)")
    dialog.get_by_label("Lines shown (1 to 10)").fill("5")
    dialog.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("heading")).to_have_text("Engine: mcts")
    expect(panel.get_by_text("done")).to_be_visible()
    expect(panel.locator("dd").first).to_have_text("210")
    expect(lines).to_have_count(5)
    page.reload()
    expect(panel.get_by_role("heading")).to_have_text("Engine: mcts")


def test_presets_and_custom_agents_play_in_tournaments_with_baselines(open_page: OpenPage) -> None:
    page = open_page("/arena?game=tictactoe")
    page.get_by_role("button", name=re.compile("New tournament|Choose players")).first.click()
    dialog = page.get_by_role("dialog", name="New tournament")
    dialog.get_by_role("combobox", name="Player 1", exact=True).select_option("uct-easy")
    dialog.get_by_role("combobox", name="Player 2", exact=True).select_option("Custom agent…")
    dialog.get_by_role("combobox", name="Method").select_option("flat")
    dialog.get_by_label("Playouts", exact=True).fill("3")
    dialog.get_by_label("Add baselines: Flat Monte Carlo and Random").check()
    dialog.get_by_text("Other", exact=True).last.click()
    dialog.get_by_label("Number of games").fill("1")
    expect(dialog).to_contain_text("4 players, 6 pairings, 6 games")
    dialog.get_by_role("button", name="Start").click()
    expect(page.get_by_text("6 of 6 games · finished")).to_be_visible()
    board = page.get_by_role("region", name="Leaderboard")
    for name in ("uct-easy", "flat(playouts=3)", "Flat Monte Carlo", "Random"):
        expect(board).to_contain_text(name)


def test_the_form_has_no_violations(seat: Seat) -> None:
    dialog = new_game(seat.page)
    dialog.get_by_text("Custom agent", exact=True).click()
    dialog.get_by_label("Simulations", exact=True).fill("none")
    dialog.get_by_text("More options").click()
    for _ in each_layout(seat.page):
        assert violations(seat.page) == []
        assert seat.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
