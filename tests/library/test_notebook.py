"""The display of objects in notebooks."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import plyground as pg
from user_games.sample_games import Count, example

SVG = "{http://www.w3.org/2000/svg}"


def parse(html: str) -> ET.Element:
    """Parse an HTML fragment, which must be well-formed."""
    return ET.fromstring(f"<body>{html}</body>")  # noqa: S314  our own output


def text(html: str) -> str:
    return " ".join("".join(parse(html).itertext()).split())


@pytest.mark.parametrize("spec", ["checkers", "connect4", "tictactoe", "chess"])
def test_positions_are_displayed_as_svg_images(spec: str) -> None:
    position = pg.game(spec).start()
    after = position.play(position.moves[0])
    for one in (position, after):
        picture = ET.fromstring(one._repr_svg_())  # noqa: S314
        assert picture.tag == f"{SVG}svg"
        assert one.text in (picture.findtext(f"{SVG}title") or "")
    assert position._repr_svg_() != after._repr_svg_()


def test_a_game_without_a_board_shows_its_text() -> None:
    position = pg.register(Count("count-picture")).start()
    assert position.text in "".join(ET.fromstring(position._repr_svg_()).itertext())  # noqa: S314
    assert "<circle" in example("othello").start()._repr_svg_()


def test_an_analysis_shows_the_board_and_the_best_move_first() -> None:
    found = pg.agent("mcts").analyse(pg.game("chess").start(), simulations=500, seed=1)
    body = parse(found._repr_html_())
    assert body.find(f".//{SVG}svg") is not None
    rows = body.findall(".//tbody/tr")
    assert len(rows) == 12
    assert rows[0][0].text == found.position.notation(found.best.move)
    assert "and 8 more moves" in text(found._repr_html_())
    assert "500 simulations" in text(found._repr_html_())


def test_analyses_by_every_agent_can_be_displayed() -> None:
    position = pg.game("connect4").position("112233")
    for agent in ("mcts", "alphabeta", "solver", "random", "flat", "Easy"):
        found = pg.agent(agent).analyse(position, seed=1)
        assert found.best.move in text(found._repr_html_())
        assert found.best.move in text(found.tree._repr_html_())
    assert "win in 1" in text(pg.agent("solver").analyse(position)._repr_html_())


def test_a_tree_is_displayed_as_an_outline() -> None:
    found = pg.agent("mcts").analyse(pg.game("connect4").start(), simulations=300, seed=1)
    body = parse(found.tree._repr_html_())
    root = body[0]
    assert root.tag == "details"
    assert root.get("open") is not None
    assert root.findtext("summary") == f"red to move: 300 visits, value {found.value:.1%}"
    moves = [child.findtext("summary") or child.text or "" for child in root[1:]]
    assert moves[0].startswith(f"{found.best.move}: ")
    assert len(root.findall(".//summary")) + len(root.findall(".//div")) == 200


def test_text_is_escaped() -> None:
    class Tagged(Count):
        title = "<b>Count</b>"
        sides = ("<i>", "&")

        def moves(self, state: tuple[int, int]) -> list[str]:
            return ["<1>", "<2>"][: self.goal - state[0]]

        def play(self, state: tuple[int, int], move: str) -> tuple[int, int]:
            return super().play(state, move.strip("<>"))

    position = pg.register(Tagged("tagged")).start()
    found = pg.agent("mcts").analyse(position, simulations=50)
    for html in (found._repr_html_(), found.tree._repr_html_()):
        assert found.best.move in text(html)
        assert "<i>" not in html


def test_results_of_matches_tournaments_and_reviews_are_displayed_as_tables() -> None:
    match = pg.match("tictactoe", "random", "alphabeta(depth=3)", games=8)
    cells = [cell.text for cell in parse(match._repr_html_()).findall(".//td")]
    assert cells[:5] == ["random", "alphabeta(depth=3)", str(match.wins), str(match.draws), str(match.losses)]
    table = pg.tournament("tictactoe", {"A": "random", "B": "alphabeta(depth=3)"}, games=4)
    names = [row[1].text for row in parse(table._repr_html_()).findall(".//tbody/tr")]
    assert names == [one.name for one in table.standings.agents]
    assert str(table).splitlines()[1].split()[:2] == ["1", names[0]]
    review = pg.review(pg.Record("tictactoe", ("b2", "b1", "c1")), simulations=3000, seed=1)
    assert "b1 ??" in text(review._repr_html_())


def test_bounds_are_shown_as_bounds() -> None:
    found = pg.agent("alphabeta", depth=6).analyse(pg.game("checkers").start())
    cells = [cell.text or "" for cell in parse(found._repr_html_()).findall(".//td")]
    assert sum(cell.startswith("≤ ") for cell in cells) >= 5
    assert not any(cell.startswith("0.0% – ") for cell in cells)
