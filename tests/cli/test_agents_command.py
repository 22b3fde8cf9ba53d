"""`plyground agents`."""

from __future__ import annotations

from cli.command_line import error_line, run_in_process, run_json
from plyground.agents import presets
from plyground.agents.registry import AGENTS
from plyground.levels import level_names


def test_lists_every_agent_preset_and_level() -> None:
    output = run_in_process("agents").stdout
    report = run_json("agents", in_process=True)
    assert [agent["name"] for agent in report["agents"]] == list(AGENTS)
    assert [preset["name"] for preset in report["presets"]] == list(presets())
    assert {level["name"] for levels in report["levels"].values() for level in levels} == set(level_names())
    for name in (*AGENTS, *presets(), *level_names()):
        assert f"\n{name} " in f"\n{output}"


def test_shows_each_option_of_an_agent_with_default_allowed_values_and_description() -> None:
    output = run_in_process("agents", "mcts").stdout
    options = {option["name"]: option for option in run_json("agents", "mcts", in_process=True)["options"]}
    assert list(options) == [option.name for option in AGENTS["mcts"].options]
    assert options["simulations"]["default"] == "1000"
    assert options["reuse"]["allowed"] == "one of true, false, adaptive"
    for option in options.values():
        assert f"\n{option['name']}: {option['allowed']}" in output
        assert option["description"].split()[0] in output


def test_a_preset_shows_its_agent_and_the_values_it_sets() -> None:
    report = run_json("agents", "uct-hard", in_process=True)
    assert report["agent"] == presets()["uct-hard"].agent
    assert {option["name"]: option["default"] for option in report["options"]}["simulations"] == "150"
    assert "simulations: a positive integer; default 150\n" in run_in_process("agents", "uct-hard").stdout


def test_a_level_shows_its_agent_and_rating_in_each_game() -> None:
    report = run_json("agents", "hard", "--game", "chess", in_process=True)
    assert list(report["levels"]) == ["chess"]
    assert report["levels"]["chess"]["limit"] == {"simulations": 150}
    output = run_in_process("agents", "hard").stdout
    assert "150 simulations" in output
    assert "tictactoe" in output


def test_presets_and_levels_can_be_restricted_to_a_game() -> None:
    report = run_json("agents", "--game", "connect4", in_process=True)
    assert "samuel" not in [preset["name"] for preset in report["presets"]]
    assert list(report["levels"]) == ["connect4"]


def test_an_unknown_name_error_suggests_similar_names_and_lists_all_names() -> None:
    message = error_line("agents", "alpabeta", code=2, in_process=True)
    assert message.startswith("unknown agent 'alpabeta' (did you mean alphabeta")
    for names in ("available: mcts, ", "presets: uct, ", "levels: Easy, "):
        assert names in message


def test_an_agent_without_options_says_so() -> None:
    assert run_in_process("agents", "random").stdout.splitlines()[-1] == "It has no options."
