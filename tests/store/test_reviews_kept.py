"""Reviews in the store, on both databases."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread

from plyground import Outcome
from plyground.records import Record
from plyground.store import Play, Review, Store

GAME = Record("checkers", ("11-15", "23-18"), outcome=Outcome("white", "resignation"), seed=1)
PLIES = [{"ply": 0, "move": "11-15", "line": []}, {"ply": 1, "move": "23-18", "line": ["9-14"], "lost": 0.3}]


def kept(store: Store, **changes: object) -> Review:
    """A review of a game, both in the store."""
    review = replace(Review("one", store.records.add(GAME).id, "f00", 0.2, PLIES), **changes)  # type: ignore[arg-type]
    assert store.reviews.keep(review, GAME)
    return review


def test_a_review_is_found_by_its_id_and_by_its_game(store: Store) -> None:
    review = kept(store)
    assert store.reviews.get("one") == store.reviews.of(review.record_id, "f00") == review
    assert store.reviews.get("two") is None
    assert store.reviews.of(review.record_id, "bad") is None


def test_a_later_review_takes_the_place_of_the_earlier_of_the_same_visitor(store: Store) -> None:
    other = kept(store, id="other", owner="bad")
    kept(store)
    later = kept(store, id="later", seconds=2.0)
    assert store.reviews.get("one") is None
    assert store.reviews.of(later.record_id, "f00") == later
    assert store.reviews.of(other.record_id, "bad") == other


def test_a_review_goes_with_its_game(store: Store) -> None:
    review = kept(store)
    store.records.delete([review.record_id])
    assert store.reviews.get("one") is None
    assert not store.reviews.keep(review, GAME)


def test_a_game_that_goes_on_has_no_review_any_more(store: Store) -> None:
    review = kept(store)
    store.records.replace(review.record_id, GAME)
    assert store.reviews.get("one") == review
    on = Record("checkers", ("11-15", "23-18", "8-11"), seed=1)
    store.records.replace(review.record_id, on)
    assert store.reviews.get("one") is None
    assert not store.reviews.keep(review, GAME)
    assert store.reviews.keep(review, on)


def test_a_game_of_a_visitor_and_its_review(store: Store) -> None:
    play = Play("table", "f00", "checkers", {"moves": []})
    store.plays.add(play)
    number = store.plays.save(replace(play, is_over=True), GAME)
    assert number is not None
    review = Review("one", number, "f00", 0.2, PLIES)
    assert store.reviews.keep(review, GAME)
    assert store.reviews.of(number, "f00") == review


def test_many_reviews_of_one_game_at_once_leave_one(store: Store) -> None:
    number = store.records.add(GAME).id
    failed: list[BaseException] = []

    def keep(name: str) -> None:
        try:
            assert store.reviews.keep(Review(name, number, "f00", 0.2, PLIES), GAME)
        except BaseException as error:  # noqa: BLE001  it is raised below
            failed.append(error)

    threads = [Thread(target=keep, args=(f"r{count}",)) for count in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    found = store.reviews.of(number, "f00")
    assert found is not None
    assert [store.reviews.get(f"r{count}") is not None for count in range(8)].count(True) == 1
