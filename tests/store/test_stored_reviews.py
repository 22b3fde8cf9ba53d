"""Reviews in the store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from plyground import Outcome
from plyground.records import Note, Record
from plyground.store import Review, Store, VisitorGame

GAME = Record("checkers", ("11-15", "23-18"), outcome=Outcome("white", "resignation"), seed=1)
PLIES = [{"ply": 0, "move": "11-15", "pv": []}, {"ply": 1, "move": "23-18", "pv": ["9-14"], "value_loss": 0.3}]


def save_review(store: Store, **changes: object) -> Review:
    """Store a game and a review of it."""
    review = replace(Review("one", store.records.add(GAME).id, "f00", 0.2, PLIES), **changes)  # type: ignore[arg-type]
    assert store.reviews.save(review, GAME)
    return review


def test_finds_a_review_by_its_id_and_by_its_record(store: Store) -> None:
    review = save_review(store)
    assert store.reviews.get("one") == store.reviews.find(review.record_id, "f00") == review
    assert store.reviews.get("two") is None
    assert store.reviews.find(review.record_id, "bad") is None


def test_a_new_review_replaces_the_same_visitors_previous_one(store: Store) -> None:
    other = save_review(store, id="other", owner="bad")
    save_review(store)
    later = save_review(store, id="later", seconds=2.0)
    assert store.reviews.get("one") is None
    assert store.reviews.find(later.record_id, "f00") == later
    assert store.reviews.find(other.record_id, "bad") == other


def test_a_review_is_deleted_with_its_record(store: Store) -> None:
    review = save_review(store)
    store.records.delete([review.record_id])
    assert store.reviews.get("one") is None
    assert not store.reviews.save(review, GAME)


def test_a_review_is_deleted_when_its_record_changes(store: Store) -> None:
    review = save_review(store)
    store.records.replace(review.record_id, GAME)
    assert store.reviews.get("one") == review
    continued = Record("checkers", ("11-15", "23-18", "8-11"), seed=1)
    store.records.replace(review.record_id, continued)
    assert store.reviews.get("one") is None
    assert not store.reviews.save(review, GAME)
    assert store.reviews.save(review, continued)


def test_changed_annotations_keep_the_reviews_of_a_game(store: Store) -> None:
    review = save_review(store)
    annotated = replace(GAME, notes={1: Note("solid")})
    store.records.replace(review.record_id, annotated)
    assert store.reviews.get("one") == review
    assert store.reviews.save(review, annotated)


def test_stores_a_review_of_a_visitors_game(store: Store) -> None:
    game = VisitorGame("abc", "f00", "checkers", {"moves": []})
    store.visitor_games.add(game)
    record_id = store.visitor_games.save(replace(game, is_over=True, version=2), GAME).record_id
    assert record_id is not None
    review = Review("one", record_id, "f00", 0.2, PLIES)
    assert store.reviews.save(review, GAME)
    assert store.reviews.find(record_id, "f00") == review


def test_concurrent_reviews_of_one_record_leave_one(store: Store) -> None:
    record_id = store.records.add(GAME).id

    def save(number: int) -> bool:
        return store.reviews.save(Review(f"r{number}", record_id, "f00", 0.2, PLIES), GAME)

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(save, range(8)))
    assert store.reviews.find(record_id, "f00") is not None
    assert [store.reviews.get(f"r{number}") is not None for number in range(8)].count(True) == 1
