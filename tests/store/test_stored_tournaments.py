"""Tournaments, ratings and training runs in the store."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import pytest

from plyground import ParseError, Rng, StoreError, UnknownNameError, game, split_seed
from plyground.records import Record
from plyground.store import AddResult, Checkpoint, Filter, Metric, Rating, ScheduledGame, Store

SCHEDULE = [ScheduledGame(f"a-b/{number}", {"seed": number, "first": "ab"[number % 2]}) for number in range(6)]


def random_game(seed: int) -> Record:
    position, rng = game("tictactoe").start(), Rng(seed)
    while position.outcome is None:
        position = position.play_random(rng)
    return Record.from_position(position, {"x": "random", "o": "mcts"}, seed=seed)


def test_stores_a_schedule_and_its_results(store: Store) -> None:
    created = store.tournaments.create("spring", "tictactoe", {"games": 6, "agents": ["random", "mcts"]}, SCHEDULE)
    assert (created.games, created.finished) == (6, 0)
    assert store.tournaments.remaining("spring") == SCHEDULE
    assert store.tournaments.remaining("spring", limit=2) == SCHEDULE[:2]
    for scheduled in (SCHEDULE[4], SCHEDULE[1]):
        assert store.tournaments.finish_game("spring", scheduled.key, random_game(scheduled.payload["seed"])).is_new
    assert store.tournaments.remaining("spring") == [SCHEDULE[0], SCHEDULE[2], SCHEDULE[3], SCHEDULE[5]]
    results = store.tournaments.results("spring")
    assert [one.key for one in results] == [SCHEDULE[1].key, SCHEDULE[4].key]
    for one in results:
        record = store.records.get(one.record_id).record
        assert record == random_game(one.payload["seed"])
        assert (one.players, one.outcome, one.plies) == (record.players, record.outcome, len(record.moves))
    stored = store.tournaments.get("spring")
    assert (stored.games, stored.finished, stored.settings["agents"]) == (6, 2, ["random", "mcts"])
    assert store.tournaments.all() == [stored]
    assert set(store.records.ids(Filter(tournament="spring"))) == {one.record_id for one in results}


def test_a_game_finished_twice_counts_once(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, SCHEDULE)
    first = store.tournaments.finish_game("spring", SCHEDULE[0].key, random_game(1))
    again = store.tournaments.finish_game("spring", SCHEDULE[0].key, random_game(2))
    assert (again.id, again.is_new) == (first.id, False)
    assert store.records.count() == 1
    assert [one.record_id for one in store.tournaments.results("spring")] == [first.id]


def test_a_game_finished_concurrently_counts_once(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, SCHEDULE)

    def finish(seed: int) -> AddResult:
        return store.tournaments.finish_game("spring", SCHEDULE[0].key, random_game(seed))

    with ThreadPoolExecutor(4) as threads:
        added = list(threads.map(finish, range(4)))
    assert sorted(one.is_new for one in added) == [False, False, False, True]
    assert len({one.id for one in added}) == 1
    assert store.records.count() == 1


def test_two_scheduled_games_may_have_the_same_record(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, SCHEDULE)
    for scheduled in SCHEDULE[:2]:
        assert store.tournaments.finish_game("spring", scheduled.key, random_game(1)).is_new
    assert len(store.tournaments.results("spring")) == 2


def test_a_tournament_game_cannot_be_deleted(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, SCHEDULE)
    record_id = store.tournaments.finish_game("spring", SCHEDULE[0].key, random_game(1)).id
    with pytest.raises(StoreError, match="belongs to tournament 'spring'"):
        store.records.delete([record_id])
    store.tournaments.delete("spring")
    assert store.tournaments.all() == []
    store.records.delete([record_id])
    assert store.records.count() == 0


@pytest.mark.parametrize(
    "schedule",
    [
        [ScheduledGame("a"), ScheduledGame("a")],
        [ScheduledGame("")],
        [ScheduledGame("a" * 201)],
        [ScheduledGame("a\n")],
        [ScheduledGame("a", {"x": object()})],
    ],
)
def test_an_invalid_schedule_is_rejected(store: Store, schedule: list[ScheduledGame]) -> None:
    with pytest.raises(ParseError):
        store.tournaments.create("spring", "chess", {}, schedule)
    assert store.tournaments.all() == []


def test_names_are_unique_and_errors_list_the_available_ones(store: Store) -> None:
    store.tournaments.create("spring", "chess", {}, [])
    with pytest.raises(StoreError, match="'spring' already exists"):
        store.tournaments.create("spring", "chess", {}, [])
    with pytest.raises(UnknownNameError, match="available: spring"):
        store.tournaments.remaining("autumn")
    with pytest.raises(UnknownNameError, match="no game 'x'"):
        store.tournaments.finish_game("spring", "x", random_game(1))
    with pytest.raises(ParseError, match="must have 1 to 200 printable characters"):
        store.tournaments.create("\n", "chess", {}, [])


def test_stores_a_large_schedule(store: Store) -> None:
    schedule = [ScheduledGame(f"{number:05}", {"seed": split_seed(1, number)}) for number in range(3000)]
    store.tournaments.create("large", "checkers", {}, schedule)
    assert store.tournaments.remaining("large") == schedule


def test_ratings_of_a_pool_are_replaced(store: Store) -> None:
    store.ratings.put("spring", "chess", [Rating("a", 1500, 1400, 1600, 10), Rating("b", 1600, 1550.5, 1650, 10)])
    store.ratings.put("autumn", "chess", [Rating("a", 1, 0, 2, 3)])
    new = [Rating("c", 1700, 1690, 1710, 20), Rating("a", 1510, 1410, 1610, 20)]
    store.ratings.put("spring", "chess", new)
    assert store.ratings.get("spring", "chess") == new
    assert store.ratings.get("autumn", "chess") == [Rating("a", 1, 0, 2, 3)]
    assert store.ratings.get("spring", "checkers") == []
    with pytest.raises(ParseError, match="finite"):
        store.ratings.put("spring", "chess", [Rating("a", math.nan, 0, 0, 0)])
    assert store.ratings.get("spring", "chess") == new


def test_stores_the_metrics_of_a_training_run(store: Store) -> None:
    run = store.runs.create("td", "checkers", {"lambda": 0.7}, seed=2**64 - 1)
    assert store.runs.get(run.id) == run
    assert (run.seed, run.finished) == (2**64 - 1, None)
    store.runs.save(run.id, [Metric(0, "loss", 0.5), Metric(50, "loss", 0.25), Metric(50, "score", 1)])
    store.runs.save(run.id, [Metric(50, "loss", 0.125), Metric(100, "loss", 0.1)])
    assert store.runs.metrics(run.id, "loss") == [
        Metric(0, "loss", 0.5),
        Metric(50, "loss", 0.125),
        Metric(100, "loss", 0.1),
    ]
    assert len(store.runs.metrics(run.id)) == 4
    finished = store.runs.finish(run.id)
    assert finished.finished is not None
    assert store.runs.all() == [finished]


def test_checkpoints_are_stored_as_paths_or_bytes(store: Store) -> None:
    run = store.runs.create("td", "checkers", {}, seed=1).id
    store.runs.save(run, checkpoints=[Checkpoint(10, {"kind": "linear"}, data=b"\0\xff" * 1000)])
    store.runs.save(run, checkpoints=[Checkpoint(20, {"kind": "linear"}, path="/weights/20.safetensors")])
    store.runs.save(run, checkpoints=[Checkpoint(20, {"kind": "network"}, path="/weights/20b.safetensors")])
    assert store.runs.steps(run) == [10, 20]
    assert store.runs.checkpoint(run, 10).data == b"\0\xff" * 1000
    assert store.runs.checkpoint(run) == Checkpoint(20, {"kind": "network"}, path="/weights/20b.safetensors")
    with pytest.raises(UnknownNameError, match="no checkpoint at step 15"):
        store.runs.checkpoint(run, 15)
    with pytest.raises(ParseError, match="either"):
        store.runs.save(run, checkpoints=[Checkpoint(30, {})])
    store.runs.delete(run)
    with pytest.raises(UnknownNameError, match=r"training run \d+ not found"):
        store.runs.metrics(run)


def test_a_metric_must_be_finite(store: Store) -> None:
    run = store.runs.create("td", "checkers", {}, seed=1).id
    with pytest.raises(ParseError, match="finite"):
        store.runs.save(run, [Metric(1, "loss", 1.0), Metric(2, "loss", math.inf)])
    assert store.runs.metrics(run) == []
