"""Tournaments, ratings and training runs in the store."""

from __future__ import annotations

import math
from threading import Thread

import pytest

from plyground import ParseError, Rng, StoreError, UnknownNameError, game, split_seed
from plyground.records import Record
from plyground.store import Checkpoint, Filter, Job, Metric, Rating, Store

JOBS = [Job(f"a-b/{number}", {"seed": number, "first": "ab"[number % 2]}) for number in range(6)]


def played(seed: int) -> Record:
    position, rng = game("tictactoe").start(), Rng(seed)
    while position.outcome is None:
        position = position.play_random(rng)
    return Record.from_position(position, {"x": "random", "o": "mcts"}, seed=seed)


def test_a_tournament_goes_from_its_schedule_to_its_results(store: Store) -> None:
    begun = store.tournaments.create("spring", "tictactoe", {"games": 6, "agents": ["random", "mcts"]}, JOBS)
    assert (begun.jobs, begun.finished) == (6, 0)
    assert store.tournaments.jobs_left("spring") == JOBS
    assert store.tournaments.jobs_left("spring", limit=2) == JOBS[:2]
    for job in (JOBS[4], JOBS[1]):
        assert store.tournaments.finish_job("spring", job.key, played(job.payload["seed"])).is_new
    assert store.tournaments.jobs_left("spring") == [JOBS[0], JOBS[2], JOBS[3], JOBS[5]]
    results = store.tournaments.results("spring")
    assert [one.key for one in results] == [JOBS[1].key, JOBS[4].key]
    for one in results:
        record = store.records.get(one.record_id).record
        assert record == played(one.payload["seed"])
        assert (one.players, one.outcome, one.plies) == (record.players, record.outcome, len(record.moves))
    told = store.tournaments.get("spring")
    assert (told.jobs, told.finished, told.settings["agents"]) == (6, 2, ["random", "mcts"])
    assert store.tournaments.all() == [told]
    assert set(store.records.ids(Filter(tournament="spring"))) == {one.record_id for one in results}


def test_a_job_that_is_finished_twice_counts_once(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, JOBS)
    first = store.tournaments.finish_job("spring", JOBS[0].key, played(1))
    again = store.tournaments.finish_job("spring", JOBS[0].key, played(2))
    assert (again.id, again.is_new) == (first.id, False)
    assert store.records.count() == 1
    assert [one.record_id for one in store.tournaments.results("spring")] == [first.id]


def test_a_job_finished_by_many_at_once_counts_once(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, JOBS)
    added = []

    def finish(seed: int) -> None:
        added.append(store.tournaments.finish_job("spring", JOBS[0].key, played(seed)))

    threads = [Thread(target=finish, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.is_new for one in added) == [False, False, False, True]
    assert len({one.id for one in added}) == 1
    assert store.records.count() == 1


def test_two_jobs_may_be_the_same_game(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, JOBS)
    for job in JOBS[:2]:
        assert store.tournaments.finish_job("spring", job.key, played(1)).is_new
    assert len(store.tournaments.results("spring")) == 2


def test_a_game_that_counts_in_a_tournament_is_not_deleted(store: Store) -> None:
    store.tournaments.create("spring", "tictactoe", {}, JOBS)
    number = store.tournaments.finish_job("spring", JOBS[0].key, played(1)).id
    with pytest.raises(StoreError, match="counts in the tournament 'spring'"):
        store.records.delete([number])
    store.tournaments.delete("spring")
    assert store.tournaments.all() == []
    store.records.delete([number])
    assert store.records.count() == 0


@pytest.mark.parametrize(
    "jobs", [[Job("a"), Job("a")], [Job("")], [Job("a" * 201)], [Job("a\n")], [Job("a", {"x": object()})]]
)
def test_a_schedule_that_makes_no_sense_is_refused_whole(store: Store, jobs: list[Job]) -> None:
    with pytest.raises(ParseError):
        store.tournaments.create("spring", "chess", {}, jobs)
    assert store.tournaments.all() == []


def test_names_are_used_once_and_unknown_ones_are_told_the_known(store: Store) -> None:
    store.tournaments.create("spring", "chess", {}, [])
    with pytest.raises(StoreError, match="'spring' already"):
        store.tournaments.create("spring", "chess", {}, [])
    with pytest.raises(UnknownNameError, match="there are: spring"):
        store.tournaments.jobs_left("autumn")
    with pytest.raises(UnknownNameError, match="no job 'x'"):
        store.tournaments.finish_job("spring", "x", played(1))
    with pytest.raises(ParseError, match="names of 1 to 200"):
        store.tournaments.create("\n", "chess", {}, [])


def test_a_large_schedule_is_kept_at_once(store: Store) -> None:
    jobs = [Job(f"{number:05}", {"seed": split_seed(1, number)}) for number in range(3000)]
    store.tournaments.create("large", "checkers", {}, jobs)
    assert store.tournaments.jobs_left("large") == jobs


def test_ratings_take_the_place_of_those_before(store: Store) -> None:
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


def test_a_training_run_is_followed(store: Store) -> None:
    run = store.runs.begin("td", "checkers", {"lambda": 0.7}, seed=2**64 - 1)
    assert store.runs.get(run.id) == run
    assert (run.seed, run.finished) == (2**64 - 1, None)
    store.runs.report(run.id, [Metric(0, "loss", 0.5), Metric(50, "loss", 0.25), Metric(50, "score", 1)])
    store.runs.report(run.id, [Metric(50, "loss", 0.125), Metric(100, "loss", 0.1)])
    assert store.runs.metrics(run.id, "loss") == [
        Metric(0, "loss", 0.5),
        Metric(50, "loss", 0.125),
        Metric(100, "loss", 0.1),
    ]
    assert len(store.runs.metrics(run.id)) == 4
    ended = store.runs.finish(run.id)
    assert ended.finished is not None
    assert store.runs.all() == [ended]


def test_checkpoints_are_files_or_bytes(store: Store) -> None:
    run = store.runs.begin("td", "checkers", {}, seed=1).id
    store.runs.keep(run, Checkpoint(10, {"kind": "linear"}, data=b"\0\xff" * 1000))
    store.runs.keep(run, Checkpoint(20, {"kind": "linear"}, path="/weights/20.safetensors"))
    store.runs.keep(run, Checkpoint(20, {"kind": "network"}, path="/weights/20b.safetensors"))
    assert store.runs.steps(run) == [10, 20]
    assert store.runs.checkpoint(run, 10).data == b"\0\xff" * 1000
    assert store.runs.checkpoint(run) == Checkpoint(20, {"kind": "network"}, path="/weights/20b.safetensors")
    with pytest.raises(UnknownNameError, match="no checkpoint of step 15"):
        store.runs.checkpoint(run, 15)
    with pytest.raises(ParseError, match="either"):
        store.runs.keep(run, Checkpoint(30, {}))
    store.runs.delete(run)
    with pytest.raises(UnknownNameError, match="no training run"):
        store.runs.metrics(run)


def test_a_metric_that_is_no_number_is_refused(store: Store) -> None:
    run = store.runs.begin("td", "checkers", {}, seed=1).id
    with pytest.raises(ParseError, match="finite"):
        store.runs.report(run, [Metric(1, "loss", 1.0), Metric(2, "loss", math.inf)])
    assert store.runs.metrics(run) == []
