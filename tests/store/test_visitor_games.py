"""Visitors' games, share links and jobs in the store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from plyground import Outcome, UnknownNameError
from plyground.errors import ChangedError
from plyground.records import Record
from plyground.store import Job, Store, VisitorGame

GAME = VisitorGame("one", "f00", "checkers", {"moves": []})
RESIGNED = Record("checkers", ("11-15",), outcome=Outcome("white", "resignation"), seed=1)


def test_concurrent_saves_of_different_games_are_all_stored(store: Store) -> None:
    games = [replace(GAME, id=f"game {number}") for number in range(24)]
    for game in games:
        store.visitor_games.add(game)

    def save(game: VisitorGame) -> None:
        for ply in range(10):
            moves = [f"{game.id} {ply}"]
            store.visitor_games.save(replace(game, state={"moves": moves}, version=ply + 2))
            assert store.visitor_games.get(game.id).state["moves"] == moves

    with ThreadPoolExecutor(len(games)) as threads:
        list(threads.map(save, games))
    assert all(store.visitor_games.get(game.id).state["moves"] == [f"{game.id} 9"] for game in games)


def test_a_failing_save_does_not_affect_concurrent_saves(store: Store) -> None:
    games = [replace(GAME, id=f"game {number}") for number in range(8)]
    for game in games:
        store.visitor_games.add(game)

    def save(game: VisitorGame) -> bool:
        try:
            store.visitor_games.save(replace(game, state={"moves": ["11-15"]}, version=2))
        except UnknownNameError:
            return False
        return True

    with ThreadPoolExecutor(9) as threads:
        results = list(threads.map(save, [*games, replace(GAME, id="unknown")]))
    assert results == [True] * 8 + [False]
    assert all(store.visitor_games.get(game.id).state == {"moves": ["11-15"]} for game in games)


def test_a_finished_game_keeps_its_record_when_it_continues(store: Store) -> None:
    store.visitor_games.add(GAME)
    assert store.visitor_games.save(replace(GAME, version=2)).record_id is None
    finished = store.visitor_games.save(replace(GAME, is_over=True, version=3), RESIGNED)
    assert finished.record_id is not None
    stored = store.records.get(finished.record_id)
    assert (stored.owner, stored.public_id) == ("f00", finished.public_record_id)
    continued = Record("checkers", ("11-15", "23-18"), seed=1)
    assert store.visitor_games.save(replace(finished, version=4), continued).record_id == finished.record_id
    assert store.records.get(finished.record_id).record == continued
    assert store.visitor_games.get("one").public_record_id == finished.public_record_id


def test_a_state_only_replaces_the_one_before_it(store: Store) -> None:
    store.visitor_games.add(GAME)
    store.visitor_games.save(replace(GAME, state={"moves": ["11-15"]}, version=2))
    for version in (1, 2, 4):
        with pytest.raises(ChangedError, match="the game is at version 2"):
            store.visitor_games.save(replace(GAME, state={"moves": ["9-13"]}, version=version))
    assert (store.visitor_games.get("one").state, store.visitor_games.get("one").version) == ({"moves": ["11-15"]}, 2)


def test_exactly_one_of_several_concurrent_changes_to_a_game_is_stored(store: Store) -> None:
    store.visitor_games.add(GAME)

    def save(number: int) -> bool:
        try:
            store.visitor_games.save(replace(GAME, state={"moves": [str(number)]}, version=2))
        except ChangedError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(save, range(8)))
    assert results.count(True) == 1
    assert store.visitor_games.get("one").state == {"moves": [str(results.index(True))]}


def test_a_game_gets_a_new_record_after_its_record_was_deleted(store: Store) -> None:
    store.visitor_games.add(GAME)
    finished = store.visitor_games.save(replace(GAME, is_over=True, version=2), RESIGNED)
    assert finished.record_id is not None
    store.records.delete([finished.record_id])
    assert store.visitor_games.get("one").record_id is None
    again = store.visitor_games.save(replace(finished, version=3), RESIGNED)
    assert again.record_id not in (None, finished.record_id)
    assert again.public_record_id not in (None, finished.public_record_id)


def test_saving_an_unknown_game_is_an_error(store: Store) -> None:
    store.visitor_games.add(GAME)
    with pytest.raises(UnknownNameError, match="game not found"):
        store.visitor_games.save(replace(GAME, id="unknown"))
    store.visitor_games.save(replace(GAME, state={"moves": ["11-15"]}, version=2))
    assert store.visitor_games.get("one").state == {"moves": ["11-15"]}


def test_finds_an_owners_games_latest_first(store: Store) -> None:
    for number, (owner, watched) in enumerate([("f00", False), ("f00", True), ("bad", False)]):
        store.visitor_games.add(replace(GAME, id=str(number), owner=owner, is_watched=watched))
    store.visitor_games.save(replace(GAME, id="0", version=2))
    assert [game.id for game in store.visitor_games.find("f00")] == ["0", "1"]
    assert [game.id for game in store.visitor_games.find("f00", watched=True)] == ["1"]
    assert store.visitor_games.count("f00") == 2
    store.visitor_games.delete(["0"])
    with pytest.raises(UnknownNameError, match="game not found"):
        store.visitor_games.get("0")


def test_links_are_deleted_with_their_games(store: Store) -> None:
    store.visitor_games.add(GAME)
    store.visitor_games.share("d1", visitor_game_id="one")
    record_id = store.records.add(RESIGNED).id
    store.visitor_games.share("d2", record_id=record_id)
    assert store.visitor_games.shared("d1") == ("one", None)
    assert store.visitor_games.shared("d2") == (None, record_id)
    store.visitor_games.delete(["one"])
    store.records.delete([record_id])
    for digest in ("d1", "d2"):
        with pytest.raises(UnknownNameError, match="unknown link"):
            store.visitor_games.shared(digest)


def test_a_secret_is_generated_once(store: Store) -> None:
    with ThreadPoolExecutor(4) as threads:
        (secret,) = set(threads.map(store.secrets.get, ["a"] * 8))
    assert store.secrets.get("a") == secret != store.secrets.get("b")
    assert len(secret) == 43


def test_jobs_are_updated_and_deleted(store: Store) -> None:
    store.jobs.put(Job("training", "1", "f00", "running"))
    store.jobs.put(Job("training", "1", "f00", "failed", "why"))
    assert store.jobs.all() == [Job("training", "1", "f00", "failed", "why")]
    store.jobs.delete("training", "1")
    assert store.jobs.get("training", "1") is None
