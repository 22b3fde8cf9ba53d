"""Games of visitors in the store, on both databases."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread

import pytest

from plyground import Outcome, UnknownNameError
from plyground.records import Record
from plyground.store import Play, Store, Work

PLAY = Play("one", "f00", "checkers", {"moves": []})
ENDED = Record("checkers", ("11-15",), outcome=Outcome("white", "resignation"), seed=1)


def test_many_threads_that_save_at_once_all_find_their_games_kept(store: Store) -> None:
    plays = [replace(PLAY, id=f"play {number}") for number in range(24)]
    for play in plays:
        store.plays.add(play)

    def save(play: Play) -> None:
        for ply in range(10):
            store.plays.save(replace(play, state={"moves": [f"{play.id} {ply}"]}))
            assert store.plays.get(play.id).state["moves"] == [f"{play.id} {ply}"]

    threads = [Thread(target=save, args=(play,)) for play in plays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(store.plays.get(play.id).state["moves"] == [f"{play.id} 9"] for play in plays)


def test_a_game_that_ends_goes_among_the_records_and_stays_the_same_one(store: Store) -> None:
    store.plays.add(PLAY)
    assert store.plays.save(PLAY) is None
    number = store.plays.save(replace(PLAY, is_over=True), ENDED)
    assert number is not None
    assert store.records.get(number).owner == "f00"
    on = Record("checkers", ("11-15", "23-18"), seed=1)
    assert store.plays.save(replace(PLAY, record_id=number), on) == number
    assert store.records.get(number).record == on
    store.records.delete([number])
    assert store.plays.get("one").record_id is None
    assert store.plays.save(replace(PLAY, record_id=number), on) not in (None, number)


def test_one_that_fails_is_told_so_and_leaves_the_others_alone(store: Store) -> None:
    store.plays.add(PLAY)
    with pytest.raises(UnknownNameError):
        store.plays.save(replace(PLAY, id="nobody's"))
    store.plays.save(replace(PLAY, state={"moves": ["11-15"]}))
    assert store.plays.get("one").state == {"moves": ["11-15"]}


def test_games_are_found_by_owner_the_latest_first(store: Store) -> None:
    for number, (owner, watched) in enumerate([("f00", False), ("f00", True), ("bad", False)]):
        store.plays.add(replace(PLAY, id=str(number), owner=owner, is_watched=watched))
    store.plays.save(replace(PLAY, id="0"))
    assert [play.id for play in store.plays.find("f00")] == ["0", "1"]
    assert [play.id for play in store.plays.find("f00", watched=True)] == ["1"]
    assert store.plays.count("f00") == 2
    store.plays.delete(["0"])
    with pytest.raises(UnknownNameError):
        store.plays.get("0")


def test_links_go_with_what_they_show(store: Store) -> None:
    store.plays.add(PLAY)
    store.plays.share("d1", play="one")
    number = store.records.add(ENDED).id
    store.plays.share("d2", record=number)
    assert store.plays.shared("d1") == ("one", None)
    assert store.plays.shared("d2") == (None, number)
    store.plays.delete(["one"])
    store.records.delete([number])
    for digest in ("d1", "d2"):
        with pytest.raises(UnknownNameError):
            store.plays.shared(digest)


def test_work_is_kept_with_its_state(store: Store) -> None:
    store.works.put(Work("run", "1", "f00", "running"))
    store.works.put(Work("run", "1", "f00", "failed", "why"))
    assert store.works.all() == [Work("run", "1", "f00", "failed", "why")]
    store.works.delete("run", "1")
    assert store.works.get("run", "1") is None
