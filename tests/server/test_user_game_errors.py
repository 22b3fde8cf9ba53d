"""Exceptions raised by a user game are shown to the visitor with the file and line."""

from __future__ import annotations

from pathlib import Path

from server.conftest import MakeServer
from server.serving import eventually

RULES = """
import plyground

class Broken:
    id, title, sides = "broken", "Broken", ("left", "right")

    def start(self):
        return 0

    def turn(self, state):
        return state % 2

    def moves(self, state):
        return ["1", "2"] if state < 30 else []

    def play(self, state, move):
        if state > 3:
            raise ZeroDivisionError("a bug")  # line 18
        return state + 1

    def outcome(self, state):
        return 0

plyground.register(Broken())
"""


def test_the_visitor_sees_where_a_game_raised_an_exception(make_server: MakeServer, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(RULES)
    where = f'ZeroDivisionError: a bug; raised by play(state, "1") of the game broken in {file}, line 18'
    visitor = make_server(user_game=str(file)).visitor()

    def is_shown(message: str) -> bool:
        return where in message or where.replace('"1"', '"2"') in message

    def agent_error(player: str) -> str:
        game = visitor.move(visitor.game("broken", player=player), "1")
        return str(eventually(lambda: visitor.get(f"/games/{game['id']}")["agent_error"]))

    for player in ("mcts", "alphabeta", "flat", "plain-mcts"):
        assert is_shown(agent_error(player))
    with visitor.tab() as tab:
        tab.send(type="analyse", id="a", game="broken", simulations=500)
        assert is_shown(tab.receive("error")["error"]["message"])
    made = visitor.post("/tournaments", 201, game="broken", players=["random", "flat"], games=2)
    job = eventually(lambda: (job := visitor.get(f"/tournaments/{made['name']}")["job"])["state"] == "failed" and job)
    assert is_shown(job["error"])
    text = visitor.post("/positions", 500, game="broken", moves=["1"] * 5)["error"]["message"]
    assert is_shown(text)
