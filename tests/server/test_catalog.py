"""The catalog, from which the web UI builds its agent and tournament forms."""

from __future__ import annotations

from server.serving import Visitor, eventually


def test_every_agent_has_main_options_and_lists_its_games(visitor: Visitor) -> None:
    agents = {one["name"]: one for one in visitor.get("/catalog")["agents"]}
    for name, agent in agents.items():
        assert not agent["options"] or any(option["is_main"] for option in agent["options"]), name
    main = {option["name"] for option in agents["mcts"]["options"] if option["is_main"]}
    assert main == {"simulations", "c", "seconds", "threads", "selection", "reuse", "lines"}
    assert agents["mcts"]["games"] is None
    assert agents["tables"]["games"] == ["checkers"]


def test_baselines_can_be_added_to_any_tournament(visitor: Visitor) -> None:
    baselines = visitor.get("/catalog")["baselines"]
    assert [one["name"] for one in baselines] == ["Flat Monte Carlo", "Random"]
    request = {"game": "tictactoe", "games": 1, "baselines": True}
    created = visitor.post("/tournaments", 201, players=["solver"], **request)
    assert created["players"] == ["solver", "Flat Monte Carlo", "Random"]
    assert visitor.post("/tournaments", 201, players=["random"], **request)["players"] == ["random", "Flat Monte Carlo"]
    finished = eventually(lambda: (view := visitor.get(f"/tournaments/{created['name']}"))["job"]["done"] == 3 and view)
    assert {one["spec"] for one in finished["standings"]} >= {one["spec"] for one in baselines}
