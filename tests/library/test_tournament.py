"""Tournaments with `plyground.tournament`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import plyground as pg
from plyground.store import Store


def even(positions: list[pg.Position]) -> tuple[list[float], None]:
    return [0.5] * len(positions), None


def test_a_tournament_is_played_in_memory() -> None:
    bot = pg.agent("mcts", evaluator=even, simulations=30)
    table = pg.tournament("tictactoe", ["random", "Easy", bot], games=4, seed=2)
    assert {one.name for one in table.standings.agents} == {"random", "Easy", bot.spec}
    assert all(one.games == 8 for one in table.standings.agents)
    assert len(table.records) == 12
    assert table.name is None
    again = pg.tournament("tictactoe", ["random", "Easy", bot], games=4, seed=2)
    assert [one.moves for one in again.records] == [one.moves for one in table.records]


def test_a_tournament_in_memory_uses_no_database() -> None:
    code = (
        "import plyground as pg, sys; pg.tournament('tictactoe', ['random', 'Easy'], games=2); "
        "sys.exit('sqlalchemy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_agents_get_names_from_a_mapping() -> None:
    players: dict[str, str | pg.Agent] = {"A": pg.agent("random"), "B": pg.agent("random"), "C": "Easy"}
    table = pg.tournament("tictactoe", players, games=2)
    assert {one.name for one in table.standings.agents} == {"A", "B", "C"}
    with pytest.raises(pg.ParseError, match="players must have different names"):
        pg.tournament("tictactoe", [pg.agent("random"), pg.agent("random")], games=2)


def test_a_data_frame_has_a_row_for_each_player() -> None:
    table = pg.tournament("tictactoe", ["One=random", "Two=alphabeta(depth=2)"], games=4)
    frame = table.to_pandas()
    assert list(frame.index) == [one.name for one in table.standings.agents]
    assert frame.loc["Two", "rating"] == next(one.rating for one in table.standings.agents if one.name == "Two")
    assert set(frame.columns) >= {"wins", "draws", "losses", "score", "low", "high"}
    assert table.to_dict()["cross_table"]["One"]["Two"]["wins"] == frame.loc["One", "wins"]


def test_a_missing_pandas_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pg.tournament("tictactoe", ["random", "Easy"], games=2)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pg.PlygroundError, match="to_pandas requires pandas: pip install pandas"):
        table.to_pandas()


def test_a_tournament_in_a_store_is_resumed_by_name(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    players = ["random", "Easy"]
    first = pg.tournament("tictactoe", players, games=4, seed=1, store=path, name="spring")
    assert first.name == "spring"
    with Store(str(path)) as store:
        stored = store.tournaments.results("spring")
        assert len(stored) == 4
        again = pg.tournament("tictactoe", players, games=4, seed=1, store=store, name="spring")
        assert [one.record_id for one in store.tournaments.results("spring")] == [one.record_id for one in stored]
        assert again.records == first.records
        with pytest.raises(pg.ParseError, match="'spring' already exists with different settings"):
            pg.tournament("tictactoe", players, games=6, seed=1, store=store, name="spring")
        other = pg.tournament("tictactoe", players, games=2, store=store)
        assert other.name == "tictactoe"
        assert pg.tournament("tictactoe", players, games=2, store=store).name == "tictactoe-2"
    memory = pg.tournament("tictactoe", players, games=4, seed=1)
    assert [one.moves for one in memory.records] == [one.moves for one in first.records]
    assert memory.standings.agents[0].rating == first.standings.agents[0].rating


def test_a_gauntlet_plays_the_first_player_against_each_other() -> None:
    table = pg.tournament("tictactoe", ["Easy", "random", "flat(playouts=1)"], games=2, kind="gauntlet")
    assert {one.name: one.games for one in table.standings.agents} == {"Easy": 4, "random": 2, "flat(playouts=1)": 2}
