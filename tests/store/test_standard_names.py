"""Migration 0004: data written with the old names can be read with the new ones."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, insert, table
from sqlalchemy import column as col
from sqlalchemy.types import DateTime

from plyground.agents import agent
from plyground.records import Record
from plyground.store import Filter, Job, Rating, Store
from plyground.store.data import sha256
from plyground.store.database import store_url
from plyground.store.migrate import migrate
from plyground.store.records import record_digest

NOW = "2026-01-31 12:00:00"
OLD_SPEC = "mcts(first_play=0.3, leaf=estimate, playout_estimate=false)"
NEW_SPEC = "mcts(first_play=0.3, leaf=heuristic, cutoff=draw)"
OLD_TABLES = "tables(otherwise=mcts(leaf=estimate, playout_estimate=true))"
NEW_TABLES = "tables(fallback=mcts(leaf=heuristic, cutoff=heuristic))"

Migrate = Callable[[dict[str, list[dict[str, Any]]]], Store]


@pytest.fixture
def migrated(location: str) -> Iterator[Migrate]:
    """A function that creates a store with schema 0003, inserts rows and opens it with the current schema."""
    opened: list[Store] = []

    def create(rows: dict[str, list[dict[str, Any]]]) -> Store:
        engine = create_engine(store_url(location))
        with engine.begin() as connection:
            migrate(connection, location, head="0003")
            insert_rows(connection, rows)
        engine.dispose()
        opened.append(Store(location))
        return opened[-1]

    yield create
    for store in opened:
        store.close()


def insert_rows(connection: Connection, rows: dict[str, list[dict[str, Any]]]) -> None:
    for name, values in rows.items():
        for value in values:
            columns = [col(key, DateTime() if key in ("created", "updated") else None) for key in value]
            typed = {key: datetime.fromisoformat(NOW) if field == NOW else field for key, field in value.items()}
            connection.execute(insert(table(name, *columns)).values(**typed))


def record_rows(record_id: int, record: Record, agents: dict[str, int], digest: str = "") -> dict[str, Any]:
    """Return the rows of a tic-tac-toe record, including its seats."""
    row = {
        "id": record_id,
        "digest": digest or record_digest(record, None),
        "game_id": "tictactoe",
        "game": "tictactoe",
        "moves": "\n".join(record.moves),
        "plies": len(record.moves),
        "seed": record.seed,
        "created": NOW,
    }
    seats = [
        {"record_id": record_id, "side": side, "number": number, "agent_id": agents[spec]}
        for number, (side, spec) in enumerate(record.players.items())
    ]
    return {"records": [row], "seats": seats}


def agent_rows(*specs: str) -> list[dict[str, Any]]:
    return [{"id": number, "digest": sha256(spec), "spec": spec} for number, spec in enumerate(specs, start=1)]


def test_renames_the_settings_of_training_runs(migrated: Migrate) -> None:
    old = {"rate": 0.1, "random_share": 0.4, "refresh": 50, "terminal": 1.0, "opening": 8, "decay": 2.0, "blend": 0.9}
    run = {"id": 1, "method": "td", "game": "checkers", "seed": 1, "created": NOW}
    store = migrated({"runs": [{**run, "settings": json.dumps({"games": 5, **old})}]})
    assert store.runs.get(1).settings == {
        "games": 5,
        "learning_rate": 0.1,
        "random_fraction": 0.4,
        "refresh_games": 50,
        "terminal_value": 1.0,
        "opening_plies": 8,
        "weight_decay": 2.0,
        "search_weight": 0.9,
    }


def test_renames_the_kinds_and_states_of_jobs(migrated: Migrate) -> None:
    store = migrated(
        {
            "works": [
                {"kind": "run", "key": "1", "owner": "f00", "state": "waiting", "created": NOW},
                {"kind": "tournament", "key": "spring", "owner": None, "state": "failed", "error": "x", "created": NOW},
            ]
        }
    )
    assert store.jobs.get("training", "1") == Job("training", "1", "f00", "queued")
    assert store.jobs.get("tournament", "spring") == Job("tournament", "spring", None, "failed", "x")
    assert len(store.jobs.all()) == 2


def test_renames_the_fields_of_reviews(migrated: Migrate) -> None:
    exact = {"known": "win", "distance": 3, "source": "solver"}
    plies = [{"ply": 0, "lost": 0.5, "line": ["4"], "words": "a blunder", "exact": exact}, {"ply": 1, "exact": None}]
    record = Record("tictactoe", ("b2", "a1"))
    rows = record_rows(1, record, {})
    review = {"id": "r1", "record_id": 1, "owner": "f00", "seconds": 0.2, "created": NOW}
    store = migrated({**rows, "reviews": [{**review, "plies": zlib.compress(json.dumps(plies).encode())}]})
    found = store.reviews.find(1, "f00")
    assert found is not None
    assert found.plies == [
        {
            "ply": 0,
            "value_loss": 0.5,
            "pv": ["4"],
            "comment": "a blunder",
            "exact": {"result": "win", "distance": 3, "source": "solver"},
        },
        {"ply": 1, "exact": None},
    ]


def test_renames_agent_options_in_tournaments_and_visitors_games(migrated: Migrate) -> None:
    settings = {
        "form": 1,
        "anchor": f"{OLD_SPEC}=1000",
        "agents": [{"name": OLD_SPEC, "spec": OLD_SPEC}, {"name": "T", "spec": OLD_TABLES}],
    }
    tournament = {"id": 7, "name": "spring", "game": "tictactoe", "settings": json.dumps(settings), "created": NOW}
    payload = {"players": [OLD_SPEC, OLD_TABLES], "agents": [0, 1], "seed": 3}
    state = {"players": {"x": None, "o": OLD_TABLES}, "moves": ["b2"]}
    game = {"id": "abc", "owner": "f00", "game": "tictactoe", "is_watched": False, "is_over": False}
    store = migrated(
        {
            "tournaments": [tournament],
            "jobs": [{"id": 40, "tournament_id": 7, "key": "0-1/0", "payload": json.dumps(payload)}],
            "plays": [{**game, "state": json.dumps(state), "created": NOW, "updated": NOW}],
            "shares": [{"digest": "d", "play_id": "abc", "created": NOW}],
        }
    )
    assert store.tournaments.get("spring").settings == {
        "version": 1,
        "anchor": f"{NEW_SPEC}=1000",
        "agents": [{"name": NEW_SPEC, "spec": NEW_SPEC}, {"name": "T", "spec": NEW_TABLES}],
    }
    (scheduled,) = store.tournaments.remaining("spring")
    assert scheduled.payload == {"players": [NEW_SPEC, NEW_TABLES], "agents": [0, 1], "seed": 3}
    assert store.visitor_games.get("abc").state == {"players": {"x": None, "o": NEW_TABLES}, "moves": ["b2"]}
    assert store.visitor_games.shared("d") == ("abc", None)


def test_renames_agents_and_finds_their_games_again(migrated: Migrate) -> None:
    record = Record("tictactoe", ("b2", "a1"), players={"x": OLD_SPEC, "o": "otherwise= Bob"}, seed=5)
    agents = agent_rows(OLD_SPEC, "otherwise= Bob")
    rows = record_rows(1, record, {OLD_SPEC: 1, "otherwise= Bob": 2})
    rating = {"pool": "p", "game": "tictactoe", "agent_id": 1, "rating": 1, "low": 0, "high": 2, "games": 1}
    store = migrated({"agents": agents, **rows, "ratings": [rating]})
    expected = Record("tictactoe", ("b2", "a1"), players={"x": NEW_SPEC, "o": "otherwise= Bob"}, seed=5)
    assert store.records.get(1).record == expected
    assert store.records.ids(Filter(agent=NEW_SPEC)) == [1]
    assert not store.records.add(expected).is_new
    assert store.ratings.get("p", "tictactoe") == [Rating(NEW_SPEC, 1, 0, 2, 1)]


def test_merges_an_agent_with_one_that_already_has_the_new_name(migrated: Migrate) -> None:
    old = Record("tictactoe", ("b2",), players={"x": OLD_SPEC})
    new = Record("tictactoe", ("b2",), players={"x": NEW_SPEC})
    other = Record("tictactoe", ("a1",), players={"x": OLD_SPEC})
    ids = {OLD_SPEC: 1, NEW_SPEC: 2}
    records = [record_rows(number, record, ids) for number, record in enumerate((old, new, other), start=1)]
    rating = {"game": "tictactoe", "low": 0, "high": 9, "games": 1}
    store = migrated(
        {
            "agents": agent_rows(OLD_SPEC, NEW_SPEC),
            "records": [row for one in records for row in one["records"]],
            "seats": [row for one in records for row in one["seats"]],
            "ratings": [
                {**rating, "pool": "both", "agent_id": 1, "rating": 1},
                {**rating, "pool": "both", "agent_id": 2, "rating": 2},
                {**rating, "pool": "old", "agent_id": 1, "rating": 3},
            ],
        }
    )
    assert store.records.ids(Filter(agent=NEW_SPEC)) == [3, 2, 1]
    assert store.records.count(Filter(agent=OLD_SPEC)) == 0
    assert [rating.rating for rating in store.ratings.get("both", "tictactoe")] == [2]
    assert [rating.rating for rating in store.ratings.get("old", "tictactoe")] == [3]
    assert store.records.add(new).id == 2
    assert store.records.add(Record("tictactoe", ("a1",), players={"x": NEW_SPEC})).id == 3


@pytest.mark.parametrize("spec", [NEW_SPEC, NEW_TABLES])
def test_migrated_specs_are_accepted(spec: str) -> None:
    assert agent(spec).spec == spec
